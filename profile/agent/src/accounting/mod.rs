//! Exact accounting: where each thread's time went, from events alone.
//!
//! A thread is in one [`Class`] at every moment; [`Books::settle`] books the time since the last
//! event to the class that held.
//!
//! | file | what |
//! |---|---|
//! | `class` | the classes, and what else is counted |
//! | `table`, `sites` | counters by site |
//! | `pace` | which events are timed |
//! | `counts` | tasks that the runtime counts |
//! | `summed`, `passed` | regions that the runtime adds up, and barriers in them |
//! | `account` | a thread's account, as all may read it |
//! | `books` | the same as its owner writes it |
//! | `untimed` | the estimated part of it |
//! | `mutex`, `construct`, `tasks`, `target` | what a thread has begun of each, and their sites |
//! | `region` | instances of regions, and what they come to |
//! | `place` | where a thread is |
//! | `mpi` | what a thread calls of MPI |
//! | `ledger` | all that is booked of a thread |
//! | `context`, `stack` | an implicit task on a thread, and the stack of them |
//!
//! `region`, `place` and `ledger` know each other: a thread is in a region, and a region asks its
//! team's threads what they wait for.

mod account;
mod books;
mod class;
pub mod construct;
pub mod context;
pub mod counts;
pub mod holding;
pub mod ledger;
pub mod mpi;
pub mod mutex;
pub mod pace;
pub mod passed;
pub mod place;
pub mod region;
pub mod sites;
pub mod stack;
pub mod summed;
pub mod table;
pub mod target;
pub mod tasks;
mod untimed;

pub use account::{Account, Apart};
pub use books::Books;
pub use class::{
    CLASSES, COUNTERS, CREATED, Class, Counters, EXECUTED, IMPLEMENTATION_BARRIERS, QUEUED,
    QUEUED_SERIAL, TASK_WORK,
};
