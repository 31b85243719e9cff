//! Functions of MPI that the agent has, and the library of the process does not. A program that
//! wants such a function only if it is there declares it weak, and looks whether it has an address
//! (mpi4py does so with the functions with large counts). The loader gives it the agent's. This
//! takes the address away before the program can use it: when it begins MPI.

use super::library;
use core::ffi::{CStr, c_int, c_void};
use core::mem::size_of;
use core::ptr::null_mut;

/// An entry of an object's dynamic section.
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: u64,
}

const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_RELA: i64 = 7;
const DT_RELASZ: i64 = 8;
/// The relocations of a word that holds a symbol's address.
const R_X86_64_64: u64 = 1;
const R_X86_64_GLOB_DAT: u64 = 6;
const STB_WEAK: u8 = 2;
const PT_GNU_RELRO: u32 = 0x6474_e552;
const PAGE: usize = 4096;

/// Takes the addresses of such functions away from all objects.
pub fn hide() {
    // SAFETY: the loader calls the function with each object.
    unsafe { libc::dl_iterate_phdr(Some(hide_in), null_mut()) };
}

unsafe extern "C" fn hide_in(object: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
    // SAFETY: the loader's description of a loaded object.
    let object = unsafe { &*object };
    // SAFETY: the object's own headers.
    let headers =
        unsafe { core::slice::from_raw_parts(object.dlpi_phdr, usize::from(object.dlpi_phnum)) };
    let Some(dynamic) = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC) else {
        return 0;
    };
    let base = object.dlpi_addr;
    let [mut texts, mut symbols, mut relocations, mut size] = [0u64; 4];
    let mut entry = (base + dynamic.p_vaddr) as *const Dynamic;
    // The loader has turned the entries of most objects into addresses.
    let place = |value: u64| if value < base { value + base } else { value };
    // SAFETY: the section is in memory, and ends with a zero.
    while let Dynamic { tag: tag @ 1.., value } = *unsafe { &*entry } {
        match tag {
            DT_STRTAB => texts = place(value),
            DT_SYMTAB => symbols = place(value),
            DT_RELA => relocations = place(value),
            DT_RELASZ => size = value,
            _ => {}
        }
        // SAFETY: another entry stands behind each but the last.
        entry = unsafe { entry.add(1) };
    }
    if texts == 0 || symbols == 0 || relocations == 0 {
        return 0;
    }
    let count = size as usize / size_of::<libc::Elf64_Rela>();
    // SAFETY: the object's table of relocations.
    let all = unsafe { core::slice::from_raw_parts(relocations as *const libc::Elf64_Rela, count) };
    for one in all {
        let (kind, symbol) = (one.r_info & 0xffff_ffff, one.r_info >> 32);
        if !matches!(kind, R_X86_64_64 | R_X86_64_GLOB_DAT) || symbol == 0 {
            continue;
        }
        // SAFETY: relocations name symbols of the object's table, whose texts end with a zero.
        let (symbol, name) = unsafe {
            let symbol = &*(symbols as *const libc::Elf64_Sym).add(symbol as usize);
            (symbol, CStr::from_ptr((texts + u64::from(symbol.st_name)) as *const _))
        };
        let is_weak = symbol.st_shndx == 0 && symbol.st_info >> 4 == STB_WEAK;
        let is_of_mpi = || [&b"MPI_"[..], b"mpi_"].iter().any(|it| name.to_bytes().starts_with(it));
        let slot = (base + one.r_offset) as *mut usize;
        if is_weak && is_of_mpi() && is_ours(slot) && library::next(name).is_null() {
            let is_in_relro = headers.iter().any(|header| {
                let from = base + header.p_vaddr;
                header.p_type == PT_GNU_RELRO
                    && (from..from + header.p_memsz).contains(&(slot as u64))
            });
            clear(slot, is_in_relro);
        }
    }
    0
}

/// Whether a slot holds the address of one of the agent's functions.
fn is_ours(slot: *const usize) -> bool {
    let own = |address: *const c_void| {
        // SAFETY: the structure is filled if the address is in an object.
        unsafe {
            let mut about: libc::Dl_info = core::mem::zeroed();
            (libc::dladdr(address, &raw mut about) != 0).then_some(about.dli_fbase)
        }
    };
    // SAFETY: a word of a loaded object, which the loader has filled.
    let held = unsafe { slot.read_volatile() };
    held != 0 && own(held as *const c_void) == own(hide as *const () as *const c_void)
}

/// Puts null into a slot. The loader may have made its page read-only.
fn clear(slot: *mut usize, is_read_only: bool) {
    let page = (slot as usize & !(PAGE - 1)) as *mut c_void;
    // SAFETY: a page of the object's own data; the word is aligned, so it is written at once.
    unsafe {
        if is_read_only && libc::mprotect(page, PAGE, libc::PROT_READ | libc::PROT_WRITE) != 0 {
            return;
        }
        slot.write_volatile(0);
        if is_read_only {
            libc::mprotect(page, PAGE, libc::PROT_READ);
        }
    }
}
