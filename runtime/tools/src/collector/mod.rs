//! The Collector API of 2007 (OpenMP ARB white paper, `omp_collector_api.h`).
//!
//! The runtime is passive: a client finds the one exported function and sends lists of requests. A
//! client runs beside OMPT tools and has no data words; it knows a region by its id. What must
//! hold: STATE and CURRENT_PRID take no lock and allocate nothing, even while the session changes.
//! No message, whatever it contains, harms the process.

mod events;
mod message;
mod requests;
mod session;

use core::ffi::{c_int, c_void};

/// The body of `__omp_collector_api`. It does not start the runtime. A session that begins before
/// the runtime starts waits for that. So the environment variables that the program sets for itself
/// count, and tools start after their constructors have run.
pub fn call(message: *mut c_void) -> c_int {
    message::process(message.cast(), requests::answer)
}
