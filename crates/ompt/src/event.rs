//! What the callbacks tell: one structure for each event, the parameters of OMPT's callback of that
//! name with their types made safe.
//!
//! `codeptr` is the address that the call into the runtime returns to, 0 where there is none: the
//! construct's place in the program. Words and frames are good inside the callback only, as the
//! lifetimes say.

use crate::kinds::*;
use crate::word::{Frame, Word};
use core::ffi::{CStr, c_int, c_void};
use omphalos_abi::ompt::{ompt_dependence_t, ompt_dispatch_chunk_t, ompt_frame_t};

/// A frame that the runtime lends.
#[derive(Clone, Copy, Debug)]
pub struct LentFrame<'a>(
    pub(crate) *const ompt_frame_t,
    pub(crate) core::marker::PhantomData<&'a ()>,
);

impl LentFrame<'_> {
    /// The frame, if the runtime gave one.
    #[inline]
    pub fn read(self) -> Option<Frame> {
        // SAFETY: null or the runtime's frame, good for the callback.
        unsafe { Frame::read(self.0) }
    }
}

macro_rules! event {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'a> {
            $($(#[$field_meta])* pub $field: $type,)*
            pub(crate) inside: core::marker::PhantomData<&'a ()>,
        }
    };
}

event! {
    /// A thread is about to work for the runtime.
    ThreadBegin {
        /// What it is.
        kind: ThreadKind,
        /// The thread's word.
        thread: Word<'a>,
    }
}
event! {
    /// A thread ends.
    ThreadEnd {
        /// The thread's word.
        thread: Word<'a>,
    }
}
event! {
    /// A parallel region (or a league) is about to be made.
    ParallelBegin {
        /// The encountering task's word.
        task: Word<'a>,
        /// The encountering task's frame.
        frame: LentFrame<'a>,
        /// The region's word.
        region: Word<'a>,
        /// Threads (or teams) that were asked for.
        requested: u32,
        /// Who calls the region's code; league or team.
        flags: ParallelFlags,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// A parallel region (or a league) has ended.
    ParallelEnd {
        /// The region's word.
        region: Word<'a>,
        /// The encountering task's word.
        task: Word<'a>,
        /// As at its begin.
        flags: ParallelFlags,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// An initial or implicit task begins or ends.
    ImplicitTask {
        /// Which of the two.
        endpoint: Endpoint,
        /// The region's word; none at the end.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// Threads of the team, or teams of the league.
        team_size: u32,
        /// The thread's number in its team, or the team's in its league.
        index: u32,
        /// Initial or implicit.
        flags: TaskFlags,
    }
}
event! {
    /// A task is created.
    TaskCreate {
        /// The encountering task's word.
        encountering: Word<'a>,
        /// The encountering task's frame.
        frame: LentFrame<'a>,
        /// The new task's word.
        task: Word<'a>,
        /// What it is.
        flags: TaskFlags,
        /// Whether dependences follow.
        has_dependences: bool,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// A thread leaves one task for another, or an event is fulfilled.
    TaskSchedule {
        /// The task that is left.
        prior: Word<'a>,
        /// Why.
        status: TaskStatus,
        /// The task that is resumed; none where nothing is switched.
        next: Word<'a>,
    }
}
event! {
    /// The dependences of a new task, or a doacross iteration vector.
    Dependences {
        /// The task's word.
        task: Word<'a>,
        /// In the order of the source.
        list: DependenceList<'a>,
    }
}
event! {
    /// One task waits for another one.
    TaskDependence {
        /// The word of the one that comes first.
        source: Word<'a>,
        /// The word of the one that waits.
        sink: Word<'a>,
    }
}
event! {
    /// A worksharing construct begins or ends on a thread.
    Work {
        /// Which construct.
        kind: WorkKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The region's word.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// Iterations, sections or tasks, as the construct has them.
        count: u64,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// A thread begins an iteration, a chunk or a section.
    Dispatch {
        /// The region's word.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// What begins.
        kind: DispatchKind,
        /// Which one.
        instance: Instance,
    }
}
event! {
    /// A masked region begins or ends.
    Masked {
        /// Begin or end.
        endpoint: Endpoint,
        /// The region's word.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// A barrier, taskwait, taskgroup or reduction begins or ends; or the waiting in one does.
    SyncRegion {
        /// Which construct.
        kind: SyncKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The region's word; none where the region is over already.
        region: Word<'a>,
        /// The task's word.
        task: Word<'a>,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// A mutex is asked for, or a lock initialised.
    MutexAcquire {
        /// What it is.
        kind: MutexKind,
        /// The program's hint.
        hint: u32,
        /// The runtime's kind of implementation.
        implementation: u32,
        /// The mutex.
        wait_id: u64,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// A mutex is acquired or released, or a lock destroyed.
    Mutex {
        /// What it is.
        kind: MutexKind,
        /// The mutex.
        wait_id: u64,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// The owner of a nest lock takes it again, or gives it back but not for the last time.
    NestLock {
        /// Taken (begin) or given back (end).
        endpoint: Endpoint,
        /// The lock.
        wait_id: u64,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// A flush.
    Flush {
        /// The thread's word.
        thread: Word<'a>,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// A cancellation is asked for or noticed, or a task discarded by one.
    Cancel {
        /// The task's word.
        task: Word<'a>,
        /// What, and what happened.
        flags: CancelFlags,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// The program called `omp_control_tool`.
    ControlTool {
        /// 1 start, 2 pause, 3 flush, 4 end; from 64 on the tool's own.
        command: u64,
        /// The tool's own.
        modifier: u64,
        /// The program's pointer.
        argument: *mut c_void,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// The program's `error` directive, before its message.
    Error {
        /// How grave; a fatal one ends the process without another event.
        severity: Severity,
        /// The program's text.
        message: &'a [u8],
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// A device is ready.
    DeviceInitialize {
        /// Its number.
        device: i32,
        /// What it is.
        kind: Option<&'a CStr>,
    }
}
event! {
    /// A device construct begins or ends.
    Target {
        /// Which construct.
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
        /// See the module.
        codeptr: u64,
    }
}
event! {
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
        /// Which operation.
        kind: DataOpKind,
        /// From where.
        source: u64,
        /// On which device.
        source_device: i32,
        /// To where.
        destination: u64,
        /// On which device.
        destination_device: i32,
        /// How much.
        bytes: usize,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// A kernel is about to run, or has.
    TargetSubmit {
        /// Begin or end; from a runtime before 5.1 only the begin.
        endpoint: Endpoint,
        /// The construct's word.
        target: Word<'a>,
        /// As in [`Target`].
        id: u64,
        /// Teams that were asked for.
        requested_teams: u32,
    }
}
event! {
    /// Variables of a construct are mapped, or no longer.
    TargetMap {
        /// The construct's word.
        target: Word<'a>,
        /// As in [`Target`].
        id: u64,
        /// Each of them.
        items: MapItems<'a>,
        /// See the module.
        codeptr: u64,
    }
}
event! {
    /// Code is loaded onto a device.
    DeviceLoad {
        /// The device's number.
        device: i32,
        /// The file that it comes from, if it is of one.
        file: Option<&'a CStr>,
        /// Where in the file; negative if that is not known.
        offset_in_file: i64,
        /// The virtual address that the file has for it, 0 if it has none.
        address_in_file: u64,
        /// How much.
        bytes: usize,
        /// Where it lies in the host's memory, 0 if it does not.
        host_address: u64,
        /// Where it lies on the device, 0 if that is not known.
        device_address: u64,
        /// What its unloading is called by.
        module: u64,
    }
}

/// One dependence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The list item's address, or the element of an iteration vector.
    pub variable: u64,
    /// Its type.
    pub kind: DependenceKind,
}

/// The dependences of a task, as the runtime lends them.
#[derive(Clone, Copy)]
pub struct DependenceList<'a>(pub(crate) &'a [ompt_dependence_t]);

impl DependenceList<'_> {
    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = Dependence> + '_ {
        self.0.iter().map(|each| Dependence {
            // SAFETY: both members of the union are eight plain bytes.
            variable: unsafe { each.variable.value },
            kind: DependenceKind::from(each.dependence_type),
        })
    }
}

impl core::fmt::Debug for DependenceList<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

/// One mapped variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapItem {
    /// Its address on the host.
    pub host: u64,
    /// Its address on the device.
    pub device: u64,
    /// Its size.
    pub bytes: usize,
    /// How it is mapped.
    pub flags: MapFlags,
}

/// The variables of a [`TargetMap`], as the runtime lends them.
#[derive(Clone, Copy)]
pub struct MapItems<'a> {
    pub(crate) host: &'a [*mut c_void],
    pub(crate) device: &'a [*mut c_void],
    pub(crate) bytes: &'a [usize],
    pub(crate) flags: &'a [u32],
}

impl MapItems<'_> {
    /// Each of them; what the runtime leaves out of one reads 0.
    pub fn iter(&self) -> impl Iterator<Item = MapItem> + '_ {
        self.host.iter().enumerate().map(|(at, host)| MapItem {
            host: *host as u64,
            device: self.device.get(at).map_or(0, |address| *address as u64),
            bytes: self.bytes.get(at).copied().unwrap_or(0),
            flags: MapFlags::from(self.flags.get(at).map_or(0, |flags| *flags as c_int)),
        })
    }
}

impl core::fmt::Debug for MapItems<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

/// What a [`Dispatch`] event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instance {
    /// A logical iteration's number.
    Iteration(u64),
    /// A section: the address of its code.
    Section(u64),
    /// Iterations: the first one's number, and how many. `None`: the runtime does not say.
    Chunk(Option<(u64, u64)>),
    /// Anything else.
    Other(u64),
}

impl Instance {
    /// # Safety
    /// `value` must be what the runtime gave with `kind`.
    pub(crate) unsafe fn new(kind: DispatchKind, value: u64) -> Instance {
        match kind {
            DispatchKind::Iteration => Instance::Iteration(value),
            DispatchKind::Section => Instance::Section(value),
            DispatchKind::LoopChunk
            | DispatchKind::TaskloopChunk
            | DispatchKind::DistributeChunk => {
                // SAFETY: the caller's promise: null or a chunk.
                let chunk = unsafe { (value as *const ompt_dispatch_chunk_t).as_ref() };
                Instance::Chunk(chunk.map(|chunk| (chunk.start, chunk.iterations)))
            }
            DispatchKind::Unlisted(_) => Instance::Other(value),
        }
    }
}
