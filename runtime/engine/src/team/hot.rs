//! Gives the teams that a thread keeps for its next regions their workers, and dismisses these.

use crate::records::{Shape, Slot, Team, Thread};
use crate::tasks;
use crate::threads::registry::Lists;
use crate::threads::{NoWorker, hire, warn_refused};
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_events::TaskFlags;
use omphalos_settings::settings;

impl Team {
    /// Gives a thread without a team its initial team of one, with the initial task current.
    pub(crate) fn make_initial(thread: &'static Thread) {
        thread.depth.set(thread.as_owner(), 0);
        let team = Self::at_depth(thread);
        thread.depth.set(thread.as_owner(), 1);
        team.size.set(team.as_owner(), 1);
        team.as_owner().set_icvs(settings().initial);
        team.region.set(team.as_owner(), team.region.get() + 1);
        tasks::drop_prepared(thread);
        team.slot(0).enter(thread, team, 0, team.region.get(), false);
        thread.as_owner().task().become_implicit(team, TaskFlags::INITIAL);
    }

    /// Makes sure that the first `wanted` slots have threads. Returns how many of these have one
    /// then, at least 1.
    #[inline(always)]
    pub(super) fn staff(&'static self, wanted: u32) -> u32 {
        if wanted <= self.staffed.get() { wanted } else { self.staff_anew(wanted) }
    }

    /// Does what [`Team::staff`] does, if the region wants more threads than `staffed`.
    #[cold]
    fn staff_anew(&'static self, wanted: u32) -> u32 {
        static KEEPS_BLOCKS: AtomicBool = AtomicBool::new(false);
        let have = self.capacity.get();
        let got = if wanted > have { self.hire_more(wanted) } else { wanted };
        // The first hiring does not make the C library keep blocks: the new worker needs the
        // processors for itself, and a program with one region has no use for it. The next region
        // comes here again.
        let first = have <= 1 && !KEEPS_BLOCKS.load(Ordering::Relaxed);
        self.staffed.set(self.as_owner(), if first { 1 } else { self.capacity.get() });
        if !first && !KEEPS_BLOCKS.swap(true, Ordering::Relaxed) {
            omphalos_sys::memory::keep_blocks();
        }
        got
    }

    fn hire_more(&'static self, wanted: u32) -> u32 {
        let have = self.capacity.get();
        let mut slots = Vec::new();
        let mut refused = None;
        // SAFETY: null, or a thread's record, which is never freed.
        let primary = unsafe { self.primary.get().as_ref() };
        let serves = primary.map_or(0, |primary| primary.serves.get());
        for _ in have..wanted {
            match hire(serves) {
                Ok(worker) => slots.push(Slot::of_worker(worker)),
                Err(NoWorker::Limit) => break,
                Err(NoWorker::Refused(error)) => {
                    refused = Some(error);
                    break;
                }
            }
        }
        self.seat(&slots);
        let got = self.capacity.get();
        if let Some(error) = refused {
            warn_refused(error, wanted, got);
        }
        got
    }

    /// Makes the team's workers idle, because the primary thread ends.
    pub(crate) fn dismiss(&self, lists: &mut Lists) {
        for num in 1..self.capacity.get() {
            lists.idle.push(self.slot(num).thread());
        }
        super::crowd::end(self);
        self.forget_workers();
    }

    /// Makes the primary the only member (the workers were dismissed, or this is a forked child).
    pub(crate) fn forget_workers(&self) {
        let own = self.as_owner();
        self.counted.set(own, 0);
        if self.cancelled.load(Ordering::Relaxed) != 0 {
            self.forget_cancelled();
        }
        self.claimed.set(own, 0);
        self.capacity.set(own, self.capacity.get().min(1));
        self.staffed.set(own, self.capacity.get());
        self.size.set(own, self.size.get().min(1));
        self.shape.put(own, Shape::Flat);
        self.forget_arrivals();
    }
}
