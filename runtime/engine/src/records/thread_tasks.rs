//! A thread's tasking state: the tasks that it executes, its search for more tasks, its unused
//! records.

use super::{Depend, Group, Node, OwnerWord, Slot, Task, Team, Thread};
use core::cell::Cell;
use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, Ordering};
use crossbeam_utils::CachePadded;
use omphalos_sync::returns::Returns;

/// The thing that a thread waits for: the count of a task's children or of a group's tasks, or a
/// node of its own. Only the address is used.
pub(crate) type Wanted = *const ();

/// The number of size classes of task records. A record of class `c` has `SMALLEST_RECORD_BYTES <<
/// c` bytes with its payload.
pub(crate) const CLASSES: usize = 32;
pub(crate) const SMALLEST_RECORD_BYTES: usize = 256;

/// A thread's tasking state. Only the thread writes it, except the atomics.
pub struct ThreadTasks {
    /// The task in which the thread waits, and the thing that it waits for: a count, or a node
    /// (`reach.rs`).
    pub(crate) wants: OwnerWord<(*const Task, Wanted)>,
    /// For a free agent, the team that waits for the end of the task that it executes. Null for
    /// other threads.
    pub(crate) owes: OwnerWord<*const Team>,
    /// The tasks that the thread executes one on top of the other. Null without explicit tasks, or
    /// without a tool.
    pub(crate) running: OwnerWord<*const Running>,
    /// Whether the task that begins next interrupts a taskyield.
    pub(crate) yields: OwnerWord<bool>,
    /// Whether the thread's latest task made waiting tasks ready, which are in the thread's own
    /// deque.
    pub(crate) released: OwnerWord<bool>,
    /// The time before which the thread does not look for tasks of other members (time-stamp
    /// cycles; `find.rs`, `reach.rs`).
    pub(crate) searches_from: OwnerWord<u64>,
    /// The member from which the thread takes no task for some time.
    pub(crate) spared: Spared,
    /// The number of times that the thread has looked for a task of other members.
    pub(crate) searches: OwnerWord<u32>,
    /// The number of tasks that the thread executed from the latest queue entry that it took from
    /// another member: a taskloop's ticket stands for several tasks.
    pub(crate) got: OwnerWord<u32>,
    /// The member from which the thread last took a task with a priority, and the latest random
    /// number (`ranked.rs`).
    pub(crate) source: OwnerWord<u32>,
    pub(crate) dice: OwnerWord<u32>,
    /// A record that is defined as a child of the current task in its current state, or null
    /// (`prepared.rs`).
    pub prepared: OwnerWord<*const Task>,
    /// The number of tasks that the thread may execute at once before it asks again whether to
    /// queue them (`unseen.rs`); below 0: none. It means nothing while `prepared` is null. Threads
    /// that look for tasks in vain set it to 0.
    pub ready: AtomicI32,
    /// The number of tasks that the thread has executed at once, or was about to, because enough
    /// were queued. Other threads compare it with the number that they read before (`spare.rs`).
    pub(crate) at_once: AtomicU32,
    /// The end of the thread's deque when the deque was full the last time, and the latest region
    /// in which other threads emptied it from there (`define.rs`).
    pub(crate) full_at: OwnerWord<u64>,
    pub(crate) emptied_in: OwnerWord<u64>,
    /// The number of tasks with dependences that the thread has made in a row, and the number of
    /// children that waited when the row began (`dependent.rs`).
    pub(crate) row: OwnerWord<(u32, i64)>,
    /// The dependences that the thread's latest `if(0)` construct with an event has waited for.
    /// They belong to the task that the thread begins next (`detach.rs`).
    pub(crate) waited_for: OwnerWord<Vec<Depend>>,
    /// The code of the latest taskloop for which the thread learned the number of shares to begin
    /// with, and that number (`split.rs`).
    pub(crate) first_lease: OwnerWord<(*const c_void, u64)>,
    pub(crate) unused: [OwnerWord<*mut Task>; CLASSES],
    /// The free rest of the current block: its address and its end.
    pub(crate) block: OwnerWord<(usize, usize)>,
    /// The latest of the thread's blocks, null before the first.
    pub(crate) latest: OwnerWord<*const RecordBlock>,
    pub(crate) batch: Batch,
    pub(crate) detained: Detained,
    /// Nodes of tasks with dependences.
    pub(crate) nodes: Pool,
    /// Unused groups.
    pub(crate) groups: OwnerWord<*mut Group>,
    pub(crate) returned: CachePadded<[Returns<Task>; CLASSES]>,
}

omphalos_layout::describe!(ThreadTasks {
    wants,
    running,
    prepared,
    unused,
    latest,
    batch,
    returned
});

/// The head of a block of records. The runtime does not read it: by it debuggers find all records,
/// and leak checkers find each block.
#[repr(C, align(128))]
pub(crate) struct RecordBlock {
    /// The block that the thread made before this one.
    before: *const RecordBlock,
    /// The end of its records. They stand after this head, one after the other, and the payload of
    /// each determines its length.
    used: Cell<usize>,
}

omphalos_layout::describe!(RecordBlock { before, used });

impl RecordBlock {
    /// Makes the head of a block without records, made after `before`; the first record goes to
    /// `at`.
    pub(crate) fn new(before: *const RecordBlock, at: usize) -> RecordBlock {
        RecordBlock { before, used: Cell::new(at) }
    }

    /// Sets the end of the block's records. For the thread that made the block.
    ///
    /// # Safety
    /// The memory up to `at` belongs to the block, and no other thread makes records in it.
    pub(crate) unsafe fn ends_at(&self, at: usize) {
        self.used.set(at);
    }
}

/// Records of one other thread and one class on their way home: a chain, by its newest and its
/// oldest.
pub(crate) struct Batch {
    pub(crate) home: OwnerWord<*const Thread>,
    pub(crate) class: OwnerWord<usize>,
    pub(crate) first: OwnerWord<*mut Task>,
    pub(crate) last: OwnerWord<*mut Task>,
    pub(crate) count: OwnerWord<u32>,
}

omphalos_layout::describe!(Batch { home, first });

/// Used records under ThreadSanitizer, oldest first.
pub(crate) struct Detained {
    pub(crate) first: OwnerWord<*mut Task>,
    pub(crate) last: OwnerWord<*mut Task>,
    pub(crate) count: OwnerWord<u32>,
}

impl ThreadTasks {
    /// Makes the state of a thread that has had no task.
    pub const fn new() -> Self {
        ThreadTasks {
            wants: OwnerWord::new((core::ptr::null(), core::ptr::null())),
            owes: OwnerWord::new(core::ptr::null()),
            running: OwnerWord::new(core::ptr::null()),
            yields: OwnerWord::new(false),
            released: OwnerWord::new(false),
            searches_from: OwnerWord::new(0),
            spared: Spared::new(),
            searches: OwnerWord::new(0),
            got: OwnerWord::new(0),
            source: OwnerWord::new(0),
            dice: OwnerWord::new(0),
            prepared: OwnerWord::new(core::ptr::null()),
            full_at: OwnerWord::new(u64::MAX),
            emptied_in: OwnerWord::new(u64::MAX),
            row: OwnerWord::new((0, 0)),
            waited_for: OwnerWord::new(Vec::new()),
            first_lease: OwnerWord::new((core::ptr::null(), 0)),
            ready: AtomicI32::new(0),
            at_once: AtomicU32::new(0),
            unused: [const { OwnerWord::new(core::ptr::null_mut()) }; CLASSES],
            block: OwnerWord::new((0, 0)),
            latest: OwnerWord::new(core::ptr::null()),
            batch: Batch {
                home: OwnerWord::new(core::ptr::null()),
                class: OwnerWord::new(0),
                first: OwnerWord::new(core::ptr::null_mut()),
                last: OwnerWord::new(core::ptr::null_mut()),
                count: OwnerWord::new(0),
            },
            nodes: Pool::new(),
            detained: Detained {
                first: OwnerWord::new(core::ptr::null_mut()),
                last: OwnerWord::new(core::ptr::null_mut()),
                count: OwnerWord::new(0),
            },
            groups: OwnerWord::new(core::ptr::null_mut()),
            returned: CachePadded::new([const { Returns::new() }; CLASSES]),
        }
    }
}

impl ThreadTasks {
    /// Counts tasks that the thread executes at once.
    #[inline(always)]
    pub(crate) fn count_at_once(&self, tasks: u32) {
        let at_once = self.at_once.load(Ordering::Relaxed);
        self.at_once.store(at_once.wrapping_add(tasks), Ordering::Relaxed);
    }

    /// Returns the number of tasks that the thread has executed at once so far. It wraps.
    #[inline(always)]
    pub(crate) fn executed_at_once(&self) -> u32 {
        self.at_once.load(Ordering::Relaxed)
    }
}

impl Default for ThreadTasks {
    fn default() -> Self {
        Self::new()
    }
}

/// A task that a thread executes on top of another one. These entries are the thread's stack of
/// tasks and stand on its stack of calls. They are kept for tools only: a task's own record has its
/// parent, which made it, and not the task that it interrupted.
pub(crate) struct Running {
    /// The task.
    pub task: *const Task,
    /// The task that it interrupted.
    pub prior: *const Task,
    /// The entry below.
    pub below: *const Running,
}

omphalos_layout::describe!(Running { task, prior, below });

/// The thread's knowledge of the member from which it took a tiny task.
pub(crate) struct Spared {
    /// The member, if it is spared.
    pub(crate) whom: OwnerWord<*const Slot>,
    /// The begin and the end of the time for which the member is spared (time-stamp cycles).
    pub(crate) since: OwnerWord<u64>,
    pub(crate) until: OwnerWord<u64>,
    /// The number of tasks that the member had made, finished and executed at once at the begin of
    /// this time.
    pub(crate) done: OwnerWord<u32>,
    /// Tiny tasks that may be taken before the next look.
    pub(crate) trust: OwnerWord<u32>,
}

impl Spared {
    /// Makes the knowledge of a thread that spares no member.
    pub(crate) const fn new() -> Spared {
        Spared {
            whom: OwnerWord::new(core::ptr::null()),
            since: OwnerWord::new(0),
            until: OwnerWord::new(0),
            done: OwnerWord::new(0),
            trust: OwnerWord::new(0),
        }
    }
}

/// A thread's nodes.
pub struct Pool {
    pub(crate) unused: OwnerWord<*const Node>,
    pub(crate) returned: CachePadded<AtomicPtr<Node>>,
}

impl Pool {
    /// Makes an empty pool.
    pub const fn new() -> Pool {
        let returned = CachePadded::new(AtomicPtr::new(core::ptr::null_mut()));
        Pool { unused: OwnerWord::new(core::ptr::null()), returned }
    }
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}
