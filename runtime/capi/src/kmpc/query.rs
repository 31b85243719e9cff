//! Numbers of threads and teams, and calls that need nothing done.

use crate::shared::location::Ident;
use core::ffi::{c_char, c_void};
use omphalos_engine::{Task, Thread};
use omphalos_events::TaskFlags;
use omphalos_sys::clock;

omphalos_sys::exported_routines! {
    /// The calling thread's number in the process.
    __kmpc_global_thread_num(_location: *const Ident) -> i32 = Thread::current().gtid;
    /// How many OpenMP threads the process has.
    __kmpc_global_num_threads(_location: *const Ident) -> i32 = {
        Thread::current();
        omphalos_engine::threads::live() as i32
    };
    /// The calling thread's number in its team.
    __kmpc_bound_thread_num(_location: *const Ident) -> i32 = Thread::current().num.get() as i32;
    /// The size of the current team.
    __kmpc_bound_num_threads(_location: *const Ident) -> i32
        = Thread::current().team().size.get() as i32;
    /// Whether the calling thread is in an active region.
    __kmpc_in_parallel(_location: *const Ident) -> i32
        = i32::from(Thread::current().team().active_level.get() > 0);
    /// Start of an OpenMP program: nothing to do, the first construct starts the runtime.
    __kmpc_begin(_location: *const Ident, _flags: i32) = ();
    /// End of an OpenMP program: nothing to do.
    __kmpc_end(_location: *const Ident) = ();
}

/// Returns the number that stands for a task in [`__kmpc_get_taskid`].
fn id(task: *const Task) -> u64 {
    task as usize as u64
}

omphalos_sys::exported_routines! {
    /// A number for the current task that no other task has while it lives; 0 on a thread that
    /// OpenMP does not know.
    __kmpc_get_taskid() -> u64 = Thread::known().map_or(0, |thread| id(thread.task.get()));
    /// The number of the task that made the current one; 0 if there is none.
    __kmpc_get_parent_taskid() -> u64
        = Thread::known().map_or(0, |thread| id(thread.task().parent.get()));
}

/// Returns the current task's structure, if LLVM's code made the task; else null.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_get_current_task(_gtid: i32) -> *mut c_void {
    match Thread::known().map(Thread::task) {
        Some(task) if task.flags.get() & TaskFlags::EXPLICIT != 0 => task.payload(),
        _ => core::ptr::null_mut(),
    }
}

omphalos_sys::exported_routines! {
    /// Whether a target task may leave the thread while its device works: no, it waits.
    __kmpc_omp_has_task_team(_gtid: i32) -> bool = false;
    /// The address of the word in which a target task keeps its device's work: null, since the task
    /// waits.
    __kmpc_omp_get_target_async_handle_ptr(_gtid: i32) -> *mut *mut c_void = core::ptr::null_mut();
    /// Intel: nanoseconds of the monotonic clock.
    __kmpc_get_timestamp() -> u64 = clock::nanoseconds();
    /// Intel: the number of the device that the program knows as `device`: devices are not
    /// renumbered.
    __kmpc_get_offload_device_num(device: i32) -> i32 = device;
    /// Intel: sets the traits by which a program chooses among devices; there is no device.
    __kmpc_set_device_trait(
        _count: i32, _kinds: *const *const c_char, _isas: *const *const c_char,
        _archs: *const *const c_char, _vendors: *const *const c_char
    ) = ();
    /// Intel: a variable's value for a device; null, since there is none.
    __kmpc_getenv_device(_name: *const c_char, _device: i32) -> *const c_char = core::ptr::null();
    /// Intel: the size of a block of group memory on a device; 0 on the host.
    ompx_get_dyn_cgroup_mem() -> *mut c_void = core::ptr::null_mut();
}
