//! Runs `target` regions on the host. `capi` calls it.
//!
//! What must hold: the region's code sees an initial task (OpenMP 5.2, section 13.8): one thread,
//! no region around it, the ICVs of the device and not those of the encountering task.

mod construct;
pub mod devices;
pub mod library;
pub mod played;

pub use crate::records::{Construct, Site};
pub(crate) use construct::current;
pub use construct::{Ends, construct, data_op};
pub(crate) use library::devices;

use crate::records::Thread;
use crate::{hooks, team};
use omphalos_events::{Endpoint, State};
use omphalos_settings::settings;
use omphalos_sys::entry::Caller;

/// Runs a region on the calling thread. `thread_limit`: the number in its clause, 0 = no clause.
pub fn run(thread: &'static Thread, thread_limit: u32, caller: Caller, region: impl FnOnce()) {
    team::enter_target(thread, caller.address(), thread_limit, settings().initial);
    let state = thread.replace_state(State::WORK_SERIAL);
    let shown = omphalos_events::active();
    if shown {
        hooks::target_task(thread, Endpoint::Begin);
    }
    crate::enable::pass(omphalos_sys::debugger::target_begin);
    region();
    team::finish_alone(thread);
    crate::enable::pass(omphalos_sys::debugger::target_end);
    if shown {
        hooks::target_task(thread, Endpoint::End);
    }
    team::leave_target(thread);
    thread.set_state(state);
}

/// Ends the devices, because the runtime ends.
pub(crate) fn end() {
    played::end();
    if library::has_any() {
        omphalos_sys::debugger::device_end();
    }
}
