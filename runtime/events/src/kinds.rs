//! The enumerations of the vocabulary, but for the events' kinds. Numbers are those of OpenMP 6.0's
//! `omp-tools.h`.
//! A kind that no OpenMP version numbers has a number above the published ones.

impl DispatchKind {
    /// Whether the part is a range of iterations, and shown as such.
    #[inline(always)]
    pub const fn is_chunk(self) -> bool {
        !matches!(self, DispatchKind::Iteration | DispatchKind::Section)
    }
}

/// Begin or end of a scope (`ompt_scope_endpoint_t`).
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Endpoint {
    Begin = 1,
    End = 2,
    BeginEnd = 3,
}

/// `ompt_thread_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ThreadKind {
    Initial = 1,
    Worker = 2,
    Other = 3,
    Unknown = 4,
}

impl Endpoint {
    /// Returns the begin for an end, the end for a begin.
    pub const fn other(self) -> Endpoint {
        match self {
            Endpoint::Begin => Endpoint::End,
            Endpoint::End | Endpoint::BeginEnd => Endpoint::Begin,
        }
    }
}

/// `ompt_sync_region_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SyncKind {
    BarrierExplicit = 3,
    BarrierImplementation = 4,
    Taskwait = 5,
    Taskgroup = 6,
    Reduction = 7,
    BarrierImplicitWorkshare = 8,
    BarrierImplicitParallel = 9,
    BarrierTeams = 10,
}

/// `ompt_work_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum WorkKind {
    Loop = 1,
    Sections = 2,
    SingleExecutor = 3,
    SingleOther = 4,
    Workshare = 5,
    Distribute = 6,
    Taskloop = 7,
    Scope = 8,
    Workdistribute = 9,
    LoopStatic = 10,
    LoopDynamic = 11,
    LoopGuided = 12,
    LoopOther = 13,
}

/// `ompt_dispatch_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DispatchKind {
    Iteration = 1,
    Section = 2,
    LoopChunk = 3,
    TaskloopChunk = 4,
    DistributeChunk = 5,
}

/// `ompt_mutex_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum MutexKind {
    Lock = 1,
    TestLock = 2,
    NestLock = 3,
    TestNestLock = 4,
    Critical = 5,
    Atomic = 6,
    Ordered = 7,
}

/// `ompt_task_status_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TaskStatus {
    Complete = 1,
    Yield = 2,
    Cancel = 3,
    Detach = 4,
    EarlyFulfill = 5,
    LateFulfill = 6,
    Switch = 7,
    TaskwaitComplete = 8,
}

/// `ompt_severity_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Severity {
    Warning = 1,
    Fatal = 2,
}

/// `ompt_target_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TargetKind {
    Target = 1,
    EnterData = 2,
    ExitData = 3,
    Update = 4,
    TargetNowait = 9,
    EnterDataNowait = 10,
    ExitDataNowait = 11,
    UpdateNowait = 12,
}

/// `ompt_target_data_op_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TargetOp {
    Alloc = 1,
    TransferToDevice = 2,
    TransferFromDevice = 3,
    Delete = 4,
    Associate = 5,
    Disassociate = 6,
    Transfer = 7,
    Memset = 8,
    TransferRect = 9,
    AllocAsync = 17,
    TransferToDeviceAsync = 18,
    TransferFromDeviceAsync = 19,
    DeleteAsync = 20,
}

impl TargetKind {
    /// Returns the kind with this number.
    pub fn from_number(number: i32) -> Option<TargetKind> {
        use TargetKind::*;
        let all = [
            Target, EnterData, ExitData, Update, TargetNowait, EnterDataNowait, ExitDataNowait,
            UpdateNowait,
        ];
        all.into_iter().find(|&kind| kind as i32 == number)
    }
}

impl TargetOp {
    /// Returns the operation with this number.
    pub fn from_number(number: i32) -> Option<TargetOp> {
        use TargetOp::*;
        let all = [
            Alloc, TransferToDevice, TransferFromDevice, Delete, Associate, Disassociate, Transfer,
            Memset, TransferRect, AllocAsync, TransferToDeviceAsync, TransferFromDeviceAsync,
            DeleteAsync,
        ];
        all.into_iter().find(|&op| op as i32 == number)
    }
}

/// Bits of `ompt_target_map_flag_t`.
#[allow(missing_docs)]
pub struct MapFlags;
#[allow(missing_docs)]
impl MapFlags {
    pub const TO: u32 = 0x01;
    pub const FROM: u32 = 0x02;
    pub const ALLOC: u32 = 0x04;
    pub const RELEASE: u32 = 0x08;
    pub const DELETE: u32 = 0x10;
    pub const IMPLICIT: u32 = 0x20;
    pub const ALWAYS: u32 = 0x40;
    pub const PRESENT: u32 = 0x80;
}

/// Bits of `ompt_task_flag_t`.
#[allow(missing_docs)]
pub struct TaskFlags;
#[allow(missing_docs)]
impl TaskFlags {
    pub const INITIAL: u32 = 0x1;
    pub const IMPLICIT: u32 = 0x2;
    pub const EXPLICIT: u32 = 0x4;
    pub const TARGET: u32 = 0x8;
    pub const TASKWAIT: u32 = 0x10;
    pub const UNDEFERRED: u32 = 0x0800_0000;
    pub const UNTIED: u32 = 0x1000_0000;
    pub const FINAL: u32 = 0x2000_0000;
    pub const MERGEABLE: u32 = 0x4000_0000;
    pub const MERGED: u32 = 0x8000_0000;
}

/// Bits of `ompt_cancel_flag_t`.
#[allow(missing_docs)]
pub struct Cancel;
#[allow(missing_docs)]
impl Cancel {
    pub const PARALLEL: u32 = 0x01;
    pub const SECTIONS: u32 = 0x02;
    pub const LOOP: u32 = 0x04;
    pub const TASKGROUP: u32 = 0x08;
    pub const ACTIVATED: u32 = 0x10;
    pub const DETECTED: u32 = 0x20;
    pub const DISCARDED_TASK: u32 = 0x40;
}

/// The state of a thread: `ompt_state_t` of OpenMP 6.0, except [`State::WAIT_NEST_LOCK`], which
/// only OMPT 2013 tells from a lock (its low 16 bits are the 6.0 number).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State(pub u32);

#[allow(missing_docs)]
impl State {
    pub const WORK_SERIAL: State = State(0x000);
    pub const WORK_PARALLEL: State = State(0x001);
    pub const WORK_REDUCTION: State = State(0x002);
    pub const WORK_FREE_AGENT: State = State(0x003);
    pub const WAIT_BARRIER_IMPLICIT_PARALLEL: State = State(0x011);
    pub const WAIT_BARRIER_IMPLICIT_WORKSHARE: State = State(0x012);
    pub const WAIT_BARRIER_EXPLICIT: State = State(0x014);
    pub const WAIT_BARRIER_IMPLEMENTATION: State = State(0x015);
    pub const WAIT_BARRIER_TEAMS: State = State(0x016);
    pub const WAIT_TASKWAIT: State = State(0x020);
    pub const WAIT_TASKGROUP: State = State(0x021);
    pub const WAIT_MUTEX: State = State(0x040);
    pub const WAIT_LOCK: State = State(0x041);
    pub const WAIT_CRITICAL: State = State(0x042);
    pub const WAIT_ATOMIC: State = State(0x043);
    pub const WAIT_ORDERED: State = State(0x044);
    pub const WAIT_TARGET: State = State(0x080);
    pub const IDLE: State = State(0x100);
    pub const OVERHEAD: State = State(0x101);
    pub const UNDEFINED: State = State(0x102);
    pub const WAIT_NEST_LOCK: State = State(0x1_0041);

    /// Returns the number of OpenMP 6.0.
    pub const fn omp(self) -> i32 {
        (self.0 & 0xffff) as i32
    }
}
