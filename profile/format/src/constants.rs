//! Numbers in records that are in no published interface.

/// The bits of [`Module::flags`](crate::Module).
pub mod module_flag {
    /// An OpenMP runtime: its frames are no part of the user's model of the program.
    pub const RUNTIME: u32 = 1;
    /// The agent or another part of Omphalos that is no runtime.
    pub const AGENT: u32 = 2;
}

/// The values of [`ConstructTotal::construct_kind`](crate::ConstructTotal): one of these and, in
/// the lower half, a number of OMPT's.
pub mod construct_kind {
    /// With an `ompt_work_t`. All threads of a single construct have that of the executor.
    pub const WORK: u32 = 1 << 16;
    /// With an `ompt_sync_region_t`: a barrier that belongs to no other construct.
    pub const BARRIER: u32 = 2 << 16;
    /// A masked region; the lower half is 0.
    pub const MASKED: u32 = 3 << 16;
    /// The combining of a reduction; the lower half is 0.
    pub const REDUCTION: u32 = 4 << 16;
}

/// Bits of [`CounterSources::events`](crate::CounterSources), in the order in which
/// [`CounterDifference`](crate::CounterDifference) has the figures.
pub mod counter {
    /// `cycles`
    pub const CYCLES: u32 = 1;
    /// `instructions`
    pub const INSTRUCTIONS: u32 = 1 << 1;
    /// `cache_misses`
    pub const CACHE_MISSES: u32 = 1 << 2;
    /// `stalls_frontend`
    pub const STALLS_FRONTEND: u32 = 1 << 3;
    /// `stalls_backend`
    pub const STALLS_BACKEND: u32 = 1 << 4;
    /// `slots` and the four parts of them.
    pub const SLOTS: u32 = 0b1_1111 << 5;
}

/// The values of [`Message::severity`](crate::Message).
pub mod severity {
    /// Good to know.
    pub const INFO: u32 = 0;
    /// Some of the record is missing or less exact.
    pub const WARNING: u32 = 1;
    /// The record stops here or could not be made.
    pub const ERROR: u32 = 2;
}

/// The values of [`TargetEvent::event_kind`](crate::TargetEvent), and of the device of a target
/// record.
pub mod target {
    /// The device number of the host itself.
    pub const HOST: u32 = u32::MAX;
    /// A construct: with its `ompt_target_t`.
    pub const CONSTRUCT: u32 = 1 << 16;
    /// A kernel.
    pub const KERNEL: u32 = 2 << 16;
    /// An operation on memory: with its `ompt_target_data_op_t`.
    pub const OPERATION: u32 = 3 << 16;
}

/// The call that a [`SampleCall`](crate::SampleCall) names for a sleep whose cause is not known.
pub const UNSEEN_SLEEP: &str = "page fault, stop or system call";
