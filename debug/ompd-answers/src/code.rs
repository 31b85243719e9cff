//! The return codes of OMPD's functions. The three texts give them the same numbers, and each later
//! text has more of them.

use omphalos_ompd_view::Fault;

/// `ompd_rc_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Code {
    /// Done.
    Ok = 0,
    /// No such thing exists, or it is not known.
    Unavailable = 1,
    /// The thing that the handle named is gone, or the handle never named one.
    StaleHandle = 2,
    /// An argument that makes no sense.
    BadInput = 3,
    /// Something went wrong.
    Error = 4,
    /// The library does not offer this.
    Unsupported = 5,
    /// Only with state tracking.
    NeedsStateTracking = 6,
    /// Another runtime, or not available in this form.
    Incompatible = 7,
    /// The target's memory cannot be read.
    ReadError = 8,
    /// The target's memory cannot be written.
    WriteError = 9,
    /// The debugger has no memory.
    NoMemory = 10,
    /// More values exist than the one given (since 5.1).
    Incomplete = 11,
    /// The debugger's callback failed (since 5.1).
    CallbackError = 12,
    /// A handle of another kind than the scope (since 6.0).
    IncompatibleHandle = 13,
}

impl From<Fault> for Code {
    fn from(fault: Fault) -> Code {
        match fault {
            Fault::Unreadable { .. } => Code::ReadError,
            Fault::Unknown(_) => Code::Unavailable,
            Fault::Gone | Fault::Nonsense(_) => Code::Error,
        }
    }
}

/// The result of a function of the library: a value, or the reason why there is none.
pub type Answer<T> = Result<T, Code>;
