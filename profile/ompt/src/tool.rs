//! What a tool is.

#[allow(unused_imports)] // Named in what is said of `Tool::recorded`.
use crate::device::Device;
use crate::device::Record;
use crate::event::*;
use crate::events::Events;
use crate::host::Host;
use crate::kinds::Answer;
use core::ffi::{CStr, c_int};

/// What a runtime says of itself when it asks for a tool.
#[derive(Clone, Copy, Debug)]
pub struct Runtime<'a> {
    /// The value of its `_OPENMP`, as 202411.
    pub openmp: u32,
    /// Its name and version.
    pub name: &'a CStr,
}

/// A tool: make one with [`Tool::start`], hand the type to [`tool!`](crate::tool!), and it is
/// called at each event of [`Tool::EVENTS`].
///
/// Events come on the thread that has them, several at a time: so a tool is `Sync`. A callback may
/// allocate and lock, but each nanosecond in it is the program's. It must not call OpenMP routines.
/// A panic in one is reported once, and the tool is not called again (with `panic = "abort"` the
/// process ends).
pub trait Tool: Sized + Sync + 'static {
    /// The events that the tool is called at. The others cost nothing. More can be asked for, and
    /// some given up, at any time: [`Host::attach_events`] and [`Host::ignore`].
    const EVENTS: Events;

    /// A runtime starts and asks for a tool; `None`: it shall go on without. Called before the
    /// runtime is ready: nothing of OpenMP may be called. A second runtime in the process meets the
    /// tool that the first one made.
    fn start(runtime: Runtime<'_>) -> Option<Self>;

    /// The runtime is ready: from here on [`Host`] can be asked. False: no events after all.
    fn ready(&self, _host: Host) -> bool {
        true
    }

    /// What the runtime answers to the registration of an event, by its number and name.
    fn answered(&self, _number: c_int, _name: &str, _answer: Answer) {}

    /// After the last event: the runtime ends.
    fn end(&self) {}

    /// See [`ThreadBegin`].
    fn thread_begin(&self, _event: ThreadBegin<'_>) {}
    /// See [`ThreadEnd`].
    fn thread_end(&self, _event: ThreadEnd<'_>) {}
    /// See [`ParallelBegin`].
    fn parallel_begin(&self, _event: ParallelBegin<'_>) {}
    /// See [`ParallelEnd`].
    fn parallel_end(&self, _event: ParallelEnd<'_>) {}
    /// See [`ImplicitTask`].
    fn implicit_task(&self, _event: ImplicitTask<'_>) {}
    /// See [`TaskCreate`].
    fn task_create(&self, _event: TaskCreate<'_>) {}
    /// See [`TaskSchedule`].
    fn task_schedule(&self, _event: TaskSchedule<'_>) {}
    /// See [`Dependences`].
    fn dependences(&self, _event: Dependences<'_>) {}
    /// See [`TaskDependence`].
    fn task_dependence(&self, _event: TaskDependence<'_>) {}
    /// See [`Work`].
    fn work(&self, _event: Work<'_>) {}
    /// See [`Dispatch`].
    fn dispatch(&self, _event: Dispatch<'_>) {}
    /// See [`Masked`].
    fn masked(&self, _event: Masked<'_>) {}
    /// A construct that synchronises begins or ends; see [`SyncRegion`].
    fn sync_region(&self, _event: SyncRegion<'_>) {}
    /// The waiting in such a construct begins or ends.
    fn sync_region_wait(&self, _event: SyncRegion<'_>) {}
    /// The combining of a reduction begins or ends.
    fn reduction(&self, _event: SyncRegion<'_>) {}
    /// A lock is initialised.
    fn lock_init(&self, _event: MutexAcquire<'_>) {}
    /// A lock is destroyed.
    fn lock_destroy(&self, _event: Mutex<'_>) {}
    /// A mutex is asked for.
    fn mutex_acquire(&self, _event: MutexAcquire<'_>) {}
    /// A mutex is acquired.
    fn mutex_acquired(&self, _event: Mutex<'_>) {}
    /// A mutex is released.
    fn mutex_released(&self, _event: Mutex<'_>) {}
    /// See [`NestLock`].
    fn nest_lock(&self, _event: NestLock<'_>) {}
    /// See [`Flush`].
    fn flush(&self, _event: Flush<'_>) {}
    /// See [`Cancel`].
    fn cancel(&self, _event: Cancel<'_>) {}
    /// See [`ControlTool`]. The answer is what `omp_control_tool` returns; 1 = ignored.
    fn control_tool(&self, _event: ControlTool<'_>) -> c_int {
        1
    }
    /// See [`Error`].
    fn error(&self, _event: Error<'_>) {}
    /// See [`DeviceInitialize`].
    fn device_initialize(&self, _event: DeviceInitialize<'_>) {}
    /// The device with this number is no more.
    fn device_finalize(&self, _device: i32) {}
    /// See [`Target`].
    fn target(&self, _event: Target<'_>) {}
    /// See [`TargetDataOp`].
    fn target_data_op(&self, _event: TargetDataOp<'_>) {}
    /// See [`TargetSubmit`].
    fn target_submit(&self, _event: TargetSubmit<'_>) {}
    /// See [`TargetMap`].
    fn target_map(&self, _event: TargetMap<'_>) {}
    /// See [`DeviceLoad`].
    fn device_load(&self, _event: DeviceLoad<'_>) {}
    /// The code that was loaded under this number is taken from the device.
    fn device_unload(&self, _device: i32, _module: u64) {}
    /// A device's trace has a record, of those that [`Device::start`] asked for: on a thread that
    /// OpenMP does not know, in the order of the trace.
    fn recorded(&self, _device: i32, _record: Record<'_>) {}
}
