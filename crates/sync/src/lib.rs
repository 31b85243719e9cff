//! Small synchronisation algorithms, each argued in prose and model-checked where it can be.
//!
//! * [`cancel`]: the mark of a cancelled construct, and the models of cancellation.
//! * [`census`]: whether anybody of many has a task.
//! * [`chain`]: blocks for numbered things, without waiting for those who lag.
//! * [`claim`]: who sets a worksharing construct up.
//! * [`completion`]: a detached task's two ends.
//! * [`count`]: how many tasks somebody still waits for.
//! * [`dependents`]: who waits for a task to be done.
//! * [`deque`]: the work-stealing deque behind a team member's tasks.
//! * [`gate`]: one thread's sleeping place; everybody who wakes it goes through here.
//! * [`partial`]: a partial result on its way to a partner.
//! * [`process_lock`]: the locks of the process, and what `fork` does with them.
//! * [`ranges`]: the parts of a loop, and stealing from them.
//! * [`returns`]: things that others bring home.
//! * [`settled`]: a value that is made when first asked for, without waiting.
//! * [`shares`]: shares of work that one thread executes while others take halves.
//! * [`sleepers`]: threads that sleep for a reason, and who wakes them.
//! * [`spin`]: how long to spin before going there.
//! * [`tally`]: whether a small team has tasks left.
//! * [`tree`]: the combining tree behind barrier and join of larger teams.
//! * [`turns`]: parties that exclude each other without sleeping.
//! * [`word_lock`]: the mutex of one 32-bit word behind critical sections, locks and atomics.
//! * [`nest_lock`]: the lock of one 64-bit word that its owner may take again.
//!
//! What must hold: no allocation (but for a deque and a chain that grow, and holds of a nest lock
//! beyond 2^18), no thread-local state, no knowledge of teams or tools. Under `cfg(loom)` the
//! atomics come from loom and the futex is modelled with real sleepers.

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
pub mod nest_lock;
pub mod partial;
#[cfg(not(loom))]
pub mod process_lock;
pub mod ranges;
#[cfg(all(test, loom))]
mod resting;
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
