//! Errors before or after the program's own run: one line and an exit status.

/// An error of Omphalos's own.
pub const OURS: i32 = 125;
/// The program is there but cannot be executed.
pub const NOT_EXECUTABLE: i32 = 126;
/// There is no such program.
pub const NOT_FOUND: i32 = 127;

/// One line that names the thing, its fault and the remedy.
#[derive(Debug)]
pub struct Failure {
    /// The exit status.
    pub status: i32,
    /// The line, without `omphalos: `.
    pub message: String,
}

impl Failure {
    /// A failure with exit status 125.
    pub fn ours(message: impl Into<String>) -> Self {
        Self { status: OURS, message: message.into() }
    }

    /// A failure with exit status 126.
    pub fn not_executable(message: impl Into<String>) -> Self {
        Self { status: NOT_EXECUTABLE, message: message.into() }
    }

    /// A failure with exit status 127.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self { status: NOT_FOUND, message: message.into() }
    }
}
