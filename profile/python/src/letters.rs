//! The form of a string's letters in memory.

/// The form of a string's letters; see the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letters {
    /// Bytes of one letter: 1 (Latin-1), 2 or 4.
    pub width: u32,
    /// True where all are ASCII.
    pub ascii: bool,
}

impl Letters {
    /// Reads the form from the word at [`Layout::state`](crate::Layout::state); `None` for a form
    /// that no code's names have.
    pub fn of(state: u32) -> Option<Letters> {
        // Two bits stand before the relevant ones, or a byte with at most two in use.
        [state >> 2, state >> 8].into_iter().find_map(|bits| {
            let (width, compact, ascii) = (bits & 7, bits >> 3 & 1, bits >> 4 & 1);
            let is_whole = compact == 1 && matches!(width, 1 | 2 | 4);
            is_whole.then_some(Letters { width, ascii: ascii == 1 })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Letters;

    #[test]
    fn letters_are_told_by_the_state() {
        let (narrow, wide) =
            (Letters { width: 1, ascii: true }, Letters { width: 4, ascii: false });
        assert_eq!(Letters::of(3 | 1 << 2 | 1 << 5 | 1 << 6), Some(narrow));
        assert_eq!(Letters::of(1 | 4 << 2 | 1 << 5), Some(wide));
        assert_eq!(Letters::of(3 | 1 << 8 | 1 << 11 | 1 << 12), Some(narrow));
        assert_eq!(Letters::of(4 << 8 | 1 << 11), Some(wide));
        assert_eq!([Letters::of(0), Letters::of(3 << 2 | 1 << 5)], [None, None]);
    }
}
