//! State that costs something and that the runtime keeps for debuggers only. `OMP_DEBUG=enabled`
//! switches it on, and so does a debugger later.
//!
//! While it is on, constructs take the code that they take with a tool. That code keeps identities,
//! frames and the stack of tasks, and it passes the places for breakpoints
//! (`omphalos_sys::debugger`). Without a tool and a debugger a program pays one look at a word for
//! each region that it forks; docs/debug-state.md has the instruction counts. Threads and devices
//! seldom come and go, so they always pass their places.
//!
//! A debugger asks by writing [`omphalos_enable`], at any moment: the runtime's start and the next
//! region that any thread begins act on it. That region took its way before it looked, so OMPD's
//! libraries also write what [`enable`] writes. The next construct of each thread is then watched.
//! A thread that stands inside `subscribers::change` may undo one of these writes. The word makes
//! it good.

use crate::records::Thread;
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_sys::debugger;

/// The wish of a debugger, a value of [`asked`]. The debugger writes it from outside the process.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static omphalos_enable: AtomicU32 = AtomicU32::new(asked::NOTHING);

/// The values of [`omphalos_enable`].
pub mod asked {
    /// Nothing, or all is done.
    pub const NOTHING: u32 = 0;
    /// Tools of 2013 are ended. A debugger's places and state stay.
    pub const OFF: u32 = 1;
    /// The state is kept.
    pub const KEPT: u32 = 2;
    /// The state is kept, and the inquiry functions of 2013 answer.
    pub const ON: u32 = 3;
    /// A tool comes (`omphalos_events::request`). Nothing is kept for it.
    pub const TOOL: u32 = 4;
}

/// Switches the debuggers' state on, for the rest of the run.
pub fn enable() {
    omphalos_events::keep_for_debuggers();
}

/// Whether the debuggers' state is on.
#[inline(always)]
pub(crate) fn is_on() -> bool {
    omphalos_events::keeps_for_debuggers()
}

/// A construct that a tool or a debugger watches passes a place for breakpoints.
#[inline(always)]
pub(crate) fn pass(place: impl FnOnce()) {
    if is_on() {
        place();
    }
}

/// Called where a region begins: carries out a debugger's request.
#[inline(always)]
pub(crate) fn poll(thread: &Thread) {
    if omphalos_enable.load(Ordering::Relaxed) != asked::NOTHING {
        meet(thread);
    }
}

#[cold]
#[inline(never)]
fn meet(thread: &Thread) {
    // Tools are started and ended only while the program is in no region.
    let outermost = thread.team().level.get() == 0;
    let word = omphalos_enable.load(Ordering::Relaxed);
    if matches!(word, asked::OFF | asked::TOOL) && !outermost {
        return;
    }
    // Only one thread finds the word set.
    match omphalos_enable.swap(asked::NOTHING, Ordering::Relaxed) {
        asked::NOTHING => {}
        asked::OFF => {
            let had_tool = omphalos_events::has_tool();
            omphalos_events::finish();
            if had_tool {
                debugger::enable_complete();
            }
        }
        asked::TOOL => omphalos_events::bring_tool(),
        word => switch_on(word),
    }
}

fn switch_on(word: u32) {
    enable();
    if word == asked::ON {
        omphalos_events::support();
    }
}

/// The runtime is about to start: asks the tools, unless a debugger forbids it.
pub(crate) fn ask_tools() {
    if omphalos_enable.load(Ordering::Relaxed) != asked::OFF {
        omphalos_events::search_tools();
    }
}

/// The runtime starts: starts the tools too, unless a debugger forbade it.
pub(crate) fn start_tools() {
    let word = omphalos_enable.swap(asked::NOTHING, Ordering::Relaxed);
    if word == asked::TOOL {
        // The first region finds the word again and acts on it.
        omphalos_enable.store(word, Ordering::Relaxed);
        return omphalos_events::start();
    }
    match word {
        asked::OFF => omphalos_events::start_none(),
        _ => omphalos_events::start(),
    }
    if word == asked::ON && omphalos_events::has_tool() {
        debugger::enable_complete();
    }
    if word > asked::OFF {
        switch_on(word);
    }
}
