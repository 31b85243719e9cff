//! Finds out which OpenMP runtime the program was linked against, by the names that its parts ask
//! the loader for.
//!
//! One file replaces several runtimes. Where these differ visibly (the begin of a warning, the
//! moment when the first thread is bound), a program gets the behaviour of its own runtime.

use crate::library::{each_file, headers};
use core::ffi::CStr;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// 0 not looked at yet, 1 no, 2 yes.
static LLVM: AtomicU8 = AtomicU8::new(0);

/// Whether some part of the program asks for LLVM's or Intel's runtime by its name. Looked up once;
/// files that are loaded later change nothing.
pub fn llvm() -> bool {
    match LLVM.load(Relaxed) {
        0 => {
            let mut found = false;
            each_file(|info| {
                let mut dynamic = headers(info).iter().filter(|it| it.p_type == libc::PT_DYNAMIC);
                // SAFETY: the loader describes a mapped file.
                found = dynamic.any(|it| unsafe { asks((info.dlpi_addr + it.p_vaddr) as usize) });
                found
            });
            LLVM.store(1 + u8::from(found), Relaxed);
            found
        }
        known => known == 2,
    }
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
