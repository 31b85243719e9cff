//! A text in many bytes.

/// Returns the place of the first such text. Async-signal-safe.
pub fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len()).position(|place| place == text)
}
