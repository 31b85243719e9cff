//! Names of variables and places of constructs, as LLVM's compilers pass them with `-g`:
//! `;name;file;line;column;;` and `;file;function;line;column;;`.

use core::ffi::{CStr, c_char, c_void};
use core::fmt::{self, Write};
use omphalos_engine::Caller;

use crate::shared::location::Ident;

/// A piece of a compiler's text. Bytes that are not UTF-8 are shown as a replacement character.
struct Piece<'a>(&'a [u8]);

impl fmt::Display for Piece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.utf8_chunks().try_for_each(|chunk| {
            f.write_str(chunk.valid())?;
            if chunk.invalid().is_empty() { Ok(()) } else { f.write_char('\u{fffd}') }
        })
    }
}

/// Returns the four pieces of a text; `None` if it is null, if there are fewer, or if the first is
/// not known.
///
/// # Safety
/// `text` is null or a C string, which stays.
unsafe fn pieces<'a>(text: *const c_char) -> Option<[Piece<'a>; 4]> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    let text: &'a [u8] = unsafe { CStr::from_ptr(text) }.to_bytes();
    let mut words = text.strip_prefix(b";")?.split(|byte| *byte == b';').map(Piece);
    let mut next = || words.next();
    let found = [next()?, next()?, next()?, next()?];
    (!matches!(found[0].0, b"" | b"unknown")).then_some(found)
}

/// Returns the variable's name and place, as for messages.
///
/// # Safety
/// `name` is null or a C string.
pub unsafe fn variable(name: *const c_char) -> Option<String> {
    // SAFETY: the caller's promise.
    let [name, file, line, _] = unsafe { pieces(name) }?;
    Some(format!("`{name}` ({file}:{line})"))
}

/// Writes a location ([`omphalos_engine::target::Site`]); false if it is not known.
/// Async-signal-safe.
#[cold]
pub fn site(location: *const c_void, to: &mut dyn Write) -> bool {
    // SAFETY: null, or the compiler's, whose source is null or a C string.
    let found = unsafe { location.cast::<Ident>().as_ref().and_then(|ident| pieces(ident.source)) };
    let Some([file, function, line, _]) = found else { return false };
    write!(to, "at {file}:{line} in {function}").is_ok()
}

/// The place of a construct in the program: its location, and else the caller's address.
pub struct Place(pub *const Ident, pub Caller);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match site(self.0.cast(), f) {
            true => Ok(()),
            false => write!(f, "called before {:#x}", self.1.address()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places() {
        // SAFETY: C strings.
        unsafe {
            let name = variable(c";a[:n];prog.c;12;20;;".as_ptr());
            assert_eq!(name.as_deref(), Some("`a[:n]` (prog.c:12)"));
            let other = variable(c";a;pr\xf6g.c;1;2;;".as_ptr());
            assert_eq!(other.as_deref(), Some("`a` (pr\u{fffd}g.c:1)"));
            assert_eq!(variable(c";unknown;unknown;0;0;;".as_ptr()), None);
            assert_eq!(variable(c"a".as_ptr()), None);
            assert_eq!(variable(core::ptr::null()), None);
        }
    }
}
