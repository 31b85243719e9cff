//! The artifact: everything that goes into `libomphalos.so`, and its constructor and destructor.
//!
//! `cargo xtask build` links this static library into the shared one; `symbols/` lists that one's
//! exports. What must hold: the constructor starts nothing and prints nothing (the runtime starts
//! with the first thread that needs it). It only does early some work for which that thread would
//! wait, and lists the libraries that debuggers look for. The destructor ends the tools, once.

mod debuggers;
mod described;
mod line;
mod memory;
mod panic;

use core::ffi::{c_int, c_void};
pub use omphalos_capi;

extern "C" fn construct() {
    omphalos_engine::process::prepare();
    omphalos_capi::gomp::plugins::offer();
    debuggers::say_where();
}

extern "C" fn destruct() {
    omphalos_engine::process::finish();
}

/// The Collector API of 2007: answers a list of requests in place (`omphalos_tools::collector`). 0
/// if the list was read to its end, -1 otherwise. Async-signal-safe if every request is.
///
/// # Safety
/// `message` points to a list of entries that the caller owns, as `omp_collector_api.h` describes
/// it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __omp_collector_api(message: *mut c_void) -> c_int {
    omphalos_tools::collector::call(message)
}

#[used]
#[unsafe(link_section = ".init_array")]
static CONSTRUCT: extern "C" fn() = construct;

#[used]
#[unsafe(link_section = ".fini_array")]
static DESTRUCT: extern "C" fn() = destruct;
