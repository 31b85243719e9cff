//! Which OpenMP runtime the program was linked against: the names that its parts ask the loader for.
//!
//! One file stands in for several runtimes, and where these do visible things differently (how a
//! warning begins, when the first thread is bound) a program gets what its own runtime does.

use core::ffi::{CStr, c_int, c_void};
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// 0 not looked at yet, 1 no, 2 yes.
static LLVM: AtomicU8 = AtomicU8::new(0);

/// Whether some part of the program asks for LLVM's or Intel's runtime by its name. Looked up once;
/// what is loaded later changes nothing.
pub fn llvm() -> bool {
    match LLVM.load(Relaxed) {
        0 => {
            let mut found = false;
            // SAFETY: the callback has the wanted type and gets the address of `found`.
            unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut found).cast()) };
            LLVM.store(1 + u8::from(found), Relaxed);
            found
        }
        known => known == 2,
    }
}

/// Looks at one loaded object; not 0 ends the search.
unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _size: usize, data: *mut c_void) -> c_int {
    // SAFETY: the loader hands over valid headers of a mapped object.
    unsafe {
        let info = &*info;
        for at in 0..usize::from(info.dlpi_phnum) {
            let header = &*info.dlpi_phdr.add(at);
            if header.p_type == libc::PT_DYNAMIC
                && asks(info.dlpi_addr as usize + header.p_vaddr as usize)
            {
                *data.cast::<bool>() = true;
                return 1;
            }
        }
    }
    0
}

/// `Elf64_Dyn`.
#[repr(C)]
struct Entry {
    tag: i64,
    value: usize,
}

const END: i64 = 0;
const NEEDED: i64 = 1;
const STRINGS: i64 = 5;

/// # Safety
/// `section` must be the address of a mapped dynamic section.
unsafe fn asks(section: usize) -> bool {
    let section = section as *const Entry;
    // SAFETY: the section ends with an entry of tag 0.
    let entries = || unsafe {
        (0..).map(|at| &*section.wrapping_add(at)).take_while(|entry| entry.tag != END)
    };
    let Some(strings) = entries().find(|entry| entry.tag == STRINGS) else { return false };
    entries().filter(|entry| entry.tag == NEEDED).any(|entry| {
        // SAFETY: the loader has made the table's address absolute in objects that need others (the
        // one object where it has not, the kernel's, needs none).
        let name = unsafe { CStr::from_ptr((strings.value + entry.value) as *const _) };
        let name = name.to_bytes();
        [&b"libomp.so"[..], b"libomp5.so", b"libiomp5.so"].iter().any(|n| name.starts_with(n))
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_test_asks_for_none() {
        assert!(!super::llvm());
        assert!(!super::llvm());
    }
}
