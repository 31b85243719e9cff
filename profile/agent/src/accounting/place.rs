//! Where a thread is, for whoever takes a sample of it.

use super::region::Region;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Where the thread is, as its samples say it. Written by callbacks, read by the handler.
#[derive(Default)]
pub struct Place {
    /// The innermost region's id, 0 = none.
    pub region: AtomicU64,
    /// Its instance, null = none.
    pub instance: AtomicPtr<Region>,
    /// Its `codeptr_ra`.
    pub codeptr: AtomicU64,
    /// Number in its team.
    pub number: AtomicU32,
    /// `ompt_task_flag_t` of the current task.
    pub task_flags: AtomicU32,
    /// Where the current explicit task was created.
    pub task_codeptr: AtomicU64,
    /// `ompt_state_t` of the wait that it is in, if it is in one.
    pub wait_state: AtomicU32,
    /// The mutex that it asks for or asked for last: wait id, kind, place, and since when, ticks.
    pub wait_id: AtomicU64,
    /// See `wait_id`.
    pub wait_kind: AtomicU32,
    /// See `wait_id`.
    pub wait_codeptr: AtomicU64,
    /// See `wait_id`.
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

    /// A sample was taken in the region where the thread is: its fork is worth a record.
    /// Async-signal-safe.
    pub fn note_sampled(&self) {
        if let Some(instance) = self.current() {
            instance.sampled.store(true, Relaxed);
        }
    }

    /// Whether one was.
    pub fn is_sampled(&self) -> bool {
        self.current().is_some_and(|instance| instance.sampled.load(Relaxed))
    }

    /// A region inside of the one where the thread is has a record, which names this one.
    pub fn note_named(&self) {
        if let Some(instance) = self.current() {
            instance.sampled.store(true, Relaxed);
            instance.named.store(true, Relaxed);
        }
    }

    /// The region where the thread is, if its instance is still that.
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
