//! A member's place in a team: what it publishes to the others, and its implicit task.

use super::{Member, REGION_SHIFT, SlotTasks, Task, Team, Thread};
use core::cell::{Cell, UnsafeCell};
use core::ffi::c_void;
use core::sync::atomic::{AtomicU64, Ordering};
use crossbeam_utils::CachePadded;
use omphalos_events::TaskFlags;
use omphalos_settings::Icvs;
use omphalos_sync::partial;
use omphalos_sync::ranges::Range;

/// A member's partial result, for the tree of a reduction. Reductions are numbered as barriers are
/// (the region in the high bits).
pub type Partial = partial::Partial<c_void>;

/// What a member publishes: it alone writes these words, and the others watch them.
pub struct Published {
    /// The latest barrier epoch it arrived at.
    pub arrived: AtomicU64,
    /// The latest region it joined.
    pub joined: AtomicU64,
    /// The latest region it left for good (only in regions that need it).
    pub left: AtomicU64,
    /// Worksharing constructs up to this one are behind it.
    pub shares_done: AtomicU64,
}

omphalos_layout::describe!(Published { arrived, joined, left, shares_done });

/// See the module.
#[repr(C, align(128))]
pub struct Slot {
    /// Its units of a loop with stealing: the others look here and take some.
    pub range: CachePadded<Range>,
    /// Watched by the others.
    pub published: CachePadded<Published>,
    /// The region this member is in (its number in the team).
    pub region: Cell<u64>,
    /// Barriers passed: the epoch of the latest.
    pub epoch: Cell<u64>,
    /// `single` constructs passed.
    pub singles: Cell<u64>,
    /// `single` constructs that it knows to be taken.
    pub singles_taken: Cell<u64>,
    /// The highest number that a counter of the team's regions has reached, if that is beyond the
    /// region's own. The next region begins above it. Only in the primary's slot.
    pub beyond: Cell<u64>,
    /// Its part in the current worksharing construct.
    pub share: Member,
    /// The thread that sits here.
    pub thread: Cell<*const Thread>,
    /// The place to bind to, -1 = as it is. Written by the primary when it changes.
    pub place: Cell<i32>,
    /// Whether the member has to show its affinity (OMP_DISPLAY_AFFINITY).
    pub show: Cell<bool>,
    /// First and last place of the implicit task's place partition.
    pub partition: Cell<(i32, i32)>,
    /// The implicit task's own ICVs once it changed one.
    pub own_icvs: UnsafeCell<Icvs>,
    /// The implicit task.
    pub task: Task,
    /// Tasks that this member made and not yet ran.
    pub tasks: SlotTasks,
    /// The latest region that it told tools it knows to be cancelled.
    pub cancel_told: Cell<u64>,
    /// Its partial result of a reduction by the tree.
    pub partial: CachePadded<Partial>,
}

omphalos_layout::describe!(Slot {
    published,
    region,
    epoch,
    share,
    thread,
    place,
    partition,
    task,
    tasks
});

// SAFETY: cells belong to the member (between regions to the primary, ordered by the gate and
// `joined`); the rest are atomics.
unsafe impl Sync for Slot {}

impl Slot {
    /// An empty place.
    pub(crate) fn new() -> &'static Slot {
        Box::leak(Box::new(Slot {
            range: CachePadded::new(Range::new()),
            published: CachePadded::new(Published {
                arrived: AtomicU64::new(0),
                joined: AtomicU64::new(0),
                left: AtomicU64::new(0),
                shares_done: AtomicU64::new(0),
            }),
            region: Cell::new(0),
            epoch: Cell::new(0),
            singles: Cell::new(0),
            singles_taken: Cell::new(0),
            beyond: Cell::new(0),
            share: Member::new(),
            thread: Cell::new(core::ptr::null()),
            place: Cell::new(-1),
            show: Cell::new(false),
            partition: Cell::new((-1, -1)),
            own_icvs: UnsafeCell::new(Icvs::initial()),
            task: Task::new(),
            tasks: SlotTasks::new(),
            cancel_told: Cell::new(0),
            partial: CachePadded::new(Partial::new()),
        }))
    }

    /// The slot of a worker that a team has just hired. Nothing is left in it that the new team
    /// could take for its own: region numbers of two teams look alike.
    ///
    /// The worker may still wait for an order in its former team. There it reads only this slot's
    /// `region`, which stays.
    pub(crate) fn of_worker(worker: &Thread) -> &'static Slot {
        // SAFETY: null or the worker's slot; slots are never freed.
        let Some(slot) = (unsafe { worker.seat.get().as_ref() }) else {
            let slot = Slot::new();
            slot.thread.set(worker);
            worker.seat.set(slot);
            return slot;
        };
        slot.range.forget();
        let Published { arrived, joined, left, shares_done } = &*slot.published;
        for word in [arrived, joined, left, shares_done] {
            word.store(0, Ordering::Relaxed);
        }
        slot.singles_taken.set(0);
        slot.beyond.set(0);
        slot.place.set(-1);
        slot.show.set(false);
        slot.partition.set((-1, -1));
        slot.tasks.forget_region();
        slot.cancel_told.set(0);
        slot.partial.forget();
        slot
    }

    /// The number after `latest`, for things that all members count alike besides barriers,
    /// constructs and `single`s. In each region they count from 1.
    #[inline]
    pub fn number_after(&self, latest: u64) -> u64 {
        let base = self.region.get() << REGION_SHIFT;
        let number = (latest + 1).max(base + 1);
        if (number - base) >> REGION_SHIFT != 0 {
            self.beyond.set(number);
        }
        number
    }

    /// The thread that sits here; only for slots of the current region.
    #[inline(always)]
    pub fn thread(&self) -> &'static Thread {
        // SAFETY: set when the slot was staffed; records are never freed.
        unsafe { &*self.thread.get() }
    }

    /// `thread` takes its slot for a region: the counters, the implicit task, and the thread's own
    /// words. The task comes first, so that a signal handler never sees a team without a task in
    /// it. With `prepared` the primary has prepared the region's first worksharing construct. The
    /// caller has dropped what was prepared for the thread's current task (`tasks::drop_prepared`).
    #[inline]
    pub(crate) fn enter(
        &'static self,
        thread: &Thread,
        team: &'static Team,
        num: u32,
        region: u64,
        prepared: bool,
    ) {
        let base = region << REGION_SHIFT;
        self.region.set(region);
        self.epoch.set(base);
        self.singles.set(base);
        self.share.enter(base, prepared);
        self.published.shares_done.store(base, Ordering::Relaxed);
        self.task.become_implicit(team, TaskFlags::IMPLICIT);
        thread.own().set_task(core::ptr::from_ref(&self.task).cast_mut());
        thread.own().set_slot(core::ptr::from_ref(self).cast_mut());
        thread.own().set_num(num);
        thread.own().set_team(core::ptr::from_ref(team).cast_mut());
    }
}
