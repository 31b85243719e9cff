//! Texts of functions of the kind of `printf`.

/// See `x86_64/variadic.rs`.
///
/// # Safety
/// As there.
pub unsafe fn formatted(_first: *const usize, _rest: *const usize, _number: usize) -> Vec<u8> {
    super::missing()
}
