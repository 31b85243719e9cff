//! The file that this code was loaded from.

use crate::library::{self, each_file, headers};
use core::ffi::{CStr, c_char, c_void};
use core::ops::Range;

/// Returns the path by which the loader knows the file that `address` was loaded from; empty for
/// the program itself. It stays as long as the file is loaded.
pub fn of(address: *const c_void) -> Option<&'static CStr> {
    let mut name: *const c_char = core::ptr::null();
    each_file(|info| {
        let is_here = headers(info).iter().any(|header| {
            let start = info.dlpi_addr + header.p_vaddr;
            header.p_type == libc::PT_LOAD
                && (start..start + header.p_memsz).contains(&(address as u64))
        });
        if is_here {
            name = info.dlpi_name;
        }
        is_here
    });
    // SAFETY: the loader's string.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })
}

/// Returns the addresses of the file that `address` was loaded from.
pub fn extent(address: *const c_void) -> Option<Range<usize>> {
    let mut found = None;
    each_file(|info| {
        let extent = library::extent(info);
        found = extent.contains(&(address as usize)).then_some(extent);
        found.is_some()
    });
    found
}

#[cfg(test)]
mod tests {
    use core::ffi::c_void;

    #[test]
    fn the_c_library_has_a_path_and_the_stack_has_none() {
        let libc = super::of(libc::getpid as *const c_void).unwrap().to_str().unwrap();
        assert!(libc.contains("libc.so"), "{libc}");
        let here = 0u8;
        assert!(super::of((&raw const here).cast()).is_none());
    }
}
