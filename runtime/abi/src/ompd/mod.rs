//! OMPD, OpenMP 5.0 to 6.0 (`omp-tools.h`, `ompd-types.h`): the interface between a debugger and
//! `libompd.so`.
//!
//! Under the names of its specification, the union of the versions. Handles and contexts are
//! opaque: handles belong to the library, contexts to the debugger.
#![allow(non_camel_case_types, non_upper_case_globals)]

mod numbers;

use core::ffi::{c_char, c_int, c_void};

pub use numbers::*;

/// Sizes, in bytes.
pub type ompd_size_t = u64;
/// The object that a thread waits for.
pub type ompd_wait_id_t = u64;
/// An address within a segment.
pub type ompd_addr_t = u64;
/// A signed value.
pub type ompd_word_t = i64;
/// A segment; `ompd_segment_none` where there are none.
pub type ompd_seg_t = u64;
/// A kind of device, `OMPD_DEVICE_KIND_*`.
pub type ompd_device_t = u64;
/// A kind of number that native threads have, `OMPD_THREAD_ID_*`.
pub type ompd_thread_id_t = u64;
/// The number of an ICV, as `ompd_enumerate_icvs` gives it.
pub type ompd_icv_id_t = u64;

/// The segment of an address in a flat memory.
pub const ompd_segment_none: ompd_seg_t = 0;
/// No ICV: where an enumeration starts.
pub const ompd_icv_undefined: ompd_icv_id_t = 0;

/// `OMPD_TYPES_VERSION`, from `ompd-types.h`, the same in 5.0 to 6.0.
pub const OMPD_TYPES_VERSION: u32 = 20_180_906;
/// `pthread_t`.
pub const OMPD_THREAD_ID_PTHREAD: ompd_thread_id_t = 0;
/// The kernel's number.
pub const OMPD_THREAD_ID_LWP: ompd_thread_id_t = 1;
/// A thread of Windows.
pub const OMPD_THREAD_ID_WINTHREAD: ompd_thread_id_t = 2;
/// `ompd_cudathread_coord_t`.
pub const OMPD_THREAD_ID_CUDALOGICAL: ompd_thread_id_t = 3;
/// The host.
pub const OMPD_DEVICE_KIND_HOST: ompd_device_t = 1;
/// A device of CUDA.
pub const OMPD_DEVICE_KIND_CUDA: ompd_device_t = 2;

macro_rules! opaque {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        $($(#[$meta])* #[repr(C)] pub struct $name { _opaque: [u8; 0] })*
    };
}

opaque! {
    /// The library's: a process, a core file, a device.
    ompd_address_space_handle_t,
    /// The library's: a thread.
    ompd_thread_handle_t,
    /// The library's: a parallel region.
    ompd_parallel_handle_t,
    /// The library's: a task.
    ompd_task_handle_t,
    /// The debugger's: a process, a core file, a device.
    ompd_address_space_context_t,
    /// The debugger's: a thread.
    ompd_thread_context_t,
}

/// An address in the target.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ompd_address_t {
    /// The segment.
    pub segment: ompd_seg_t,
    /// The address.
    pub address: ompd_addr_t,
}

/// A frame of a task.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ompd_frame_info_t {
    /// The address.
    pub frame_address: ompd_address_t,
    /// `ompt_frame_flag_t`.
    pub frame_flag: ompd_word_t,
}

/// Sizes of C's types in the target, in bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ompd_device_type_sizes_t {
    /// `char`.
    pub sizeof_char: u8,
    /// `short`.
    pub sizeof_short: u8,
    /// `int`.
    pub sizeof_int: u8,
    /// `long`.
    pub sizeof_long: u8,
    /// `long long`.
    pub sizeof_long_long: u8,
    /// `void *`.
    pub sizeof_pointer: u8,
}

signatures! {
    /// Gives memory of the debugger.
    ompd_callback_memory_alloc_fn_t(nbytes: ompd_size_t, ptr: *mut *mut c_void) -> ompd_rc_t;
    /// Takes it back.
    ompd_callback_memory_free_fn_t(ptr: *mut c_void) -> ompd_rc_t;
    /// Prints for the library.
    ompd_callback_print_string_fn_t(string: *const c_char, category: c_int) -> ompd_rc_t;
    /// Sizes of C's types in the target.
    ompd_callback_sizeof_fn_t(
        address_space_context: *mut ompd_address_space_context_t,
        sizes: *mut ompd_device_type_sizes_t
    ) -> ompd_rc_t;
    /// The address of a symbol.
    ompd_callback_symbol_addr_fn_t(
        address_space_context: *mut ompd_address_space_context_t,
        thread_context: *mut ompd_thread_context_t, symbol_name: *const c_char,
        symbol_addr: *mut ompd_address_t, file_name: *const c_char
    ) -> ompd_rc_t;
    /// Reads memory, or a string.
    ompd_callback_memory_read_fn_t(
        address_space_context: *mut ompd_address_space_context_t,
        thread_context: *mut ompd_thread_context_t, addr: *const ompd_address_t,
        nbytes: ompd_size_t, buffer: *mut c_void
    ) -> ompd_rc_t;
    /// Writes memory.
    ompd_callback_memory_write_fn_t(
        address_space_context: *mut ompd_address_space_context_t,
        thread_context: *mut ompd_thread_context_t, addr: *const ompd_address_t,
        nbytes: ompd_size_t, buffer: *const c_void
    ) -> ompd_rc_t;
    /// Between the target's order of bytes and the debugger's.
    ompd_callback_device_host_fn_t(
        address_space_context: *mut ompd_address_space_context_t, input: *const c_void,
        unit_size: ompd_size_t, count: ompd_size_t, output: *mut c_void
    ) -> ompd_rc_t;
    /// The debugger's context of a native thread.
    ompd_callback_get_thread_context_for_thread_id_fn_t(
        address_space_context: *mut ompd_address_space_context_t, kind: ompd_thread_id_t,
        sizeof_thread_id: ompd_size_t, thread_id: *const c_void,
        thread_context: *mut *mut ompd_thread_context_t
    ) -> ompd_rc_t;
}

/// The functions of the debugger for the library. A debugger may leave fields empty, against the
/// specification: so each is optional here.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct ompd_callbacks_t {
    /// See the type.
    pub alloc_memory: Option<ompd_callback_memory_alloc_fn_t>,
    /// See the type.
    pub free_memory: Option<ompd_callback_memory_free_fn_t>,
    /// See the type.
    pub print_string: Option<ompd_callback_print_string_fn_t>,
    /// See the type.
    pub sizeof_type: Option<ompd_callback_sizeof_fn_t>,
    /// See the type.
    pub symbol_addr_lookup: Option<ompd_callback_symbol_addr_fn_t>,
    /// See the type.
    pub read_memory: Option<ompd_callback_memory_read_fn_t>,
    /// See the type.
    pub write_memory: Option<ompd_callback_memory_write_fn_t>,
    /// See the type.
    pub read_string: Option<ompd_callback_memory_read_fn_t>,
    /// See the type.
    pub device_to_host: Option<ompd_callback_device_host_fn_t>,
    /// See the type.
    pub host_to_device: Option<ompd_callback_device_host_fn_t>,
    /// See the type.
    pub get_thread_context_for_thread_id:
        Option<ompd_callback_get_thread_context_for_thread_id_fn_t>,
}

const _: () = {
    assert!(size_of::<ompd_address_t>() == 16);
    assert!(size_of::<ompd_frame_info_t>() == 24);
    assert!(size_of::<ompd_device_type_sizes_t>() == 6);
    assert!(size_of::<ompd_callbacks_t>() == 88);
};
