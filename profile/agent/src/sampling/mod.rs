//! Sampling: where threads are, without a system call of theirs being disturbed.
//!
//! | file | what |
//! |---|---|
//! | `signal` | which signal, and putting the handler in place |
//! | `timer` | one POSIX timer for each thread, which runs while the thread has its processor |
//! | `handler` | what happens at a tick |
//! | `waits` | waits and calls, sampled when they end |
//! | `part` | which part of the run is measured |
//! | `only` | the regions that are measured alone |
//! | `watch` | a thread that looks at those that sleep |
//!
//! Four ways to look were weighed. A signal at a time of day, as profilers send it, ends system
//! calls early. One that is sent only after a look at what the thread does still meets those that
//! begin in between. The kernel's performance events interrupt user code alone, but are refused to
//! users on most systems, and cost at each change of threads. A timer on the thread's own time is
//! there everywhere, and its signal meets no system call: see `timer`. So this is the one.
//!
//! What must hold: at a tick nothing is allocated, no lock is taken, `errno` is as before, and the
//! work is bounded.

pub mod handler;
pub mod only;
pub mod part;
pub mod signal;
pub mod timer;
pub mod waits;
pub mod watch;
