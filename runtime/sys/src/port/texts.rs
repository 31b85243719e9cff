//! A text in many bytes.

/// Where the first text of this kind begins. Async-signal-safe.
pub fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len()).position(|place| place == text)
}
