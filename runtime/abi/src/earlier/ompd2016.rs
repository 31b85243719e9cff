//! OMPD of 2016 (version 2.001): numbers and structures. `ompd_state_t` has numbers of its own,
//! which no OMPT has.
//!
//! Who uses it: the library `omphalos-ompd-2016`, and `ompd2013.rs` for a structure that both have.
//! What must hold: numbers and layouts are those of `include/ompd-2016.h` (`tests/headers.rs`).
#![allow(non_camel_case_types, non_upper_case_globals)]

use super::numbers;
use core::ffi::{c_char, c_int, c_void};

numbers! {
    ompd_rc_t {
        ompd_rc_ok = 0,
        ompd_rc_unavailable = 1,
        ompd_rc_stale_handle = 2,
        ompd_rc_bad_input = 3,
        ompd_rc_error = 4,
        ompd_rc_unsupported = 5,
        ompd_rc_needs_state_tracking = 6,
        ompd_rc_incompatible = 7,
        ompd_rc_target_read_error = 8,
        ompd_rc_target_write_error = 9,
        ompd_rc_nomem = 10,
    }
    ompd_osthread_kind_t {
        ompd_osthread_pthread = 0,
        ompd_osthread_lwp = 1,
        ompd_osthread_winthread = 2,
    }
    ompd_sched_t {
        ompd_sched_static = 1,
        ompd_sched_dynamic = 2,
        ompd_sched_guided = 3,
        ompd_sched_auto = 4,
        ompd_sched_vendor_lo = 5,
        ompd_sched_vendor_hi = 0x7fffffff,
    }
    ompd_proc_bind_t {
        ompd_proc_bind_false = 0,
        ompd_proc_bind_true = 1,
        ompd_proc_bind_master = 2,
        ompd_proc_bind_close = 3,
        ompd_proc_bind_spread = 4,
    }
    ompd_target_prim_types_t {
        ompd_type_char = 0,
        ompd_type_short = 1,
        ompd_type_int = 2,
        ompd_type_long = 3,
        ompd_type_long_long = 4,
        ompd_type_pointer = 5,
    }
    ompd_state_t {
        ompd_state_work_serial = 0x00,
        ompd_state_work_parallel = 0x01,
        ompd_state_work_reduction = 0x02,
        ompd_state_idle = 0x10,
        ompd_state_overhead = 0x20,
        ompd_state_wait_barrier = 0x40,
        ompd_state_wait_barrier_implicit = 0x41,
        ompd_state_wait_barrier_explicit = 0x42,
        ompd_state_wait_taskwait = 0x50,
        ompd_state_wait_taskgroup = 0x51,
        ompd_state_wait_mutex = 0x60,
        ompd_state_wait_lock = 0x61,
        ompd_state_wait_critical = 0x62,
        ompd_state_wait_atomic = 0x63,
        ompd_state_wait_ordered = 0x64,
        ompd_state_undefined = 0x70,
        ompd_state_first = 0x71,
    }
}

/// An address in the target: the process or the core file that the debugger looks at.
pub type ompd_taddr_t = u64;
/// A value in the target.
pub type ompd_tword_t = i64;
/// The object that a thread waits for.
pub type ompd_wait_id_t = u64;
/// A size. The text uses the name and does not define it: here it is as in OpenMP 5.0.
pub type ompd_size_t = u64;

/// The segment of an address: none.
pub const OMPD_SEGMENT_UNSPECIFIED: u64 = 0;
/// The segment of an address: code.
pub const OMPD_SEGMENT_TEXT: u64 = 1;
/// The segment of an address: data.
pub const OMPD_SEGMENT_DATA: u64 = 2;

pub use super::super::ompd::{
    ompd_address_space_context_t, ompd_address_space_handle_t, ompd_address_t,
    ompd_parallel_handle_t, ompd_task_handle_t, ompd_thread_context_t, ompd_thread_handle_t,
};

/// Sizes of C's types in the target, in bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ompd_target_type_sizes_t {
    /// `char`.
    pub sizeof_char: c_int,
    /// `short`.
    pub sizeof_short: c_int,
    /// `int`.
    pub sizeof_int: c_int,
    /// `long`.
    pub sizeof_long: c_int,
    /// `long long`.
    pub sizeof_long_long: c_int,
    /// `void *`.
    pub sizeof_pointer: c_int,
}

type Space = *mut ompd_address_space_context_t;
type Thread = *mut ompd_thread_context_t;
type Converts = unsafe extern "C" fn(Space, *const c_void, c_int, c_int, *mut c_void) -> ompd_rc_t;

/// The functions of the debugger for the library. Each field is optional, as a debugger may leave
/// one empty.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct ompd_callbacks_t {
    /// Gives memory of the debugger.
    pub d_alloc_memory: Option<unsafe extern "C" fn(ompd_size_t, *mut *mut c_void) -> ompd_rc_t>,
    /// Takes back memory that `d_alloc_memory` gave.
    pub d_free_memory: Option<unsafe extern "C" fn(*mut c_void) -> ompd_rc_t>,
    /// Prints for the library.
    pub print_string: Option<unsafe extern "C" fn(*const c_char) -> ompd_rc_t>,
    /// Sizes of C's types.
    pub t_sizeof_prim_type:
        Option<unsafe extern "C" fn(Space, *mut ompd_target_type_sizes_t) -> ompd_rc_t>,
    /// The address of a symbol.
    pub t_symbol_addr_lookup: Option<
        unsafe extern "C" fn(Space, Thread, *const c_char, *mut ompd_address_t) -> ompd_rc_t,
    >,
    /// Reads memory.
    pub t_read_memory: Option<
        unsafe extern "C" fn(
            Space,
            Thread,
            *const ompd_address_t,
            ompd_tword_t,
            *mut c_void,
        ) -> ompd_rc_t,
    >,
    /// Writes memory.
    pub t_write_memory: Option<
        unsafe extern "C" fn(
            Space,
            Thread,
            *const ompd_address_t,
            ompd_tword_t,
            *const c_void,
        ) -> ompd_rc_t,
    >,
    /// Converts from the target's order of bytes to the debugger's.
    pub target_to_host: Option<Converts>,
    /// Converts from the debugger's order of bytes to the target's.
    pub host_to_target: Option<Converts>,
    /// The debugger's context of a native thread.
    pub get_thread_context_for_osthread: Option<
        unsafe extern "C" fn(
            Space,
            ompd_osthread_kind_t,
            ompd_size_t,
            *const c_void,
            *mut Thread,
        ) -> ompd_rc_t,
    >,
    /// The debugger's context of a thread's process.
    pub get_address_space_context_for_thread:
        Option<unsafe extern "C" fn(Thread, *mut Space) -> ompd_rc_t>,
}

const _: () = {
    assert!(size_of::<ompd_target_type_sizes_t>() == 24);
    assert!(size_of::<ompd_callbacks_t>() == 88);
};
