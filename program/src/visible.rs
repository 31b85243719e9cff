//! Makes foreign text fit for a terminal.
//!
//! Names of functions, paths, arguments and texts of a damaged file may have escape sequences. Sent
//! to a terminal they would act; made visible they only show what is there.

use std::borrow::Cow;
use std::fmt::Write;

/// `text` with each character that would control a terminal written out: `\x1b`, `\n`, `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if steers(c) && c.is_ascii() => drop(write!(out, "\\x{:02x}", c as u32)),
            c if steers(c) => drop(write!(out, "\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The same for bytes that should be UTF-8; bytes that are not are replaced.
pub fn visible_bytes(bytes: &[u8]) -> String {
    visible(&String::from_utf8_lossy(bytes)).into_owned()
}

/// Whether it is a control of ASCII or Latin-1, a line or paragraph end, or changes the direction
/// of text.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_stays() {
        assert_eq!(visible("plain über::f<int>"), "plain über::f<int>");
        assert_eq!(visible("\x1b[31mred\x07\n"), "\\x1b[31mred\\x07\\n");
        assert_eq!(visible("\u{9b}2J\u{202e}\x7f"), "\\u{9b}2J\\u{202e}\\x7f");
        assert_eq!(visible_bytes(b"\xffa\x00"), "\u{fffd}a\\x00");
    }
}
