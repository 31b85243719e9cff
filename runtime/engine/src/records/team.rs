//! The record of a team.
//!
//! A team has four kinds of lines: words that the primary seldom changes and members read; words
//! that the primary writes for each region; words that any member writes, each on a line of its
//! own; and the worksharing constructs under way. `lines.rs` checks the layout, `team/README.md`
//! names the writers.

use super::seats::Seats;
use super::words::{Flag, Pointer, Word};
use super::{
    Construct, Constructs, Courtesy, FAN, MeetingTree, Owner, OwnerWord, Shape, ShapeWord, Site,
    Slot, Task, TeamTasks, Thread,
};
use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use crossbeam_utils::CachePadded;
use omphalos_events::{Cancel, Identity};
use omphalos_settings::Icvs;
use omphalos_sync::cancel::Mark;
use omphalos_sync::census::Census;
use omphalos_sys::entry::Caller;
use omphalos_sys::fp_control::FpControl;

/// How tools are told of a region.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Watch {
    /// No tool is attached.
    Not,
    /// Tools are told of the region's events.
    Told,
    /// The only tool wants the region summed (`team/summed.rs`).
    Summed,
}

/// The record of a team.
#[repr(C, align(128))]
pub struct Team {
    /// A number that no other team has.
    pub id: u32,
    /// The number of threads of the current region.
    pub size: Word<Team>,
    /// Nesting level of the current region: 0 for an initial team.
    pub level: OwnerWord<u32, Team>,
    /// The number of enclosing regions, this one included, that have more than one thread.
    pub active_level: OwnerWord<u32, Team>,
    /// The number of threads that work at once, as far as this chain of nested regions and other
    /// initial threads know.
    pub busy: Word<Team>,
    /// The number of threads of the current region that the process-wide count includes
    /// (`crowd.rs`).
    pub counted: Word<Team>,
    /// The number of threads that the current region took from its contention group's limit.
    pub claimed: Word<Team>,
    /// Whether this is the initial team of a contention group inside another one (`target` on the
    /// host, a team of a league).
    pub contends_apart: OwnerWord<bool, Team>,
    /// For the initial team of a `target` region on a device: the device's number + 1; else 0.
    pub on_device: OwnerWord<u8, Team>,
    /// For such a team, if a tool is attached: the construct, as long as the region runs. Else
    /// null.
    pub on_construct: OwnerWord<*const Construct, Team>,
    /// In the initial team of a contention group with a limit: the number of the group's threads
    /// besides the first.
    pub extra: AtomicU32,
    /// The way in which the members of the current region meet.
    pub shape: ShapeWord,
    /// The combining tree, null before the first region that needs one. A larger one may replace it
    /// between regions. Trees are never freed: a member that lags may still read one.
    pub tree: Pointer<MeetingTree, Team>,
    /// Time-stamp cycles that a wait in this team spins before it sleeps.
    pub spin: OwnerWord<u64, Team>,
    /// Whether more threads work at once than there are processors. All members of a region see the
    /// same value. A member that has joined also reads it, when it begins to wait for its next
    /// order.
    pub crowded: Flag<Team>,
    /// The way in which tools are told of the region. If they are told, members acknowledge its end
    /// (`team/README.md`).
    pub watched: OwnerWord<Watch, Team>,
    /// In a summed region: the tool's word for the region's site.
    pub summed: OwnerWord<u64, Team>,
    /// In a watched region: whether tools may be told that workers end after the primary, so that
    /// no member acknowledges the end.
    pub ends_late: OwnerWord<bool, Team>,
    /// The primary thread.
    pub primary: OwnerWord<*const Thread, Team>,
    /// The primary's team outside this region.
    pub parent: OwnerWord<*mut Team, Team>,
    /// The encountering task.
    pub parent_task: OwnerWord<*mut Task, Team>,
    /// The primary's slot in the parent team.
    pub parent_slot: OwnerWord<*mut Slot, Team>,
    /// The primary's number in the parent team.
    pub parent_num: OwnerWord<u32, Team>,
    /// Slots, by thread number; at least `size` of them (`seats.rs`).
    pub slots: Pointer<AtomicPtr<Slot>, Team>,
    /// The number of slots.
    pub capacity: Word<Team>,
    /// The number of members that a region may take without a look at their slots; at most
    /// `capacity`.
    pub staffed: Word<Team>,
    /// The array that `slots` points into. Only the primary uses it.
    pub(super) seats: OwnerWord<*const Seats, Team>,
    /// The floating-point control words with which the members begin, and with which the primary
    /// goes on after the region.
    pub fp_control: OwnerWord<FpControl, Team>,
    /// The ICVs that the implicit tasks inherit.
    icvs: UnsafeCell<Icvs>,
    /// The league of a teams construct: its number of teams, and this team's number.
    pub league: OwnerWord<(u32, u32), Team>,
    /// The league's region while this is one of its teams, run beside others; else null.
    pub league_of: Pointer<Team, Team>,
    /// For the team of a free-agent thread: the team whose task it executes; else the team itself.
    pub stands_for: Pointer<Team, Team>,
    /// Begins a cache line for the words that change with each region. On the line of the words
    /// that members read, they would cost each member one more line transfer.
    line_of_region: CachePadded<()>,
    /// Sequence number of the current region. Written by the primary only.
    pub region: OwnerWord<u64, Team>,
    /// Return address of the region's call into the runtime.
    pub codeptr: OwnerWord<u64, Team>,
    /// The address of the region's code.
    pub function: OwnerWord<u64, Team>,
    /// Id and data words of the region.
    pub identity: Identity,
    /// Members asleep in this team's waits. Written by sleepers, read by wakers (SeqCst pair).
    pub sleepers: CachePadded<AtomicU32>,
    /// The region that last had deferred tasks. Written by the first task's creator (release).
    pub tasks_region: CachePadded<AtomicU64>,
    /// The barrier epoch up to which all tasks are known to be done.
    pub done_barrier: CachePadded<AtomicU64>,
    /// The latest region that is completely over (`team/README.md`).
    pub done_join: CachePadded<AtomicU64>,
    /// The latest barrier epoch at which all have arrived, in a region of shape `Central`.
    pub released: CachePadded<AtomicU64>,
    /// The times by which the member that comes last to a barrier decides whether it gives way to
    /// the others.
    pub courtesy: Courtesy,
    /// The latest region that all members have joined, if they meet in the tree.
    pub all_joined: CachePadded<AtomicU64>,
    /// The latest region that all members have left for good, if they meet in the tree.
    pub all_left: AtomicU64,
    /// The number of the latest `single` construct that was taken. The winner of the next one
    /// advances it.
    pub single: CachePadded<AtomicU64>,
    /// Cancellation of the current region: `Cancel::PARALLEL` or 0 (`cancel.rs`).
    pub cancelled: CachePadded<AtomicU32>,
    /// The latest cancelled worksharing construct (`cancel.rs`).
    pub cancelled_share: Mark,
    /// The data that the winner of a `single` gives the others (copyprivate).
    pub copyprivate: CachePadded<AtomicPtr<c_void>>,
    /// Worksharing constructs under way.
    pub constructs: Constructs,
    /// Tasking state of the team.
    pub tasks: TeamTasks,
    /// In a region on a device: the place of its construct, as its dialect knows it; null if
    /// unknown.
    pub on_site: OwnerWord<*const Site, Team>,
}

omphalos_layout::describe!(Team {
    id,
    size,
    level,
    active_level,
    contends_apart,
    shape,
    watched,
    primary,
    parent,
    parent_task,
    parent_slot,
    parent_num,
    on_device,
    slots,
    capacity,
    icvs,
    league,
    league_of,
    stands_for,
    region,
    codeptr,
    function,
    identity,
    tasks_region,
    done_barrier,
    done_join,
    cancelled,
    tasks
});

// SAFETY: the primary alone writes an `OwnerWord` and the ICVs, while no member is in a region of
// this team, and the gates publish them; the rest are atomics.
unsafe impl Sync for Team {}

impl Team {
    /// Makes a team without a primary thread.
    pub(crate) fn new() -> &'static Team {
        static TEAMS: AtomicU32 = AtomicU32::new(0);
        let team: &'static Team = Box::leak(Box::new(Team {
            id: TEAMS.fetch_add(1, Ordering::Relaxed),
            size: Word::new(0),
            level: OwnerWord::new(0),
            active_level: OwnerWord::new(0),
            busy: Word::new(1),
            counted: Word::new(0),
            claimed: Word::new(0),
            contends_apart: OwnerWord::new(false),
            on_device: OwnerWord::new(0),
            on_construct: OwnerWord::new(core::ptr::null()),
            on_site: OwnerWord::new(core::ptr::null()),
            extra: AtomicU32::new(0),
            shape: ShapeWord::flat(),
            tree: Pointer::null(),
            spin: OwnerWord::new(0),
            crowded: Flag::new(false),
            watched: OwnerWord::new(Watch::Not),
            ends_late: OwnerWord::new(false),
            primary: OwnerWord::new(core::ptr::null()),
            parent: OwnerWord::new(core::ptr::null_mut()),
            parent_task: OwnerWord::new(core::ptr::null_mut()),
            parent_slot: OwnerWord::new(core::ptr::null_mut()),
            parent_num: OwnerWord::new(0),
            slots: Pointer::null(),
            capacity: Word::new(0),
            staffed: Word::new(0),
            seats: OwnerWord::new(core::ptr::null()),
            fp_control: OwnerWord::new(FpControl::NONE),
            icvs: UnsafeCell::new(Icvs::initial()),
            league: OwnerWord::new((1, 0)),
            league_of: Pointer::null(),
            stands_for: Pointer::null(),
            line_of_region: CachePadded::new(()),
            region: OwnerWord::new(0),
            codeptr: OwnerWord::new(0),
            function: OwnerWord::new(0),
            summed: OwnerWord::new(0),
            identity: Identity::new(),
            sleepers: CachePadded::new(AtomicU32::new(0)),
            tasks_region: CachePadded::new(AtomicU64::new(0)),
            done_barrier: CachePadded::new(AtomicU64::new(0)),
            done_join: CachePadded::new(AtomicU64::new(0)),
            released: CachePadded::new(AtomicU64::new(0)),
            courtesy: Courtesy::new(),
            all_joined: CachePadded::new(AtomicU64::new(0)),
            all_left: AtomicU64::new(0),
            single: CachePadded::new(AtomicU64::new(0)),
            cancelled: CachePadded::new(AtomicU32::new(0)),
            cancelled_share: Mark::new(),
            copyprivate: CachePadded::new(AtomicPtr::new(core::ptr::null_mut())),
            constructs: Constructs::new(),
            tasks: TeamTasks::new(),
        }));
        team.stands_for.set(team.as_owner(), core::ptr::from_ref(team).cast_mut());
        team
    }

    /// Returns the right to write the team. Only for the primary thread, while no other member is
    /// in a region of the team; if the team has no primary, for its maker.
    #[inline(always)]
    pub(crate) fn as_owner(&self) -> Owner<'_, Team> {
        // SAFETY: null or a thread's record, which is never freed.
        let primary = || unsafe { self.primary.get().as_ref() };
        debug_assert!(primary().is_none_or(Thread::is_mine_or_nobodys), "another thread's team");
        Owner::of(self)
    }

    /// Returns the program's call that began the current region.
    pub(crate) fn caller(&self) -> Caller {
        Caller::noted(self.codeptr.cell())
    }

    /// Returns the slot of member `num`, which must be below `capacity`.
    #[inline(always)]
    pub fn slot(&self, num: u32) -> &'static Slot {
        debug_assert!(num < self.capacity.get());
        // SAFETY: slots and their arrays are never freed; `num` is below the capacity.
        unsafe { &*(*self.slots.get().add(num as usize)).load(Ordering::Relaxed) }
    }

    /// Returns the slots of the current region's members.
    #[inline(always)]
    pub fn members(&self) -> impl Iterator<Item = &'static Slot> + Clone + '_ {
        (0..self.size.get()).map(|num| self.slot(num))
    }

    /// Returns the ICVs that the implicit tasks inherit.
    #[inline(always)]
    pub fn icvs(&self) -> &Icvs {
        // SAFETY: written by the primary between regions only.
        unsafe { &*self.icvs.get() }
    }

    /// Returns the combining tree, if the members of the current region meet in it.
    #[inline(always)]
    pub fn meeting_tree(&self) -> Option<&'static MeetingTree> {
        if self.shape.get() == Shape::Flat {
            return None;
        }
        // SAFETY: null or a tree that is never freed.
        unsafe { self.tree.get().as_ref() }
    }

    /// Whether the members of the current region meet in the combining tree.
    #[inline(always)]
    pub fn meets_in_tree(&self) -> bool {
        self.shape.get() != Shape::Flat
    }

    /// Returns the census of the current region's members that have tasks, if they meet in the
    /// combining tree.
    #[inline(always)]
    pub fn census(&self) -> Option<&'static Census<{ FAN as usize }>> {
        self.meeting_tree().map(|tree| &tree.census)
    }

    /// Returns the identity by which tools know the region; for a team of a league, the league's.
    pub fn shown_identity(&self) -> &Identity {
        // SAFETY: teams are never freed.
        unsafe { self.league_of.get().as_ref() }.map_or(&self.identity, |league| &league.identity)
    }

    /// Returns the parent team; `None` for an initial team.
    pub fn parent(&self) -> Option<&'static Team> {
        // SAFETY: teams are never freed.
        unsafe { self.parent.get().as_ref() }
    }

    /// Whether the team's waiting members go to sleep at once or soon. In other teams, threads
    /// sleep seldom, and a waker may leave out a fence, because a sleeper there looks again by
    /// itself.
    #[inline(always)]
    pub fn sleeps_soon(&self) -> bool {
        self.crowded.get() || self.spin.get() == 0
    }

    /// Whether the region that `thread` is in had deferred tasks so far.
    #[inline(always)]
    pub fn has_tasks(&self, thread: &Thread) -> bool {
        self.tasks_region.load(Ordering::Acquire) == thread.slot().region.get()
    }

    /// Whether this is a forked child that has lost tasks of the team's region (`tasks/lost.rs`).
    /// Only for a region that has tasks.
    #[inline(always)]
    pub(crate) fn has_lost_tasks(&self) -> bool {
        let lost_in = self.tasks.lost_in.load(Ordering::Relaxed);
        lost_in == self.tasks_region.load(Ordering::Relaxed)
    }

    /// Whether tools are told of the region's events.
    #[inline(always)]
    pub(crate) fn is_told(&self) -> bool {
        self.watched.get() == Watch::Told
    }

    /// Whether the team's region was cancelled.
    #[inline(always)]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst) & Cancel::PARALLEL != 0
    }
}

impl Owner<'_, Team> {
    /// Returns the slot of member `num`, to write. The primary may write it until the member has
    /// its order.
    #[inline(always)]
    pub(crate) fn member(self, num: u32) -> Owner<'static, Slot> {
        Owner::of(self.slot(num))
    }

    /// Changes the ICVs that the implicit tasks inherit.
    #[inline(always)]
    pub(crate) fn set_icvs(self, icvs: Icvs) {
        // SAFETY: only the primary writes them, and no member reads them now.
        unsafe { *self.icvs.get() = icvs };
    }
}
