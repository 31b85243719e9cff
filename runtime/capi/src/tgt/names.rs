//! Names of variables and places of constructs, as LLVM's compilers pass them with `-g`:
//! `;name;file;line;column;;` and `;file;function;line;column;;`.

use core::ffi::{CStr, c_char, c_void};
use core::fmt;
use omphalos_engine::Caller;

use crate::shared::location::Ident;

/// Returns the four pieces; `None` if there are fewer, or if the first is not known.
fn pieces(text: &str) -> Option<[&str; 4]> {
    let mut words = text.strip_prefix(';')?.split(';');
    let mut next = || words.next();
    let found = [next()?, next()?, next()?, next()?];
    (!matches!(found[0], "" | "unknown")).then_some(found)
}

/// Returns the variable's name and place, as for messages.
///
/// # Safety
/// `name` is null or a C string.
pub unsafe fn variable(name: *const c_char) -> Option<String> {
    if name.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let [name, file, line, _] = pieces(&text)?;
    Some(format!("`{name}` ({file}:{line})"))
}

/// Writes a location ([`omphalos_engine::target::Site`]). Async-signal-safe.
#[cold]
pub fn site(location: *const c_void, to: &mut dyn fmt::Write) -> bool {
    // SAFETY: null, or the compiler's, whose source is null or a C string.
    let text = unsafe {
        let source = location.cast::<Ident>().as_ref().map(|ident| ident.source);
        source.filter(|source| !source.is_null()).map(|source| CStr::from_ptr(source))
    };
    let found = text.and_then(|text| text.to_str().ok()).and_then(pieces);
    let Some([file, function, line, _]) = found else { return false };
    write!(to, "at {file}:{line} in {function}").is_ok()
}

/// The place of a construct in the program.
pub struct Place(Option<String>, u64);

impl Place {
    /// Returns the place by its location, or by the caller's address.
    ///
    /// # Safety
    /// The location is null or valid.
    pub unsafe fn of(location: *const Ident, caller: Caller) -> Place {
        // SAFETY: the caller's promise; the source is null or a C string.
        let source = unsafe {
            location
                .as_ref()
                .filter(|ident| !ident.source.is_null())
                .map(|ident| CStr::from_ptr(ident.source).to_string_lossy())
        };
        // The text is `;file;function;line;column;;`.
        let place = source.and_then(|text| {
            let [file, function, line, _] = pieces(&text)?;
            Some(format!("at {file}:{line} in {function}"))
        });
        Place(place, caller.address())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            Some(place) => f.write_str(place),
            None => write!(f, "called before {:#x}", self.1),
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
            assert_eq!(variable(c";unknown;unknown;0;0;;".as_ptr()), None);
            assert_eq!(variable(c"a".as_ptr()), None);
            assert_eq!(variable(core::ptr::null()), None);
        }
    }
}
