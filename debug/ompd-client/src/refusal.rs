//! A library's refusal to answer.

use core::fmt;

use omphalos_abi::ompd::*;

/// A function that did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The function.
    pub function: &'static str,
    /// The code that it returned.
    pub code: ompd_rc_t,
    /// The library has no such function.
    pub is_missing: bool,
}

/// An answer, or the refusal.
pub type Value<T> = Result<T, Refusal>;

impl Refusal {
    /// A function whose answer cannot be right.
    pub(crate) fn of(function: &'static str) -> Refusal {
        Refusal { function, code: ompd_rc_error, is_missing: false }
    }

    /// Whether the library says that the thing does not exist, rather than that it cannot tell.
    pub fn is_none(&self) -> bool {
        !self.is_missing && self.code == ompd_rc_unavailable
    }
}

const NAMES: [&str; 14] = [
    "ok", "unavailable", "stale_handle", "bad_input", "error", "unsupported",
    "needs_state_tracking", "incompatible", "device_read_error", "device_write_error", "nomem",
    "incomplete", "callback_error", "incompatible_handle",
];

fn known(code: ompd_rc_t) -> Option<&'static str> {
    usize::try_from(code).ok().and_then(|at| NAMES.get(at)).copied()
}

/// The specification's name of a code, for messages.
pub(crate) fn code_name(code: ompd_rc_t) -> String {
    match known(code) {
        Some(name) => format!("ompd_rc_{name}"),
        None => format!("the unknown code {code}"),
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_missing {
            return write!(out, "the library has no {}", self.function);
        }
        let code = known(self.code).map(|name| name.replace('_', " "));
        write!(out, "{}: {}", self.function, code.as_deref().unwrap_or("an unknown code"))
    }
}

/// Calls a function of the library.
macro_rules! call {
    ($functions:expr, $name:ident($($argument:expr),*)) => {
        match $functions.$name {
            // SAFETY: handles are the library's own and live, and every place for a result is good.
            Some(function) => match unsafe { function($($argument),*) } {
                omphalos_abi::ompd::ompd_rc_ok => Ok(()),
                code => Err($crate::refusal::Refusal {
                    function: stringify!($name),
                    code,
                    is_missing: false,
                }),
            },
            None => Err($crate::refusal::Refusal {
                function: stringify!($name),
                code: omphalos_abi::ompd::ompd_rc_unsupported,
                is_missing: true,
            }),
        }
    };
}

pub(crate) use call;
