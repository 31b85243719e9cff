//! A line of text built without allocating, to be written in one piece: two threads may end the
//! program at the same time.

use core::fmt::{self, Write};

/// A text of limited length; text beyond the limit is left out.
pub struct Line {
    bytes: [u8; 1024],
    length: usize,
}

impl Line {
    /// Makes an empty line.
    pub const fn new() -> Line {
        Line { bytes: [0; 1024], length: 0 }
    }

    /// Returns the text so far.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.iter_mut().skip(self.length);
        for (to, &from) in room.zip(text.as_bytes()) {
            *to = from;
            self.length += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut() {
        let mut line = Line::new();
        for _ in 0..200 {
            write!(line, "{:08}", 1).unwrap();
        }
        assert_eq!(line.bytes().len(), 1024);
        assert!(line.bytes().ends_with(b"00000001"));
    }
}
