//! The environment as the C library holds it: one pass instead of a search for each name.

use core::ffi::{CStr, c_char};

unsafe extern "C" {
    static environ: *const *const c_char;
}

/// Calls `each` with the name and the value of every variable, in their order.
///
/// As with `getenv`, the program must not change its environment meanwhile.
pub fn each(mut each: impl FnMut(&[u8], &[u8])) {
    // SAFETY: the C library's own list: null, or pointers to strings up to a null pointer.
    unsafe {
        let mut at = environ;
        while !at.is_null() && !(*at).is_null() {
            let entry = CStr::from_ptr(*at).to_bytes();
            if let Some(cut) = entry.iter().position(|&byte| byte == b'=') {
                each(&entry[..cut], &entry[cut + 1..]);
            }
            at = at.add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_getenv_finds() {
        let mut path = None;
        super::each(|name, value| {
            if name == b"PATH" {
                path = Some(value.to_vec());
            }
        });
        let wanted = std::env::var_os("PATH").map(|text| text.into_encoded_bytes());
        assert_eq!(path, wanted);
    }
}
