//! Reads the place of a call that LLVM's code itself contains: a structure that it passes to the
//! runtime, with a text `;FILE;FUNCTION;LINE;COLUMN;;`. Line information often has no place for
//! such a call.

use std::rc::Rc;

use super::image::Image;
use super::{Symbols, outlined};

/// A place in the source, in the compiler's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) file: String,
    pub(super) function: String,
    pub(super) line: u32,
}

/// Bytes of a text, at most.
const LONGEST: usize = 4096;
/// The offset of the text's address in the structure.
const TEXT: u64 = 16;

impl Symbols {
    /// The place in the first argument of the call in front of `codeptr_ra`, if that is such a
    /// structure.
    pub(super) fn location(&self, codeptr_ra: u64) -> Option<Location> {
        let (image, bias) = self.image(codeptr_ra)?;
        let structure = outlined::first_argument(self, codeptr_ra)?.wrapping_sub(bias);
        parse(text_at(image, image.pointer_at(structure.checked_add(TEXT)?)?)?)
    }

    /// The file of a place. The location may have less than the whole path: then the file is that
    /// of one of the functions around, where it has the same name.
    pub(super) fn file_of(&self, codeptr_ra: u64, location: &Location) -> Rc<str> {
        let name = location.file.rsplit('/').next().unwrap_or(&location.file);
        let is_it = |file: &Rc<str>| file.rsplit('/').next() == Some(name);
        let functions = self.functions(codeptr_ra.wrapping_sub(1));
        let start = functions.last().and_then(|function| function.start);
        let around = start.map(|start| self.functions(start));
        let all = functions.iter().chain(around.iter().flat_map(|all| all.iter()));
        let known = all.filter_map(|function| function.file.clone()).find(is_it);
        known.unwrap_or_else(|| location.file.as_str().into())
    }
}

fn text_at(image: &Image, address: u64) -> Option<&str> {
    let bytes = image.bytes_from(address, LONGEST);
    let end = bytes.iter().position(|byte| *byte == 0)?;
    std::str::from_utf8(bytes.get(..end)?).ok()
}

fn parse(text: &str) -> Option<Location> {
    let mut fields = text.strip_prefix(';')?.split(';');
    let (file, function, line) = (fields.next()?, fields.next()?, fields.next()?);
    let line = line.parse().ok().filter(|line| *line > 0)?;
    Some(Location { file: file.to_owned(), function: function.to_owned(), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_file_function_and_line() {
        let found = parse(";dir/a.c;main;24;9;;").unwrap();
        assert_eq!(
            (found.file.as_str(), found.function.as_str(), found.line),
            ("dir/a.c", "main", 24)
        );
        assert_eq!(parse(";unknown;unknown;0;0;;"), None);
        assert_eq!(parse("a"), None);
    }
}
