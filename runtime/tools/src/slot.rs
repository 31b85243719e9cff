//! Gives back the slot of a tool that does not want to run after all.
//!
//! Its initializer has run, so it may have asked for words and written to them. What must hold: the
//! next tool in the slot finds every word empty.

use omphalos_events::{self as events, Identity, inquiry};

/// Gives `slot` back. Called on the thread that starts the tools, before any event: only this
/// thread, its tasks and the regions around it have words that the tool may have written.
pub fn give_back(slot: usize) {
    clear_words(slot);
    if slot == 0 {
        events::wishes::wish(0);
    }
    events::give_back(slot);
}

/// Clears the words in `slot` of the calling thread, of its tasks and of the regions around it.
pub fn clear_words(slot: usize) {
    let empty = |identity: *const Identity| {
        // SAFETY: null, or the engine's answer about the calling thread, valid while it is in this
        // call.
        if let Some(identity) = unsafe { identity.as_ref() } {
            // SAFETY: the word belonged to the tool that does not run any more, and belongs to no
            // other yet.
            unsafe { *identity.word(slot) = 0 };
        }
    };
    if let Some(engine) = inquiry() {
        empty((engine.thread)());
        for level in 0.. {
            let (2, Some(info)) = (engine.task)(level) else { break };
            // SAFETY: as above.
            if let Some(task) = unsafe { info.task.as_ref() } {
                empty(&raw const task.identity);
            }
            empty(info.region);
        }
    }
}
