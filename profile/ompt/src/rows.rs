//! The events of OMPT, a row each: the structure that a tool gets, and the callbacks that bring it,
//! each with its name among `Events`, the tool's method, its number and its signature.
//!
//! A callback's parameters are the structure's fields, in order. `by hand`: it has others, and the
//! function is in `callbacks.rs`. A field with `=` is cast from that type.

/// Hands all rows to a macro.
macro_rules! rows {
    ($with:ident) => { $with! {
    /// A thread is about to work for the runtime.
    ThreadBegin {
        /// The type of the thread.
        kind: ThreadKind,
        /// The thread's word.
        thread: Word<'a>,
    } => {
        /// See [`ThreadBegin`].
        THREAD_BEGIN thread_begin = ompt_callback_thread_begin: ompt_callback_thread_begin_t;
    }
    /// A thread ends.
    ThreadEnd {
        /// The thread's word.
        thread: Word<'a>,
    } => {
        /// See [`ThreadEnd`].
        THREAD_END thread_end = ompt_callback_thread_end: ompt_callback_thread_end_t;
    }
    /// A parallel region (or a league) is about to be made.
    ParallelBegin {
        /// The encountering task's word.
        task: Word<'a>,
        /// The encountering task's frame.
        frame: LentFrame<'a>,
        /// The region's word.
        region: Word<'a>,
        /// The number of threads (or teams) that were asked for.
        requested: u32,
        /// The caller of the region's code; league or team.
        flags: ParallelFlags,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// See [`ParallelBegin`].
        PARALLEL_BEGIN parallel_begin =
            ompt_callback_parallel_begin: ompt_callback_parallel_begin_t;
    }
    /// A parallel region (or a league) has ended.
    ParallelEnd {
        /// The region's word.
        region: Word<'a>,
        /// The encountering task's word.
        task: Word<'a>,
        /// As at its begin.
        flags: ParallelFlags,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// See [`ParallelEnd`].
        PARALLEL_END parallel_end = ompt_callback_parallel_end: ompt_callback_parallel_end_t;
    }
    /// An initial or implicit task begins or ends.
    ImplicitTask {
        /// Begin or end.
        endpoint: Endpoint,
        /// The region's word; none at the end.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// The number of threads in the team, or of teams in the league.
        team_size: u32,
        /// The thread's number in its team, or the team's in its league.
        index: u32,
        /// Initial or implicit.
        flags: TaskFlags,
    } => {
        /// See [`ImplicitTask`].
        IMPLICIT_TASK implicit_task = ompt_callback_implicit_task: ompt_callback_implicit_task_t;
    }
    /// A task is created.
    TaskCreate {
        /// The encountering task's word.
        encountering: Word<'a>,
        /// The encountering task's frame.
        frame: LentFrame<'a>,
        /// The new task's word.
        task: Word<'a>,
        /// The task's attributes.
        flags: TaskFlags,
        /// Whether dependences follow.
        has_dependences: bool,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// See [`TaskCreate`].
        TASK_CREATE task_create = ompt_callback_task_create: ompt_callback_task_create_t;
    }
    /// A thread leaves one task for another, or an event is fulfilled.
    TaskSchedule {
        /// The task that is left.
        prior: Word<'a>,
        /// The reason.
        status: TaskStatus,
        /// The task that is resumed; none where nothing is switched.
        next: Word<'a>,
    } => {
        /// See [`TaskSchedule`].
        TASK_SCHEDULE task_schedule = ompt_callback_task_schedule: ompt_callback_task_schedule_t;
    }
    /// The dependences of a new task, or a doacross iteration vector.
    Dependences {
        /// The task's word.
        task: Word<'a>,
        /// The dependences, in the order of the source.
        list: DependenceList<'a>,
    } by hand => {
        /// See [`Dependences`].
        DEPENDENCES dependences = ompt_callback_dependences: ompt_callback_dependences_t;
    }
    /// One task waits for another one.
    TaskDependence {
        /// The word of the one that comes first.
        source: Word<'a>,
        /// The word of the one that waits.
        sink: Word<'a>,
    } => {
        /// See [`TaskDependence`].
        TASK_DEPENDENCE task_dependence =
            ompt_callback_task_dependence: ompt_callback_task_dependence_t;
    }
    /// A worksharing construct begins or ends on a thread.
    Work {
        /// The kind of construct.
        kind: WorkKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The region's word.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// The number of iterations, sections or tasks of the construct.
        count: u64,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// See [`Work`].
        WORK work = ompt_callback_work: ompt_callback_work_t;
    }
    /// A thread begins an iteration, a chunk or a section.
    Dispatch {
        /// The region's word.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// The kind of work that begins.
        kind: DispatchKind,
        /// The iteration, chunk or section.
        instance: Instance,
    } by hand => {
        /// See [`Dispatch`].
        DISPATCH dispatch = ompt_callback_dispatch: ompt_callback_dispatch_t;
    }
    /// A masked region begins or ends.
    Masked {
        /// Begin or end.
        endpoint: Endpoint,
        /// The region's word.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// See [`Masked`].
        MASKED masked = ompt_callback_masked: ompt_callback_masked_t;
    }
    /// A barrier, taskwait, taskgroup or reduction begins or ends; or the waiting in one does.
    SyncRegion {
        /// The kind of construct.
        kind: SyncKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The region's word; none where the region is over already.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// A construct that synchronises begins or ends; see [`SyncRegion`].
        SYNC_REGION sync_region = ompt_callback_sync_region: ompt_callback_sync_region_t;
        /// The waiting in such a construct begins or ends.
        SYNC_REGION_WAIT sync_region_wait =
            ompt_callback_sync_region_wait: ompt_callback_sync_region_t;
        /// The combining of a reduction begins or ends.
        REDUCTION reduction = ompt_callback_reduction: ompt_callback_sync_region_t;
    }
    /// A mutex is asked for, or a lock initialised.
    MutexAcquire {
        /// The kind of mutex.
        kind: MutexKind,
        /// The program's hint.
        hint: u32,
        /// The runtime's kind of implementation.
        implementation: u32,
        /// The mutex.
        wait_id: u64,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// A lock is initialised.
        LOCK_INIT lock_init = ompt_callback_lock_init: ompt_callback_mutex_acquire_t;
        /// A mutex is asked for.
        MUTEX_ACQUIRE mutex_acquire = ompt_callback_mutex_acquire: ompt_callback_mutex_acquire_t;
    }
    /// A mutex is acquired or released, or a lock destroyed.
    Mutex {
        /// The kind of mutex.
        kind: MutexKind,
        /// The mutex.
        wait_id: u64,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// A lock is destroyed.
        LOCK_DESTROY lock_destroy = ompt_callback_lock_destroy: ompt_callback_mutex_t;
        /// A mutex is acquired.
        MUTEX_ACQUIRED mutex_acquired = ompt_callback_mutex_acquired: ompt_callback_mutex_t;
        /// A mutex is released.
        MUTEX_RELEASED mutex_released = ompt_callback_mutex_released: ompt_callback_mutex_t;
    }
    /// The owner of a nest lock takes it again, or gives it back, but not for the last time.
    NestLock {
        /// Taken (begin) or given back (end).
        endpoint: Endpoint,
        /// The lock.
        wait_id: u64,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// See [`NestLock`].
        NEST_LOCK nest_lock = ompt_callback_nest_lock: ompt_callback_nest_lock_t;
    }
    /// A flush.
    Flush {
        /// The thread's word.
        thread: Word<'a>,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// See [`Flush`].
        FLUSH flush = ompt_callback_flush: ompt_callback_flush_t;
    }
    /// A cancellation is asked for or noticed, or a task discarded by one.
    Cancel {
        /// The task's word.
        task: Word<'a>,
        /// The construct, and what happened.
        flags: CancelFlags,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } => {
        /// See [`Cancel`].
        CANCEL cancel = ompt_callback_cancel: ompt_callback_cancel_t;
    }
    /// The program called `omp_control_tool`.
    ControlTool {
        /// 1 start, 2 pause, 3 flush, 4 end; from 64 on the tool's own.
        command: u64,
        /// The tool's own number.
        modifier: u64,
        /// The program's pointer.
        argument: *mut c_void,
        /// See the module above.
        codeptr: u64 = *const c_void,
    } by hand => {}
    /// The program's `error` directive, before its message.
    Error {
        /// Its gravity; a fatal one ends the process without another event.
        severity: Severity,
        /// The program's text.
        message: &'a [u8],
        /// See the module above.
        codeptr: u64,
    } by hand => {
        /// See [`Error`].
        ERROR error = ompt_callback_error: ompt_callback_error_t;
    }
    /// A device is ready.
    DeviceInitialize {
        /// Its number.
        device: i32,
        /// The device's type.
        kind: Option<&'a CStr>,
        /// The device for questions; `None` if the runtime does not trace it.
        traced: Option<Device>,
        /// The runtime's documentation of its tracing.
        documentation: Option<&'a CStr>,
    } by hand => {
        /// See [`DeviceInitialize`].
        DEVICE_INITIALIZE device_initialize =
            ompt_callback_device_initialize: ompt_callback_device_initialize_t;
    }
    /// A device construct begins or ends.
    Target {
        /// The kind of construct.
        kind: TargetKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The device's number.
        device: i32,
        /// The encountering task's word.
        task: Word<'a>,
        /// The target task's word.
        target_task: Word<'a>,
        /// The construct's word.
        target: Word<'a>,
        /// The construct's number where the runtime has no word for it (before 5.1), else 0.
        id: u64,
        /// See the module above.
        codeptr: u64,
    } by hand => {
        /// See [`Target`].
        TARGET target = ompt_callback_target_emi: ompt_callback_target_emi_t;
    }
    /// An operation on device memory begins or ends.
    TargetDataOp {
        /// Begin or end; both at once from a runtime before 5.1.
        endpoint: Endpoint,
        /// The target task's word.
        target_task: Word<'a>,
        /// The construct's word.
        target: Word<'a>,
        /// As in [`Target`].
        id: u64,
        /// The kind of operation.
        kind: DataOpKind,
        /// The source address.
        source: u64,
        /// The source device.
        source_device: i32,
        /// The destination address.
        destination: u64,
        /// The destination device.
        destination_device: i32,
        /// The number of bytes.
        bytes: usize,
        /// See the module above.
        codeptr: u64,
    } by hand => {
        /// See [`TargetDataOp`].
        TARGET_DATA_OP target_data_op =
            ompt_callback_target_data_op_emi: ompt_callback_target_data_op_emi_t;
    }
    /// A kernel is about to run, or has.
    TargetSubmit {
        /// Begin or end; from a runtime before 5.1 only the begin.
        endpoint: Endpoint,
        /// The construct's word.
        target: Word<'a>,
        /// As in [`Target`].
        id: u64,
        /// The number of teams that were asked for.
        requested_teams: u32,
    } by hand => {
        /// See [`TargetSubmit`].
        TARGET_SUBMIT target_submit =
            ompt_callback_target_submit_emi: ompt_callback_target_submit_emi_t;
    }
    /// Variables of a construct are mapped, or no longer.
    TargetMap {
        /// The construct's word.
        target: Word<'a>,
        /// As in [`Target`].
        id: u64,
        /// The variables.
        items: MapItems<'a>,
        /// See the module above.
        codeptr: u64,
    } by hand => {
        /// See [`TargetMap`].
        TARGET_MAP target_map = ompt_callback_target_map_emi: ompt_callback_target_map_emi_t;
    }
    /// Code is loaded onto a device.
    DeviceLoad {
        /// The device's number.
        device: i32,
        /// The file that it comes from, if it comes from one.
        file: Option<&'a CStr>,
        /// The offset in the file; negative if that is not known.
        offset_in_file: i64,
        /// Its virtual address in the file, 0 if it has none.
        address_in_file: u64 = *mut c_void,
        /// The number of bytes.
        bytes: usize,
        /// Its address in the host's memory, 0 if it is not there.
        host_address: u64 = *mut c_void,
        /// Its address on the device, 0 if that is not known.
        device_address: u64 = *mut c_void,
        /// The number by which its unloading is told.
        module: u64,
    } => {
        /// See [`DeviceLoad`].
        DEVICE_LOAD device_load = ompt_callback_device_load: ompt_callback_device_load_t;
    }
    } };
}
