//! The Collector API of 2007 (OpenMP ARB white paper, `omp_collector_api.h`).
//!
//! The runtime is passive: a client finds the one exported function and sends lists of requests.
//! Clients stand beside OMPT tools and have no data words; a region is known by its id. What must
//! hold: STATE and CURRENT_PRID take no lock and allocate nothing, also while the session changes;
//! a message may say anything without harm to the process.

mod events;
mod message;
mod requests;
mod session;

use core::ffi::{c_int, c_void};

/// `__omp_collector_api`. Nothing here starts the runtime: a session that begins before the
/// program's first contact waits for it, so that the environment that the program sets for itself
/// counts, and tools start when their constructors have run.
pub fn call(message: *mut c_void) -> c_int {
    message::process(message.cast(), requests::answer)
}
