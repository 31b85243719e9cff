//! A member's place in a team: the words that it publishes to the others, and its implicit task.

use super::{Member, Owner, OwnerWord, REGION_SHIFT, SlotTasks, Task, Team, Thread};
use core::ffi::c_void;
use core::sync::atomic::{AtomicU64, Ordering};
use crossbeam_utils::CachePadded;
use omphalos_events::sums::WorkerSums;
use omphalos_events::{TaskFlags, TaskTool};
use omphalos_settings::Icvs;
use omphalos_sync::partial;
use omphalos_sync::ranges::Range;

/// A member's partial result, for the tree of a reduction. Reductions are numbered as barriers are
/// (the region in the high bits).
pub type Partial = partial::Partial<c_void>;

/// The number of barriers whose callers a member keeps.
pub const SITES: usize = 8;

/// The words that a member publishes: it alone writes them, and the others watch them.
pub struct Published {
    /// The epoch of the latest barrier at which the member arrived.
    pub arrived: AtomicU64,
    /// The latest region that the member joined.
    pub joined: AtomicU64,
    /// The latest region that the member left for good (only in regions that need it).
    pub left: AtomicU64,
    /// The member has passed all worksharing constructs up to this number.
    pub shares_done: AtomicU64,
    /// The times of the member's work in the latest summed region that it joined.
    pub times: WorkTimes,
}

/// The times at which a member's work in a summed region began and ended, in time-stamp cycles.
pub struct WorkTimes {
    /// The begin of the work.
    pub since: AtomicU64,
    /// The end of the work.
    pub until: AtomicU64,
    /// The time that the thread ran in between, as the tool answered, plus 1; 0: no tool answered.
    pub ran: AtomicU64,
}

// All these words lie in one cache line, so that the primary has them once it has read `joined`.
const _: () = assert!(size_of::<Published>() <= 64);

omphalos_layout::describe!(Published { arrived, joined, left, shares_done });

/// A member's place in a team.
#[repr(C, align(128))]
pub struct Slot {
    /// The member's units of a loop with stealing. Other members look here and take units.
    pub range: CachePadded<Range>,
    /// The words that other members watch.
    pub published: CachePadded<Published>,
    /// The region this member is in (its number in the team).
    pub region: OwnerWord<u64, Slot>,
    /// The epoch of the latest barrier to which the member came.
    pub epoch: OwnerWord<u64, Slot>,
    /// The exit frame of the latest region whose code has returned. Some tools are still shown it
    /// then (`omphalos_events::frames`).
    pub left: AtomicU64,
    /// The callers of the member's latest barriers, for debuggers: the return address of barrier
    /// `n` in word `n % SITES`, 0 if unknown. The member writes the word before it arrives.
    pub sites: [OwnerWord<u64, Slot>; SITES],
    /// The number of the latest `single` construct to which the member came.
    pub singles: OwnerWord<u64, Slot>,
    /// The number of the latest `single` construct that the member knows to be taken.
    pub singles_taken: OwnerWord<u64, Slot>,
    /// The highest number that a counter of the team's regions has reached, if that is beyond the
    /// region's own. The next region begins above it. Only in the primary's slot.
    pub beyond: OwnerWord<u64, Slot>,
    /// The member's part in the current worksharing construct.
    pub share: Member,
    /// The thread that has the slot.
    pub thread: OwnerWord<*const Thread, Slot>,
    /// The place to bind to, -1 = as it is. Written by the primary when it changes.
    pub place: OwnerWord<i32, Slot>,
    /// Whether the member has to show its affinity (OMP_DISPLAY_AFFINITY).
    pub show: OwnerWord<bool, Slot>,
    /// First and last place of the implicit task's place partition.
    pub partition: OwnerWord<(i32, i32), Slot>,
    /// The implicit task's own ICVs, once it has changed one.
    pub(super) own_icvs: OwnerWord<Icvs, Slot>,
    /// The implicit task.
    pub task: Task,
    /// Tasks that this member made and that have not run.
    pub tasks: SlotTasks,
    /// The latest region in which the member told tools that it knows of the cancellation.
    pub cancel_told: OwnerWord<u64, Slot>,
    /// The latest `single` of GCC's code (`worksharing/open_single.rs`): the frame that called, 0
    /// for none, and 1 more if the member executes it; the return address; and the numbers that the
    /// latest barrier and the next construct had then.
    pub open_single: OwnerWord<(u64, u64, (u64, u64)), Slot>,
    /// The member's partial result of a reduction by the tree.
    pub partial: CachePadded<Partial>,
    /// The sums of the member's thread in summed regions. The regions' primaries write them.
    pub sums: WorkerSums,
}

omphalos_layout::describe!(Slot {
    range,
    published,
    region,
    epoch,
    sites,
    share,
    thread,
    place,
    partition,
    task,
    tasks
});

// SAFETY: only the member writes an `OwnerWord` (between regions the primary, ordered by the gate
// and `joined`); the rest are atomics.
unsafe impl Sync for Slot {}

impl Slot {
    /// The distance in bytes from the implicit task's exit frame to `left`.
    pub(super) const LEFT_BEHIND_EXIT: isize = {
        use core::mem::offset_of;
        let exit = offset_of!(Slot, task.tool) + offset_of!(TaskTool, frame.exit);
        offset_of!(Slot, left) as isize - exit as isize
    };

    /// Makes a slot that no thread has.
    pub(crate) fn new() -> &'static Slot {
        Box::leak(Box::new(Slot {
            range: CachePadded::new(Range::new()),
            published: CachePadded::new(Published {
                arrived: AtomicU64::new(0),
                joined: AtomicU64::new(0),
                left: AtomicU64::new(0),
                shares_done: AtomicU64::new(0),
                times: WorkTimes {
                    since: AtomicU64::new(0),
                    until: AtomicU64::new(0),
                    ran: AtomicU64::new(0),
                },
            }),
            region: OwnerWord::new(0),
            epoch: OwnerWord::new(0),
            left: AtomicU64::new(0),
            sites: [const { OwnerWord::new(0) }; SITES],
            singles: OwnerWord::new(0),
            singles_taken: OwnerWord::new(0),
            beyond: OwnerWord::new(0),
            share: Member::new(),
            thread: OwnerWord::new(core::ptr::null()),
            place: OwnerWord::new(-1),
            show: OwnerWord::new(false),
            partition: OwnerWord::new((-1, -1)),
            own_icvs: OwnerWord::new(Icvs::initial()),
            task: Task::new(),
            tasks: SlotTasks::new(),
            cancel_told: OwnerWord::new(0),
            open_single: OwnerWord::new((0, 0, (0, 0))),
            partial: CachePadded::new(Partial::new()),
            sums: WorkerSums::new(),
        }))
    }

    /// Makes a new slot for `thread`.
    pub(super) fn of_thread(thread: &Thread) -> &'static Slot {
        let slot = Slot::new();
        // No other thread knows the slot.
        slot.thread.set(Owner::of(slot), thread);
        slot
    }

    /// Returns the slot of a worker that a team has just hired. It clears everything that the new
    /// team could take for its own: region numbers of two teams look alike.
    ///
    /// The worker may still wait for an order in its former team. While it waits, it reads only
    /// `region` of this slot, which stays.
    pub(crate) fn of_worker(worker: &Thread) -> &'static Slot {
        // SAFETY: null or the worker's slot; slots are never freed.
        let Some(slot) = (unsafe { worker.seat.load(Ordering::Relaxed).as_ref() }) else {
            let slot = Slot::of_thread(worker);
            worker.seat.store(core::ptr::from_ref(slot).cast_mut(), Ordering::Release);
            return slot;
        };
        slot.range.forget();
        let Published { arrived, joined, left, shares_done, .. } = &*slot.published;
        for word in [arrived, joined, left, shares_done] {
            word.store(0, Ordering::Relaxed);
        }
        // The worker writes nothing before its order comes, and only the caller gives it one.
        let own = Owner::of(slot);
        slot.singles_taken.set(own, 0);
        slot.beyond.set(own, 0);
        slot.place.set(own, -1);
        slot.show.set(own, false);
        slot.partition.set(own, (-1, -1));
        slot.tasks.forget_region(own);
        slot.cancel_told.set(own, 0);
        slot.partial.forget();
        slot
    }

    /// Returns the thread that has the slot. Only for slots of the current region.
    #[inline(always)]
    pub fn thread(&self) -> &'static Thread {
        // SAFETY: set when the slot was staffed; records are never freed.
        unsafe { &*self.thread.get() }
    }

    /// Makes `thread` member `num` of a region: sets the counters, the implicit task, and the
    /// thread's own words. The task comes first, so that a signal handler never sees a team without
    /// a task in it. `prepared`: the primary has prepared the region's first worksharing construct.
    /// The caller has dropped the record that was prepared for the thread's current task
    /// (`tasks::drop_prepared`).
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
        // A worker has the right to the slot by its order, the primary by its own call.
        let own = Owner::of(self);
        self.region.set(own, region);
        self.epoch.set(own, base);
        self.singles.set(own, base);
        self.share.enter(own, base, prepared);
        self.published.shares_done.store(base, Ordering::Relaxed);
        Owner::of(&self.task).become_implicit(team, TaskFlags::IMPLICIT);
        thread.task.set(thread.as_owner(), core::ptr::from_ref(&self.task).cast_mut());
        thread.slot.set(thread.as_owner(), core::ptr::from_ref(self).cast_mut());
        thread.num.set(thread.as_owner(), num);
        thread.as_owner().set_team(team);
    }
}

impl Owner<'_, Slot> {
    /// Returns the number after `latest`, for things besides barriers, constructs and `single`s
    /// that all members count alike. Each region counts from its own base (`REGION_SHIFT`).
    #[inline]
    pub(crate) fn number_after(self, latest: u64) -> u64 {
        let base = self.region.get() << REGION_SHIFT;
        let number = (latest + 1).max(base + 1);
        if (number - base) >> REGION_SHIFT != 0 {
            self.beyond.set(self, number);
        }
        number
    }

    /// Keeps the implicit task's own ICVs, and returns their address. No code holds a reference to
    /// the former ones.
    pub(crate) fn keep_icvs(self, icvs: Icvs) -> *const Icvs {
        self.own_icvs.set(self, icvs);
        self.own_icvs.cell().as_ptr()
    }
}

impl Owner<'_, Thread> {
    /// Returns the thread's slot in its current team.
    #[inline(always)]
    pub(crate) fn slot(self) -> Owner<'static, Slot> {
        Owner::of(self.record().slot())
    }
}
