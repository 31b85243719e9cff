//! The place where a thread is, for the code that takes a sample of it.

use super::region::Region;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering::Relaxed};
use omphalos_ompt::{State, SyncKind};

/// Returns the state of a thread that waits in such a barrier.
pub fn state_of(kind: SyncKind) -> State {
    match kind {
        SyncKind::ImplicitBarrier => State::WaitBarrierImplicit,
        SyncKind::ExplicitBarrier => State::WaitBarrierExplicit,
        SyncKind::ImplementationBarrier => State::WaitBarrierImplementation,
        SyncKind::WorkshareBarrier => State::WaitBarrierImplicitWorkshare,
        SyncKind::ParallelBarrier => State::WaitBarrierImplicitParallel,
        SyncKind::TeamsBarrier => State::WaitBarrierTeams,
        _ => State::WaitBarrier,
    }
}

/// The thread's place, as its samples say it. Callbacks write it; the handler reads it.
#[derive(Default)]
pub struct Place {
    /// The innermost region's id, 0 = none.
    pub region: AtomicU64,
    /// Its instance, null = none.
    pub instance: AtomicPtr<Region>,
    /// Its `codeptr_ra`.
    pub codeptr: AtomicU64,
    /// The thread's number in the team.
    pub number: AtomicU32,
    /// `ompt_task_flag_t` of the current task.
    pub task_flags: AtomicU32,
    /// `codeptr_ra` of the construct that created the current explicit task.
    pub task_codeptr: AtomicU64,
    /// `ompt_state_t` of the thread's wait, if it waits.
    pub wait_state: AtomicU32,
    /// The mutex that the thread asks for, or asked for last: its wait id.
    pub wait_id: AtomicU64,
    /// That mutex's kind.
    pub wait_kind: AtomicU32,
    /// The place that asks for the mutex, `codeptr_ra`.
    pub wait_codeptr: AtomicU64,
    /// The time since which the thread waits, ticks.
    pub wait_since: AtomicU64,
}

impl Place {
    /// Notes the region that the thread is in now.
    #[inline]
    pub fn enter(&self, instance: *const Region, region: u64, codeptr: u64, number: u32) {
        self.instance.store(instance.cast_mut(), Relaxed);
        self.region.store(region, Relaxed);
        self.codeptr.store(codeptr, Relaxed);
        self.number.store(number, Relaxed);
    }

    /// Notes that a sample was taken in the thread's region, so that its fork is worth a record.
    /// Async-signal-safe.
    pub fn note_sampled(&self) {
        if let Some(instance) = self.current() {
            instance.sampled.store(true, Relaxed);
        }
    }

    /// Whether a sample was taken in the thread's region.
    pub fn is_sampled(&self) -> bool {
        self.current().is_some_and(|instance| instance.sampled.load(Relaxed))
    }

    /// Notes that a region inside the thread's region has a record, which names the outer one.
    pub fn note_named(&self) {
        if let Some(instance) = self.current() {
            instance.sampled.store(true, Relaxed);
            instance.named.store(true, Relaxed);
        }
    }

    /// Returns the region that the thread is in, if its instance still has the same id.
    fn current(&self) -> Option<&Region> {
        let region = self.region.load(Relaxed);
        // SAFETY: null or an instance, which is never freed.
        let instance = unsafe { self.instance.load(Relaxed).as_ref() };
        instance.filter(|instance| instance.id.load(Relaxed) == region)
    }

    /// Notes the task that the thread executes now.
    #[inline]
    pub fn set_task(&self, flags: u32, codeptr: u64) {
        self.task_flags.store(flags, Relaxed);
        self.task_codeptr.store(codeptr, Relaxed);
    }
}
