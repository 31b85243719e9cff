//! Asks the runtime for the calling thread's state and task, when no event has told them.

pub use crate::accounting::pace::Current;
use omphalos_ompt::{Host, Level, State};

/// Returns the calling thread's state by OMPT's number, and its wait id; serial work if no runtime
/// can say. Async-signal-safe: OMPT says so of the entry point.
pub fn state() -> (u32, u64) {
    match Host::get().try_state() {
        Some((state, wait_id)) => (state.number() as u32, wait_id),
        None => (State::WorkSerial.number() as u32, 0),
    }
}

/// Returns the calling thread's current task. Async-signal-safe.
pub fn current_task() -> Current {
    let found = Host::get().task(0, |info| Current {
        name: info.task.address(),
        word: info.task.get(),
        flags: info.flags.bits(),
    });
    match found {
        Level::Known(task) => task,
        Level::NotNow | Level::None => Current::default(),
    }
}
