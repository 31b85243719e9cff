//! The file that this code was loaded from.

use core::ffi::{CStr, c_char, c_int, c_void};

struct Wanted {
    address: u64,
    name: *const c_char,
}

/// The path by which the loader knows the file that `address` was loaded from; empty for the program itself. It stays as
/// long as the file is loaded.
pub fn of(address: *const c_void) -> Option<&'static CStr> {
    let mut wanted = Wanted { address: address as u64, name: core::ptr::null() };
    // SAFETY: the callback has the wanted type and gets the address of `wanted`.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut wanted).cast()) };
    // SAFETY: the loader's string.
    (!wanted.name.is_null()).then(|| unsafe { CStr::from_ptr(wanted.name) })
}

/// Looks at one loaded object; not 0 ends the search.
unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _size: usize, data: *mut c_void) -> c_int {
    // SAFETY: the loader hands over valid headers of a mapped object, `of` its own variable.
    let (info, wanted) = unsafe { (&*info, &mut *data.cast::<Wanted>()) };
    for at in 0..usize::from(info.dlpi_phnum) {
        // SAFETY: as above.
        let header = unsafe { &*info.dlpi_phdr.add(at) };
        let start = info.dlpi_addr + header.p_vaddr;
        if header.p_type == libc::PT_LOAD
            && (start..start + header.p_memsz).contains(&wanted.address)
        {
            wanted.name = info.dlpi_name;
            return 1;
        }
    }
    0
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
