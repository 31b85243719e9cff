//! Two things on which the generations of tools disagree although a process can have only one of
//! each: how a task's frames are kept (a task has one pair of words), and when GCC's `single` ends.
//!
//! What must hold: a rule that only one generation has holds only while all tools are of that
//! generation. Otherwise the rule of OpenMP 5.0 and later holds.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A generation's rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameRule {
    /// 5.0 and later: an exit frame stands while the runtime's frame calls the program's
    /// code; an enter frame is the border between the program's frame and the runtime's.
    Borders = 1,
    /// 2013: an exit frame is set once and stays to the task's end.
    KeptExits = 2,
    /// 2016: an enter frame is the frame pointer of the program's function, if it keeps one.
    Callers = 4,
    /// 2014: as 5.0.
    Older = 8,
}

/// The rules of the tools that were started.
static RULES: AtomicU8 = AtomicU8::new(0);

/// Notes that a tool with this rule was started. Called before any event.
pub fn keep_by(rule: FrameRule) {
    RULES.fetch_or(rule as u8, Relaxed);
}

/// Whether an implicit task keeps its exit frame in the barrier that ends its region.
#[inline]
pub fn keep_exits() -> bool {
    RULES.load(Relaxed) == FrameRule::KeptExits as u8
}

/// Whether an enter frame is the caller's frame pointer.
#[inline]
pub fn are_callers() -> bool {
    RULES.load(Relaxed) == FrameRule::Callers as u8
}

/// Whether a `single` of GCC's code ends, for tools, where it begins: they are told the calls of
/// the code, and nothing that is inferred. Tools before 5.0 and the Collector API are told the
/// inferred end.
#[inline]
pub fn singles_end_at_once() -> bool {
    RULES.load(Relaxed) & FrameRule::Borders as u8 != 0
}
