//! The settings of the process, as a structure. `current.rs` has the one that holds;
//! `environment.rs` fills it.
//!
//! Who reads it: every crate above, by `settings()`, even signal handlers. Fields that are no
//! atomics do not change once the structure is current. Atomic fields may be set by OpenMP's
//! routines and Intel's.
//!
//! What must hold: debuggers read the fields that `describe!` names from outside, by these names.

use super::helpers::Helpers;
use super::icvs::Icvs;
use super::loops::LoopKinds;
use super::meeting::Shape;
use super::of_devices::OfDevice;
use super::places::Places;
use super::processors::Processors;
use super::shown::Shown;
use super::task_limits::TaskLimits;
use super::values::{Reserve, TargetOffload};
use super::waits::{DEFAULT_BLOCKTIME, DEFAULT_SPIN_CYCLES, Library};
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use omphalos_sys::needed;
use std::ffi::CString;

/// The settings: values of the environment, and those that routines changed for the whole process.
pub struct Settings {
    /// Processors that the process may use.
    pub processors: Processors,
    /// stacksize-var in bytes, 0 = the default (`stack.rs`).
    pub stack_size: AtomicUsize,
    /// The ICVs of initial tasks.
    pub initial: Icvs,
    /// `KMP_SCHEDULE` and `KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE`.
    pub loop_kinds: LoopKinds,
    /// How many OpenMP threads the process may have at once.
    pub process_limit: u32,
    /// `OMP_NUM_THREADS` by nesting level if it is a list; empty otherwise.
    pub deeper_nthreads: Vec<u32>,
    /// `OMP_PROC_BIND` by nesting level if it is a list; empty otherwise.
    pub deeper_bind: Vec<u32>,
    /// The places, if threads are bound at all.
    pub places: Option<Places>,
    /// The process's affinity mask when the environment was read, as processor numbers.
    pub mask: Vec<usize>,
    /// `KMP_AFFINITY=reset`: the primary thread of an outermost region is bound only in that
    /// region.
    pub affinity_reset: bool,
    /// How the initial threads of a league are bound, an `omp_proc_bind_t`; 0 = they stay where
    /// they are.
    pub teams_bind: u32,
    /// How long a thread spins in a wait before it sleeps, while each thread has a processor: in
    /// cycles of the time stamp.
    pub(super) spin: AtomicU64,
    /// Blocktime in milliseconds as KMP_BLOCKTIME and `kmp_set_blocktime` know it.
    pub blocktime: AtomicU32,
    /// The blocktime that the process began with, and the budget that it stands for.
    pub(super) first_blocktime: (u32, u64),
    /// The way of waiting by its name in Intel's interface (`KMP_LIBRARY`), a `Library` as number.
    pub(super) library: AtomicU32,
    /// wait-policy-var, if it was set; true = active.
    pub wait_policy: Option<bool>,
    /// cancel-var.
    pub cancellation: bool,
    /// Whether a thread with many queued tasks executes new ones at once.
    pub throttles_tasks: bool,
    /// The limits of queued tasks, if the environment sets them.
    pub task_limits: TaskLimits,
    /// `KMP_INHERIT_FP_CONTROL`: in LLVM's interface the members of a region begin with the control
    /// words of floating-point arithmetic that the encountering thread has.
    pub inherits_fp_control: bool,
    /// `OMP_THREADS_RESERVE`.
    pub reserve: Reserve,
    /// Hidden helper threads.
    pub helpers: Helpers,
    /// max-task-priority-var.
    pub max_task_priority: u32,
    /// How teams meet, if the environment chooses it for all regions.
    pub meeting: Option<Shape>,
    /// display-affinity-var.
    pub display_affinity: bool,
    /// affinity-format-var as the environment has it.
    pub affinity_format: Option<CString>,
    /// Traits of the allocator that `OMP_ALLOCATOR` describes: keys and values.
    pub allocator_traits: Vec<(i32, usize)>,
    /// `OMP_ALLOCATOR` as it was written, if it was.
    pub allocator_text: Option<String>,
    /// target-offload-var, a [`TargetOffload`] as number: `kmp_set_defaults` may change it.
    target_offload: AtomicU32,
    /// Devices (`OMPHALOS_DEVICES`); 0 also if no device is to be used, and
    /// [`UNKNOWN_DEVICES`](super::UNKNOWN_DEVICES) until the plugins are asked.
    pub devices: AtomicU32,
    /// The plugins whose devices are wanted, if not the host's.
    pub plugins: Vec<String>,
    /// The devices' own ICVs, by number.
    pub of_devices: Vec<OfDevice>,
    /// nteams-var, 0 = not set.
    pub num_teams: AtomicU32,
    /// teams-thread-limit-var, 0 = not set.
    pub teams_thread_limit: AtomicU32,
    /// The lists and texts among the settings again, for debuggers.
    pub shown: Shown,
}

omphalos_layout::describe!(Settings {
    processors,
    stack_size,
    initial,
    process_limit,
    affinity_reset,
    blocktime,
    library,
    cancellation,
    max_task_priority,
    display_affinity,
    target_offload,
    devices,
    num_teams,
    teams_thread_limit,
    shown,
    reserve.structured,
    reserve.free_agents,
});

impl Settings {
    /// Returns the settings that hold before the environment is read: as without one, on one
    /// processor.
    pub const fn new() -> Settings {
        Settings {
            processors: Processors::one(),
            stack_size: AtomicUsize::new(0),
            initial: Icvs::initial(),
            loop_kinds: LoopKinds::USUAL,
            process_limit: super::icvs::NO_LIMIT,
            deeper_nthreads: Vec::new(),
            deeper_bind: Vec::new(),
            places: None,
            mask: Vec::new(),
            affinity_reset: false,
            teams_bind: 0,
            spin: AtomicU64::new(DEFAULT_SPIN_CYCLES),
            blocktime: AtomicU32::new(DEFAULT_BLOCKTIME),
            first_blocktime: (DEFAULT_BLOCKTIME, DEFAULT_SPIN_CYCLES),
            library: AtomicU32::new(Library::Throughput as u32),
            wait_policy: None,
            cancellation: false,
            throttles_tasks: true,
            task_limits: TaskLimits::NONE,
            inherits_fp_control: true,
            reserve: Reserve::NONE,
            helpers: Helpers::new(),
            max_task_priority: 0,
            meeting: None,
            display_affinity: false,
            affinity_format: None,
            allocator_traits: Vec::new(),
            allocator_text: None,
            target_offload: AtomicU32::new(TargetOffload::Default as u32),
            devices: AtomicU32::new(0),
            plugins: Vec::new(),
            of_devices: Vec::new(),
            num_teams: AtomicU32::new(0),
            teams_thread_limit: AtomicU32::new(0),
            shown: Shown::new(),
        }
    }

    /// Returns the ICVs of a device's initial tasks; the host's if it has none of its own.
    pub fn initial_on(&self, device: i32) -> Icvs {
        self.of_device(device).map_or(self.initial, |own| own.icvs)
    }

    /// Returns the ICVs that a device has of its own; `None` if it has none.
    pub fn of_device(&self, device: i32) -> Option<&OfDevice> {
        self.of_devices.get(usize::try_from(device).ok()?)
    }

    /// Returns nteams-var and teams-thread-limit-var of a device, or of the host.
    pub fn teams_vars(&self, device: Option<i32>) -> (&AtomicU32, &AtomicU32) {
        match device.and_then(|device| self.of_device(device)) {
            Some(own) => (&own.num_teams, &own.teams_thread_limit),
            None => (&self.num_teams, &self.teams_thread_limit),
        }
    }

    /// Counts the processors and sets the values that depend on their number. For `environment.rs`
    /// and `ahead.rs`, before the settings are current.
    pub fn see_processors(&mut self) {
        if self.initial.nthreads == 0 {
            let count = self.processors.count() as u32;
            self.initial.nthreads = count;
            let unset = self.of_devices.iter_mut().filter(|own| own.icvs.nthreads == 0);
            unset.for_each(|own| own.icvs.nthreads = count);
        }
        if self.spins_for_ever() {
            // A wait that gives up spinning reads the control group's quota. Here none gives up, so
            // the quota is read now.
            self.processors.count();
        }
    }

    /// Returns the number of processors that a program is told: how many the process had when they
    /// were counted. If the program was built for libgomp and threads are not bound, it is how many
    /// the calling thread has now, as in libgomp.
    pub fn processors_now(&self) -> usize {
        if self.places.is_some() || needed::llvm() {
            return self.processors.count();
        }
        self.processors.now()
    }

    /// Returns target-offload-var.
    pub fn target_offload(&self) -> TargetOffload {
        match self.target_offload.load(Ordering::Relaxed) {
            0 => TargetOffload::Disabled,
            1 => TargetOffload::Default,
            _ => TargetOffload::Mandatory,
        }
    }

    /// Sets target-offload-var.
    pub fn set_target_offload(&self, value: TargetOffload) {
        self.target_offload.store(value as u32, Ordering::Relaxed);
    }

    /// Returns stacksize-var in bytes, 0 for the default.
    pub fn stack_size(&self) -> usize {
        self.stack_size.load(Ordering::Relaxed)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::new()
    }
}
