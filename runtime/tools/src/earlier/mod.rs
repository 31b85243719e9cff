//! OMPT before OpenMP 5.0: 2013, LLVM's of 2014/15, and 2016 with its two variants.
//!
//! These generations share their start symbols (`ompt_tool`, `ompt_initialize`); only the names
//! that a tool looks up tell them apart. So the tool's record, and the functions that it gets by
//! name, are common here and speak the generation that the tool turns out to have. Each
//! generation's callbacks have a file of their own. What must hold: no callback is made before the
//! initializer has returned, because the generation is not certain earlier. An inquiry takes no
//! lock and allocates nothing.

mod call_tool;
mod entry_points;
mod event_numbers;
mod exported;
mod generation;
mod linked;
mod ompt2013_14;
mod ompt2016;
mod own_symbol;
mod restart;
mod start;
mod states;
mod tool;

pub use generation::Generation;
pub use linked::bound;
pub use own_symbol::{meant_by, own_initialize};
pub use restart::after_fork_in_child;
pub use start::{
    Initialize, Started, Support, ask_tool, finish, start_initialize, start_tool,
    support_without_tool,
};

use omphalos_events::Event;
use tool::{Phase, tool};

/// Tells an event to a tool of any of these generations: the subscriber function.
fn tell_event(slot: usize, event: &Event<'_>) {
    match tool(slot).phase() {
        Phase::Initialising => return,
        Phase::Forked if !restart::first_event(slot, event) => return,
        _ => {}
    }
    match tool(slot).generation() {
        Generation::Y2013 | Generation::Y2014 => ompt2013_14::tell_event(slot, event),
        Generation::Y2016Ids | Generation::Y2016Data => ompt2016::tell_event(slot, event),
    }
}
