//! One line, put together field by field.

use core::fmt::{Debug, Write};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use omphalos_ompt::{Host, Word};

static NEXT: AtomicU64 = AtomicU64::new(1);

/// Gives a number of its own to the thing that the word belongs to, and returns it.
pub fn number(word: Word<'_>) -> u64 {
    let number = NEXT.fetch_add(1, Relaxed);
    word.set(number);
    number
}

/// A line under construction.
pub struct Line(String);

impl Line {
    /// Begins a line: the event, its thread and the thread's state.
    pub fn new(event: &str) -> Line {
        let host = Host::get();
        let mut line = Line(String::with_capacity(160));
        line.0.push_str(event);
        match host.thread(|thread| thread.get()) {
            Some(number) if number != 0 => line.field("on", number),
            _ => line.field("on", Missing),
        }
        .field("state", host.state().0)
    }

    /// Adds a field.
    pub fn field(mut self, name: &str, value: impl Debug) -> Line {
        let _ = write!(self.0, " {name}={value:?}");
        self
    }

    /// Adds the number that a word holds: `-` where the runtime gave no word, `?` where it holds
    /// none.
    pub fn word(self, name: &str, word: Word<'_>) -> Line {
        match word.get() {
            _ if !word.is_there() => self.field(name, Absent),
            0 => self.field(name, Missing),
            number => self.field(name, number),
        }
    }

    /// Adds an address.
    pub fn address(mut self, name: &str, address: u64) -> Line {
        let _ = write!(self.0, " {name}={address:#x}");
        self
    }

    /// The finished line.
    pub fn text(mut self) -> String {
        // Values of a debug format may have spaces: one field is one word.
        self.0 = self.0.replace(", ", ",").replace(" | ", "|");
        self.0.push('\n');
        self.0
    }
}

struct Missing;
struct Absent;

impl Debug for Missing {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("?")
    }
}

impl Debug for Absent {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("-")
    }
}

/// A name without quotes.
pub(crate) struct Plain<'a>(pub(crate) &'a str);

impl core::fmt::Debug for Plain<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str(self.0)
    }
}
