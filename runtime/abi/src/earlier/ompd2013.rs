//! OMPD of April 2013: numbers and structures. Three of its return codes have the prefix `ompt_` in
//! the text. The text uses other types without a definition; here these have the meaning that
//! follows from their use.
#![allow(non_camel_case_types, non_upper_case_globals)]

use super::numbers;
use core::ffi::{c_char, c_int, c_void};

numbers! {
    ompd_rc_t {
        ompd_rc_ok = 0,
        ompd_rc_unavailable = 1,
        ompd_rc_stale_handle = 2,
        ompt_rc_bad_input = 3,
        ompt_rc_error = 4,
        ompt_rc_unsupported = 5,
        ompd_rc_needs_state_tracking = 6,
    }
    ompd_osthread_kind_t {
        ompd_osthread_pthread = 0,
        ompd_osthread_lwp = 1,
    }
}

pub use super::ompd2016::ompd_target_type_sizes_t;

/// An address.
pub type ompd_taddr_t = u64;
/// A value.
pub type ompd_tword_t = i64;
/// A thread; handles are values in this generation, 0 for none.
pub type ompd_thread_handle_t = u64;
/// A parallel region.
pub type ompd_parallel_handle_t = u64;
/// A task.
pub type ompd_task_handle_t = u64;
/// A type; the text also says `ompd_ttype_handle_t`.
pub type ompd_type_handle_t = u64;
/// Used and not defined by the text.
pub type ompd_parallel_id_t = u64;
/// Used and not defined by the text: `true` or `false`.
pub type ompd_enable_setting_t = c_int;

/// The debugger's: a process or a core file.
#[repr(C)]
pub struct ompd_context_t {
    _opaque: [u8; 0],
}

/// A native thread.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ompd_osthread_t {
    /// The kind of number that `data` has.
    pub kind: ompd_osthread_kind_t,
    /// `pthread` or `lwp`.
    pub data: i64,
}

/// The addresses for breakpoints.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ompd_breakpoints_t {
    /// Before a region is executed.
    pub parallel_pre_execute: ompd_taddr_t,
    /// After it.
    pub parallel_post_execute: ompd_taddr_t,
    /// Before a task is executed.
    pub task_pre_execute: ompd_taddr_t,
    /// After it.
    pub task_post_execute: ompd_taddr_t,
}

type Context = *mut ompd_context_t;
type Accesses =
    unsafe extern "C" fn(Context, *mut ompd_taddr_t, *mut c_void, ompd_tword_t) -> ompd_rc_t;

/// The functions of the debugger for the library. The debugger fills them in when the library asks
/// (`ompd_initialize`, a function of the debugger's).
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct ompd_callbacks_t {
    /// Gives memory of the debugger.
    pub d_alloc_memory: Option<unsafe extern "C" fn(Context, usize, *mut *mut c_void) -> ompd_rc_t>,
    /// Takes it back.
    pub d_free_memory: Option<unsafe extern "C" fn(Context, *mut c_void) -> ompd_rc_t>,
    /// The debugger's word for an error.
    pub get_error_string:
        Option<unsafe extern "C" fn(Context, c_int, *mut *const c_char) -> ompd_rc_t>,
    /// Prints for the library.
    pub print_string: Option<unsafe extern "C" fn(Context, *const c_char) -> ompd_rc_t>,
    /// Sizes of C's types.
    pub t_sizeof_prim_type:
        Option<unsafe extern "C" fn(Context, *mut ompd_target_type_sizes_t) -> ompd_rc_t>,
    /// The address of a symbol.
    pub t_symbol_addr_lookup:
        Option<unsafe extern "C" fn(Context, *const c_char, *mut ompd_taddr_t) -> ompd_rc_t>,
    /// A type.
    pub t_type_lookup:
        Option<unsafe extern "C" fn(Context, *const c_char, *mut ompd_type_handle_t) -> ompd_rc_t>,
    /// The size of a type.
    pub t_type_sizeof: Option<
        unsafe extern "C" fn(Context, *mut ompd_type_handle_t, *mut ompd_tword_t) -> ompd_rc_t,
    >,
    /// The offset of a field of a type.
    pub t_type_field_offset: Option<
        unsafe extern "C" fn(
            Context,
            *mut ompd_type_handle_t,
            *const c_char,
            *mut ompd_tword_t,
        ) -> ompd_rc_t,
    >,
    /// Reads memory.
    pub t_read_memory: Option<Accesses>,
    /// Writes memory.
    pub t_write_memory: Option<Accesses>,
    /// From the target's order of bytes to the debugger's.
    pub target_to_host:
        Option<unsafe extern "C" fn(Context, *const c_void, *mut c_void, c_int) -> ompd_rc_t>,
}

const _: () = {
    assert!(size_of::<ompd_osthread_t>() == 16);
    assert!(size_of::<ompd_breakpoints_t>() == 32);
    assert!(size_of::<ompd_callbacks_t>() == 96);
};
