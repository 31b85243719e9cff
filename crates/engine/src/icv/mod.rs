//! Internal control variables.

/// The ICVs of a data environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Icvs {
    /// nthreads-var at this level.
    pub nthreads: u32,
    /// dyn-var.
    pub dynamic: bool,
    /// max-active-levels-var.
    pub max_active_levels: u32,
    /// thread-limit-var.
    pub thread_limit: u32,
    /// run-sched-var: `omp_sched_t` with the monotonic bit, and the chunk (0 = default).
    pub schedule: (u32, u32),
    /// bind-var at this level: `omp_proc_bind_t`.
    pub bind: u32,
    /// default-device-var.
    pub default_device: i32,
}

impl Icvs {
    /// Before the settings are read.
    pub const fn initial() -> Icvs {
        Icvs {
            nthreads: 1,
            dynamic: false,
            max_active_levels: 1,
            thread_limit: i32::MAX as u32,
            schedule: (1, 0),
            bind: 0,
            default_device: 0,
        }
    }

    /// What the implicit tasks of a region at `level` inherit.
    pub fn for_region(&self, _level: u32) -> Icvs {
        *self
    }
}

/// The ICVs of an initial task.
pub fn initial_task_icvs() -> Icvs {
    let mut icvs = Icvs::initial();
    icvs.nthreads = settings().cpus as u32;
    icvs
}

/// What holds for the whole process, read from the environment once.
pub struct Settings {
    /// Processors that the process may use.
    pub cpus: usize,
    /// stacksize-var in bytes, 0 = system's default.
    pub stack_size: usize,
}

impl Settings {
    /// Time-stamp cycles that a wait spins when `busy` threads work at once.
    pub fn spin_budget(&self, busy: u32) -> u64 {
        if busy as usize <= self.cpus { 2_000_000 } else { 2_000 }
    }

    /// The same for a worker without a region.
    pub fn idle_budget(&self) -> u64 {
        self.spin_budget(1)
    }
}

/// The settings.
pub fn settings() -> &'static Settings {
    static SETTINGS: std::sync::OnceLock<Settings> = std::sync::OnceLock::new();
    SETTINGS.get_or_init(|| Settings { cpus: omphalos_sys::cpus::affinity().len(), stack_size: 0 })
}
