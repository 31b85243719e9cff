//! Samples where threads are, without disturbing a system call of theirs.
//!
//! | file | what |
//! |---|---|
//! | `signal` | the choice of the signal, and the installation of the handler |
//! | `timer` | one POSIX timer for each thread, which runs while the thread has its processor |
//! | `handler` | the work at a tick |
//! | `waits` | waits and calls, sampled when they end |
//! | `part` | the part of the run that is measured |
//! | `only` | the regions that are measured alone |
//! | `watch` | a thread that looks at those that sleep |
//!
//! There are four ways to interrupt a thread. A signal by the wall clock, as other profilers send
//! it, ends system calls early. A signal that is sent only after a look at the thread does so to
//! calls that begin in between. The kernel's performance events interrupt user code alone, but most
//! systems refuse them to users, and they cost at each change of threads. The agent uses the
//! fourth, a timer on the thread's own time: every system has it, and its signal interrupts no
//! system call (see `timer`).
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
