//! The events of the engine. Each tells one thing that happened, once.
//!
//! An event borrows all that it contains. It lives on the stack of the thread to which it happens,
//! and is gone when the subscribers return. `codeptr` is the return address of the program's call
//! into the runtime (`codeptr_ra`), 0 if unknown.

use crate::kinds::*;
use core::cell::Cell;
use core::ffi::{CStr, c_char, c_void};
use omphalos_layout::{Identity, TaskTool};

/// One dependence as the program wrote it (`ompt_dependence_t`, same layout).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Dependence {
    /// Address of the list item; for doacross one element of the iteration vector.
    pub variable: u64,
    /// `ompt_dependence_type_t`.
    pub kind: i32,
}

/// List items of a target construct: four slices of one length.
#[derive(Clone, Copy, Debug)]
pub struct MapItems<'a> {
    /// Their addresses on the host.
    pub addresses: &'a [*mut c_void],
    /// Their addresses on the device; null for those that are not there.
    pub on_device: &'a [*mut c_void],
    /// Their sizes.
    pub sizes: &'a [usize],
    /// Bits of `ompt_target_map_flag_t`.
    pub flags: &'a [u32],
}

/// An event of a device, with the arguments of OpenMP 6.0's callback of that name. Strings and
/// addresses come from a library of devices.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum DeviceEvent {
    /// A device that this runtime plays is ready: each tool interface offers its own functions for
    /// it.
    Ready {
        device: i32,
    },
    Initialize {
        device: i32,
        kind: *const c_char,
        handle: *mut c_void,
        /// The device's own lookup function, 0 if it has none.
        lookup: usize,
        documentation: *const c_char,
    },
    Finalize {
        device: i32,
    },
    Load {
        device: i32,
        file: *const c_char,
        offset: i64,
        in_file: *mut c_void,
        bytes: usize,
        on_host: *mut c_void,
        on_device: *mut c_void,
        module: u64,
    },
    Unload {
        device: i32,
        module: u64,
    },
}

/// Makes the kind, the variant and the way from one to the other, from one row for each event.
macro_rules! events {
    ($($(#[$meta:meta])* $name:ident
        $({ $($(#[$of_field:meta])* $field:ident: $type:ty,)* })? $(($all:ty))?,)*) => {
        /// The kind of the [`Event`] of that name: its bit number in the subscribers' masks.
        #[repr(u8)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Kind {
            $($name,)*
        }

        /// An event with its arguments.
        #[derive(Clone, Copy)]
        #[allow(missing_docs)]
        pub enum Event<'a> {
            $($(#[$meta])* $name $({ $($(#[$of_field])* $field: $type,)* })? $(($all))?,)*
        }

        impl Event<'_> {
            /// Returns the kind, for the subscribers' masks.
            pub const fn kind(&self) -> Kind {
                match self {
                    $(Event::$name { .. } => Kind::$name,)*
                }
            }
        }
    };
}

impl Kind {
    /// Returns the bit of this kind in a mask.
    pub const fn bit(self) -> u64 {
        1 << self as u8
    }
}

events! {
    ThreadBegin {
        thread: &'a Identity,
        kind: ThreadKind,
    },
    ThreadEnd {
        thread: &'a Identity,
        kind: ThreadKind,
    },
    /// A worker starts or stops waiting for a region (2007, 2013, 2016; 5.x has only the state).
    Idle {
        thread: &'a Identity,
        endpoint: Endpoint,
    },
    /// `flags`: `ompt_parallel_flag_t`. `function`: the outlined code, 0 if unknown (2013, 2014).
    ParallelBegin {
        encountering: &'a TaskTool,
        region: &'a Identity,
        requested: u32,
        flags: u32,
        function: u64,
        codeptr: u64,
    },
    ParallelEnd {
        encountering: &'a TaskTool,
        region: &'a Identity,
        flags: u32,
        codeptr: u64,
    },
    /// `flags`: initial or implicit. At the end 5.x wants no region and a parallelism of 0, the
    /// older generations want both. So the engine passes both, and the dialect drops them.
    ImplicitTask {
        endpoint: Endpoint,
        region: &'a Identity,
        task: &'a TaskTool,
        parallelism: u32,
        index: u32,
        flags: u32,
    },
    TaskCreate {
        encountering: &'a TaskTool,
        task: &'a TaskTool,
        flags: u32,
        has_dependences: bool,
        function: u64,
        codeptr: u64,
    },
    TaskSchedule {
        prior: &'a TaskTool,
        status: TaskStatus,
        next: Option<&'a TaskTool>,
    },
    Dependences {
        task: &'a TaskTool,
        dependences: &'a [Dependence],
    },
    TaskDependence {
        source: &'a TaskTool,
        sink: &'a TaskTool,
    },
    /// Entering and leaving a synchronisation construct.
    SyncRegion {
        kind: SyncKind,
        endpoint: Endpoint,
        region: &'a Identity,
        task: &'a TaskTool,
        codeptr: u64,
    },
    /// The thread really waits in a synchronisation construct.
    SyncWait {
        kind: SyncKind,
        endpoint: Endpoint,
        region: &'a Identity,
        task: &'a TaskTool,
        codeptr: u64,
    },
    /// A task that the thread executes inside a [`Event::SyncWait`] begins or has ended. `region`
    /// and `task` are those of the wait (2013, 2016; later generations tell one wait around all
    /// such tasks).
    WaitBreak {
        kind: SyncKind,
        endpoint: Endpoint,
        region: &'a Identity,
        task: &'a TaskTool,
    },
    Reduction {
        endpoint: Endpoint,
        region: &'a Identity,
        task: &'a TaskTool,
        codeptr: u64,
    },
    Work {
        kind: WorkKind,
        endpoint: Endpoint,
        region: &'a Identity,
        task: &'a TaskTool,
        count: u64,
        codeptr: u64,
    },
    Masked {
        endpoint: Endpoint,
        region: &'a Identity,
        task: &'a TaskTool,
        codeptr: u64,
    },
    /// `first`, `count`: the chunk's first iteration and length; for sections `first` is the
    /// address.
    Dispatch {
        kind: DispatchKind,
        region: &'a Identity,
        task: &'a TaskTool,
        first: u64,
        count: u64,
    },
    LockInit {
        kind: MutexKind,
        hint: u32,
        implementation: u32,
        wait_id: u64,
        codeptr: u64,
    },
    LockDestroy {
        kind: MutexKind,
        wait_id: u64,
        codeptr: u64,
    },
    MutexAcquire {
        kind: MutexKind,
        hint: u32,
        implementation: u32,
        wait_id: u64,
        codeptr: u64,
    },
    /// The mutex is taken, and the thread starts to wait (2007, 2013; later generations have only
    /// acquire).
    MutexWait {
        kind: MutexKind,
        wait_id: u64,
        codeptr: u64,
    },
    MutexAcquired {
        kind: MutexKind,
        wait_id: u64,
        codeptr: u64,
    },
    MutexReleased {
        kind: MutexKind,
        wait_id: u64,
        codeptr: u64,
    },
    /// The owner of a nest lock acquires it again (begin) or releases all but the last (end).
    NestLock {
        endpoint: Endpoint,
        wait_id: u64,
        codeptr: u64,
    },
    Flush {
        thread: &'a Identity,
        codeptr: u64,
    },
    Cancel {
        task: &'a TaskTool,
        flags: u32,
        codeptr: u64,
    },
    /// `result`: the result of `omp_control_tool`; a subscriber overwrites it.
    Control {
        command: u64,
        modifier: u64,
        arg: *mut c_void,
        codeptr: u64,
        result: &'a Cell<i32>,
    },
    Error {
        severity: Severity,
        message: &'a CStr,
        codeptr: u64,
    },
    /// A target construct. `device`: the device that executes its region, or has its data.
    Target {
        kind: TargetKind,
        endpoint: Endpoint,
        device: i32,
        task: &'a TaskTool,
        target: &'a Identity,
        codeptr: u64,
    },
    /// An operation on device memory, inside a target construct or on its own. At the begin of an
    /// allocation its address is null. `devices`: those of the source and of the destination.
    TargetDataOp {
        endpoint: Endpoint,
        target: Option<&'a Identity>,
        operation: &'a Identity,
        op: TargetOp,
        source: *const c_void,
        destination: *const c_void,
        devices: (i32, i32),
        bytes: usize,
        codeptr: u64,
    },
    /// The region of a target construct; `teams`: requested, 0 = no request.
    TargetSubmit {
        endpoint: Endpoint,
        target: &'a Identity,
        operation: &'a Identity,
        teams: u32,
    },
    /// The items that a construct maps, or unmaps at its end (`ends`).
    TargetMap {
        target: &'a Identity,
        items: MapItems<'a>,
        ends: bool,
        codeptr: u64,
    },
    /// An event of a device.
    Device(DeviceEvent),
    /// The runtime is about to end: no event follows.
    Shutdown,
}
