//! Small synchronisation algorithms, each argued in prose and model-checked where it can be.
//!
//! * [`cancel`]: the mark of a cancelled construct, and the models of cancellation.
//! * [`census`]: whether any of many members has a task.
//! * [`chain`]: blocks for numbered things; a member that is ahead waits for none that lags.
//! * [`claim`]: the member that sets a worksharing construct up.
//! * [`completion`]: a detached task's two ends.
//! * [`count`]: how many tasks a thread still has to wait for.
//! * [`dependents`]: the list of those that wait for a task to be done.
//! * [`deque`]: the work-stealing deque behind a team member's tasks.
//! * [`gate`]: one thread's sleeping place, through which every waker goes.
//! * [`partial`]: a partial result on its way to a partner.
//! * [`process_lock`]: the locks of the process, and their state after a `fork`.
//! * [`ranges`]: the parts of a loop, and stealing from them.
//! * [`returns`]: things that other threads bring back to their owner.
//! * [`settled`]: a value that is made when a thread first asks for it, without a wait.
//! * [`shares`]: shares of work that one thread executes while others take halves.
//! * [`sleepers`]: threads that sleep for a reason, and their wakers.
//! * [`spin`]: the spinning before a sleep.
//! * [`tally`]: whether a small team has tasks left.
//! * [`tree`]: the combining tree behind barrier and join of larger teams.
//! * [`turns`]: parties that exclude each other without sleeping.
//! * [`word_lock`]: the mutex of one 32-bit word behind critical sections, locks and atomics.
//! * [`nest_lock`]: the lock of one 64-bit word that its owner may take again.
//!
//! What must hold: this crate allocates nothing (except for a deque and a chain that grow, and for
//! more than 2^18 holds of a nest lock), has no thread-local state, and knows no teams or tools.
//! Under `cfg(loom)` the atomics come from loom, and the futex is modelled with threads that really
//! sleep.

pub mod cancel;
pub mod census;
pub mod chain;
pub mod claim;
pub mod completion;
pub mod count;
mod deep_holds;
pub mod dependents;
pub mod deque;
pub mod gate;
#[cfg(all(test, loom))]
mod gate_sleep;
pub mod nest_lock;
pub mod partial;
#[cfg(not(loom))]
pub mod process_lock;
pub mod ranges;
pub mod returns;
#[cfg(not(loom))]
pub mod settled;
pub mod shares;
pub mod shim;
pub mod sleepers;
pub mod spin;
pub mod tally;
pub mod tree;
pub mod turns;
pub mod word_lock;
