//! Taskgraphs: `__kmpc_start_record_task` and `__kmpc_end_record_task`.
//!
//! The engine records and repeats (`taskgraph.rs`); `steps.rs` explains LLVM's structures to it. A
//! task cannot be made twice if it is detachable or if its private data have destructors.

mod steps;

use super::taskloop::Construct;
use crate::shared::location::Ident;
use crate::shared::waiting::{begin_group, end_group};
pub use omphalos_engine::taskgraph::{
    allocated, forget_waits, group_begun, group_ended, waited, waited_for,
};
use omphalos_engine::tasks::{Depend, Task};
use omphalos_engine::{Thread, caller, taskgraph};
pub use steps::Registration;
use steps::{Loop, Made, Pattern, Undeferred};

/// The flag that asks for a new record (`re_record`).
const ANEW: i32 = 2;

/// Notes that the current task makes `task`.
#[inline(always)]
pub fn made(thread: &Thread, task: &Task, depends: &[Depend]) {
    taskgraph::made(thread, move || {
        let pattern = Pattern::of(task)?;
        Some(Box::new(Made { pattern, depends: depends.to_vec() }))
    });
}

/// Notes that the current task begins the undeferred `task`, whose body the program calls.
#[inline(always)]
pub fn begun(thread: &Thread, task: &Task) {
    taskgraph::begun(thread, move || Some(Box::new(Undeferred(Pattern::of(task)?))));
}

/// Notes that the current task comes to a taskloop whose pattern is `task`.
#[inline(always)]
pub fn looped(thread: &Thread, task: &Task, construct: &Construct) {
    taskgraph::made(thread, move || {
        Some(Box::new(Loop { pattern: Pattern::of(task)?, construct: *construct }))
    });
}

/// Notes that the current task registers reductions with its taskgroup.
#[inline(always)]
pub fn reduced(registration: impl FnOnce() -> Registration) {
    taskgraph::done(|| Box::new(registration()));
}

/// 1: the program has to execute the region's code. 0: the recorded steps were repeated.
unsafe extern "C" fn start(_location: *const Ident, _gtid: i32, flags: i32, id: i32) -> i32 {
    let caller = caller();
    begin_group(caller);
    i32::from(taskgraph::begin(Thread::current(), id, flags & ANEW != 0, caller))
}

unsafe extern "C" fn end(_location: *const Ident, _gtid: i32, _flags: i32, id: i32) {
    let caller = caller();
    taskgraph::end(Thread::current(), id);
    end_group(caller);
}

omphalos_sys::entries! {
    /// Begins a taskgraph region: location, thread, flags, number of the graph.
    __kmpc_start_record_task => start;
    /// Ends it, and waits for its tasks.
    __kmpc_end_record_task => end;
}
