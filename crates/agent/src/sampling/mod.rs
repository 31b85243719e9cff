//! Sampling: a timer for each thread, a handler that records where the thread is.
//!
//! | file | what |
//! |---|---|
//! | `signal` | which signal, and putting the handler in place |
//! | `timer` | one POSIX timer for each thread, aimed at that thread |
//! | `handler` | what happens at a tick |
//! | `rest` | sleeping threads are asked less often |
//! | `sampler` | the thread's chunk buffer, its known stacks, its unwinder |
//! | `stacks` | which stacks were written already |
//!
//! What must hold: at a tick nothing is allocated, no lock is taken, `errno` is as before, and the
//! work is bounded.

pub mod handler;
pub mod rest;
pub mod sampler;
pub mod signal;
pub mod stacks;
pub mod timer;
