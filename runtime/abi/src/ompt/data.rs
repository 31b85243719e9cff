//! The structures that tools and the runtime share in memory, OpenMP 6.0 `omp-tools.h`.

use super::enums::*;
use core::ffi::{c_int, c_void};

/// An id that the runtime gave out; 0 ([`ompt_id_none`]) is none.
pub type ompt_id_t = u64;
/// The object that a thread waits for; 0 ([`ompt_wait_id_none`]) is none.
pub type ompt_wait_id_t = u64;
/// A hardware abstraction in a trace record.
pub type ompt_hwid_t = u64;
/// A time stamp of a device; 0 ([`ompt_time_none`]) is none.
pub type ompt_device_time_t = u64;
/// A place in a trace buffer.
pub type ompt_buffer_cursor_t = u64;
/// A device, opaque.
pub type ompt_device_t = c_void;
/// A trace buffer, opaque.
pub type ompt_buffer_t = c_void;

/// No id.
pub const ompt_id_none: ompt_id_t = 0;
/// No time.
pub const ompt_time_none: ompt_device_time_t = 0;
/// No hardware abstraction.
pub const ompt_hwid_none: ompt_hwid_t = 0;
/// No device address.
pub const ompt_addr_none: u64 = !0;
/// The value from which the enumeration of mutex implementations starts.
pub const ompt_mutex_impl_none: c_int = 0;
/// No object is waited for.
pub const ompt_wait_id_none: ompt_wait_id_t = 0;
/// An empty data word.
pub const ompt_data_none: ompt_data_t = ompt_data_t { value: 0 };

/// One word of the tool's own, on a thread, a region, a task or the tool itself.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ompt_data_t {
    /// As a number.
    pub value: u64,
    /// As a pointer.
    pub ptr: *mut c_void,
}

/// The places on the stack where a task's user code meets the runtime's frames.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_frame_t {
    /// The first frame of the task's user code; none for the initial task.
    pub exit_frame: ompt_data_t,
    /// The frame from which the task's user code entered the runtime; none while it runs user code.
    pub enter_frame: ompt_data_t,
    /// [`ompt_frame_flag_t`] of `exit_frame`.
    pub exit_frame_flags: c_int,
    /// [`ompt_frame_flag_t`] of `enter_frame`.
    pub enter_frame_flags: c_int,
}

/// One dependence of a task, or one element of a doacross iteration vector.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_dependence_t {
    /// The address of the list item, or the element's value.
    pub variable: ompt_data_t,
    /// The type of the dependence.
    pub dependence_type: ompt_dependence_type_t,
}

/// A chunk of iterations; `instance.ptr` of a dispatch event points to it (since 5.2).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ompt_dispatch_chunk_t {
    /// The first logical iteration.
    pub start: u64,
    /// The number of iterations.
    pub iterations: u64,
}

/// A rectangular part of a device array (since 6.0).
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct ompt_subvolume_t {
    pub base: *const c_void,
    pub size: u64,
    pub num_dims: u64,
    pub volume: *const u64,
    pub offsets: *const u64,
    pub dimensions: *const u64,
}

const _: () = {
    use core::mem::{offset_of, size_of};
    assert!(size_of::<ompt_data_t>() == 8);
    assert!(size_of::<ompt_frame_t>() == 24);
    assert!(offset_of!(ompt_frame_t, enter_frame) == 8);
    assert!(offset_of!(ompt_frame_t, exit_frame_flags) == 16);
    assert!(offset_of!(ompt_frame_t, enter_frame_flags) == 20);
    assert!(size_of::<ompt_dependence_t>() == 16);
    assert!(offset_of!(ompt_dependence_t, dependence_type) == 8);
    assert!(size_of::<ompt_dispatch_chunk_t>() == 16);
    assert!(size_of::<ompt_subvolume_t>() == 48);
    assert!(size_of::<super::ompt_start_tool_result_t>() == 24);
};
