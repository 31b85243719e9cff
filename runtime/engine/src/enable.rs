//! State that costs something and that the runtime keeps for debuggers only. `OMP_DEBUG=enabled`
//! switches it on, and so does a debugger later.
//!
//! While the state is on, constructs take the code that they take with a tool. That code keeps
//! identities, frames and the stack of tasks, and it passes the places for breakpoints
//! (`omphalos_sys::debugger`). Without a tool and a debugger a program pays one look at a word for
//! each region that it forks; docs/debug-state.md has the instruction counts. Threads and devices
//! seldom come and go, so their places are always passed.
//!
//! A debugger asks by writing [`omphalos_enable`], at any moment. The runtime's start acts on this
//! word, and so does the next region that any thread begins (`process/start.rs`, `team/fork.rs`).
//! But the region that acts on the word has decided earlier whether it is watched. So OMPD's
//! libraries also write the masks that [`enable`] writes, and the next construct of each thread is
//! watched. A thread that stands inside `subscribers::change` meanwhile may undo one of the
//! library's writes. The region that acts on [`omphalos_enable`] then writes the masks again.

use crate::records::Thread;
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_sys::debugger;

/// The request of a debugger, a value of [`asked`]. The debugger writes it from outside the
/// process.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static omphalos_enable: AtomicU32 = AtomicU32::new(asked::NOTHING);

/// The values of [`omphalos_enable`].
pub mod asked {
    /// Nothing, or all is done.
    pub const NOTHING: u32 = 0;
    /// Tools of 2013 are to end. A debugger's places and state stay.
    pub const OFF: u32 = 1;
    /// The state is to be kept.
    pub const KEPT: u32 = 2;
    /// The state is to be kept, and the inquiry functions of 2013 are to answer.
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

/// Passes a place for breakpoints if the debuggers' state is on. A watched construct calls this.
#[inline(always)]
pub(crate) fn pass(place: impl FnOnce()) {
    if is_on() {
        place();
    }
}

/// Carries out a debugger's request, if there is one. Called where a region begins.
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
    // Of several threads, only one takes the request.
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

/// Asks the tools, unless a debugger forbids it. Called when the runtime is about to start.
pub(crate) fn ask_tools() {
    if omphalos_enable.load(Ordering::Relaxed) != asked::OFF {
        omphalos_events::search_tools();
    }
}

/// Starts the tools, unless a debugger forbids it. Called when the runtime starts.
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
