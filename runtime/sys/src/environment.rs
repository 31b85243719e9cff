//! The environment as the C library holds it: one pass instead of a search for each name.

use core::ffi::{CStr, c_char};

unsafe extern "C" {
    static environ: *const *const c_char;
}

/// Calls `each` with the name and the value of every variable whose name begins with one of the
/// `initials`, in their order.
///
/// As with `getenv`, the program must not change its environment meanwhile.
pub fn each(initials: &[u8], mut each: impl FnMut(&[u8], &[u8])) {
    // SAFETY: the C library's own list: null, or pointers to strings up to a null pointer.
    unsafe {
        let mut at = environ;
        while !at.is_null() && !(*at).is_null() {
            // Most variables are none of the runtime's: the first byte tells.
            if initials.contains(&(**at as u8)) {
                let entry = CStr::from_ptr(*at).to_bytes();
                if let Some(cut) = entry.iter().position(|&byte| byte == b'=') {
                    each(&entry[..cut], &entry[cut + 1..]);
                }
            }
            at = at.add(1);
        }
    }
}

/// Returns a number made from the addresses of the list's entries, by one load for each. If it
/// differs from an earlier one, a variable was set or removed meanwhile. (Writing into a variable's
/// text changes nothing, but the C library gives nobody that text to write to.)
pub fn fingerprint() -> u64 {
    // SAFETY: as in `each`.
    unsafe { fingerprint_of(environ) }
}

/// # Safety
/// `list` is null or points to pointers up to a null pointer.
unsafe fn fingerprint_of(list: *const *const c_char) -> u64 {
    let mut print = list as u64;
    let mut at = list;
    // SAFETY: the caller's promise.
    unsafe {
        while !at.is_null() && !(*at).is_null() {
            print = (print.rotate_left(29) ^ *at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            at = at.add(1);
        }
    }
    print
}

#[cfg(test)]
mod tests {
    #[test]
    fn another_list_has_another_fingerprint() {
        let texts = [c"A=1", c"B=2", c"C=3"].map(|text| text.as_ptr());
        let print = |list: &mut [*const core::ffi::c_char; 4], at: usize, text| {
            let before = core::mem::replace(&mut list[at], text);
            // SAFETY: the list ends with a null pointer.
            (unsafe { super::fingerprint_of(list.as_ptr()) }, before)
        };
        let null = core::ptr::null();
        let mut list = [texts[0], texts[1], null, null];
        let (first, _) = print(&mut list, 3, null);
        assert_eq!(print(&mut list, 3, null).0, first);
        assert_ne!(print(&mut list, 2, texts[2]).0, first, "one more");
        assert_eq!(print(&mut list, 2, null).0, first);
        assert_ne!(print(&mut list, 1, texts[2]).0, first, "another one");
        assert_ne!(print(&mut list, 1, null).0, first, "one less");
        // SAFETY: `environ` may be a null list.
        assert_eq!(unsafe { super::fingerprint_of(null.cast()) }, 0);
    }

    #[test]
    fn finds_what_getenv_finds() {
        let mut path = None;
        super::each(b"HP", |name, value| {
            assert!(name.starts_with(b"H") || name.starts_with(b"P"));
            if name == b"PATH" {
                path = Some(value.to_vec());
            }
        });
        let wanted = std::env::var_os("PATH").map(|text| text.into_encoded_bytes());
        assert_eq!(path, wanted);
    }
}
