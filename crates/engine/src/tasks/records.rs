//! Where task records come from and go to.
//!
//! Each thread keeps unused records by size class and takes new ones from blocks of its own. A
//! record that another thread frees goes back to its home thread: first into a small batch, then the
//! batch onto the home's list of returns, which the home takes whole when its own list is empty. So
//! a program that makes tasks on one thread and runs them on another does not grow, and neither
//! thread touches a line of the other more than once a batch.
//! Only the owner touches `unused`; what comes back is `omphalos_sync::returns`'.

use super::depend::{Pool, Wanted};
use super::execute::Running;
use super::group::Group;
use super::spare::Spared;
use crate::records::{Task, Team, Thread};
use core::cell::Cell;
use core::mem::size_of;
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use crossbeam_utils::CachePadded;
use omphalos_sync::returns::Returns;
use omphalos_sys::sanitizer::thread_sanitizer;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};

/// Record sizes: `SMALLEST << class` bytes with the payload.
const CLASSES: usize = 32;
pub(super) const SMALLEST: usize = 256;
/// Records up to this size come from blocks.
const LARGEST_CLASS_BYTES: usize = 4096;
const BLOCK_BYTES: usize = 1 << 16;
/// How many used records a thread keeps under ThreadSanitizer before it frees the oldest.
const DETAINED_RECORDS: u32 = 1024;
/// How many records of another thread are collected before they are given back.
const RECORDS_A_BATCH: u32 = 32;

/// A thread's tasking state.
pub struct ThreadTasks {
    /// The task in which the thread waits, and what for: a count, or a node (`reach.rs`).
    pub(super) wants: Cell<(*const Task, Wanted)>,
    /// A free agent's: the team that waits for the end of the task that it executes. Null for others.
    pub(super) owes: Cell<*const Team>,
    /// What the thread executes on top of what; null without explicit tasks (or tools).
    pub(crate) running: Cell<*const Running>,
    /// The task that begins next interrupts a taskyield.
    pub(super) yields: Cell<bool>,
    /// Its latest task made others ready, which waited for it, in the thread's own deque.
    pub(super) released: Cell<bool>,
    /// Until when the thread does not look for tasks of others (time-stamp cycles; `reach.rs`).
    pub(super) rests_until: Cell<u64>,
    /// Whom it leaves alone.
    pub(super) spared: Spared,
    /// How often it has looked for a task of others.
    pub(super) searches: Cell<u32>,
    /// How many tasks it executed of what it took from another one last: a taskloop's ticket stands for several.
    pub(super) got: Cell<u32>,
    /// The member that it had a task with a priority from last, and the latest number by chance
    /// (`ranked.rs`).
    pub(super) source: Cell<u32>,
    pub(super) dice: Cell<u32>,
    /// A record that is defined as a child of the current task as that is now, or null (`unseen.rs`).
    pub prepared: Cell<*const Task>,
    /// How many tasks the thread may execute at once before it looks again whether it had better
    /// queue them (`unseen.rs`); below 0: none. While `prepared` is null it means nothing. Others that look for
    /// tasks set it to 0.
    pub ready: AtomicI32,
    /// How many tasks the thread executed at once because enough were queued, or was about to: others compare it
    /// with what they saw before (`spare.rs`).
    at_once: AtomicU32,
    unused: [Cell<*mut Task>; CLASSES],
    /// The rest of the current block: address and end.
    block: Cell<(usize, usize)>,
    /// The latest of its blocks, null before the first.
    latest: Cell<*const Block>,
    batch: Batch,
    detained: Detained,
    /// Nodes of tasks with dependences.
    pub(super) nodes: Pool,
    /// Unused groups.
    pub(super) groups: Cell<*mut Group>,
    returned: CachePadded<[Returns<Task>; CLASSES]>,
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

/// What a block of records begins with. The runtime does not read it: who looks from outside finds all records by it,
/// and tools that look for leaks find each block.
#[repr(C, align(128))]
pub(super) struct Block {
    /// The one that the thread made before it.
    before: *const Block,
    /// Where its records end: they stand behind this one after the other, each as long as its payload says.
    used: Cell<usize>,
}

omphalos_layout::describe!(Block { before, used });

/// Records of one other thread and one class on their way home: newest and oldest of a chain.
pub(super) struct Batch {
    home: Cell<*const Thread>,
    class: Cell<usize>,
    first: Cell<*mut Task>,
    last: Cell<*mut Task>,
    count: Cell<u32>,
}

omphalos_layout::describe!(Batch { home, first });

/// Used records under ThreadSanitizer, oldest first.
struct Detained {
    first: Cell<*mut Task>,
    last: Cell<*mut Task>,
    count: Cell<u32>,
}

impl ThreadTasks {
    /// Empty.
    pub const fn new() -> Self {
        ThreadTasks {
            wants: Cell::new((core::ptr::null(), core::ptr::null())),
            owes: Cell::new(core::ptr::null()),
            running: Cell::new(core::ptr::null()),
            yields: Cell::new(false),
            released: Cell::new(false),
            rests_until: Cell::new(0),
            spared: Spared::new(),
            searches: Cell::new(0),
            got: Cell::new(0),
            source: Cell::new(0),
            dice: Cell::new(0),
            prepared: Cell::new(core::ptr::null()),
            ready: AtomicI32::new(0),
            at_once: AtomicU32::new(0),
            unused: [const { Cell::new(core::ptr::null_mut()) }; CLASSES],
            block: Cell::new((0, 0)),
            latest: Cell::new(core::ptr::null()),
            batch: Batch {
                home: Cell::new(core::ptr::null()),
                class: Cell::new(0),
                first: Cell::new(core::ptr::null_mut()),
                last: Cell::new(core::ptr::null_mut()),
                count: Cell::new(0),
            },
            nodes: Pool::new(),
            detained: Detained {
                first: Cell::new(core::ptr::null_mut()),
                last: Cell::new(core::ptr::null_mut()),
                count: Cell::new(0),
            },
            groups: Cell::new(core::ptr::null_mut()),
            returned: CachePadded::new([const { Returns::new() }; CLASSES]),
        }
    }
}

impl ThreadTasks {
    /// The thread executes so many tasks at once.
    #[inline(always)]
    pub(super) fn count_at_once(&self, tasks: u32) {
        let at_once = self.at_once.load(Ordering::Relaxed);
        self.at_once.store(at_once.wrapping_add(tasks), Ordering::Relaxed);
    }

    /// How many it has executed at once so far: a number that wraps.
    #[inline(always)]
    pub(super) fn executed_at_once(&self) -> u32 {
        self.at_once.load(Ordering::Relaxed)
    }
}

impl Default for ThreadTasks {
    fn default() -> Self {
        Self::new()
    }
}

/// The class of records with so large a payload.
#[inline(always)]
fn class_of(payload: usize) -> usize {
    if payload <= SMALLEST - size_of::<Task>() {
        return 0;
    }
    let units = (payload + size_of::<Task>()).div_ceil(SMALLEST);
    units.next_power_of_two().trailing_zeros() as usize
}

/// An unused record with at least `payload` bytes behind it (aligned to 64).
#[inline(always)]
pub(super) fn take(thread: &Thread, payload: usize) -> &'static Task {
    let class = class_of(payload);
    let list = &thread.tasks.unused[class % CLASSES];
    let record = list.get();
    // SAFETY: lists hold records, which are never freed.
    let task = match unsafe { record.as_ref() } {
        Some(task) => {
            list.set(task.parent.get());
            task
        }
        None => take_returned(thread, class),
    };
    if task.payload.get() != payload {
        task.payload.set(payload);
    }
    task
}

/// A record of the smallest class of the thread's own, for [`give_own`].
#[inline(always)]
pub(super) fn take_own(thread: &Thread) -> &'static Task {
    let list = &thread.tasks.unused[0];
    // SAFETY: as in `take`.
    match unsafe { list.get().as_ref() } {
        Some(task) => {
            list.set(task.parent.get());
            task
        }
        None => take_returned(thread, 0),
    }
}

/// Gives back what [`take_own`] gave to the same thread.
#[inline(always)]
pub(super) fn give_own(thread: &Thread, task: &'static Task) {
    let list = &thread.tasks.unused[0];
    task.parent.set(list.get());
    list.set(core::ptr::from_ref(task).cast_mut());
}

/// A record that others gave back, or a new one.
///
/// A thread comes here at the latest when each of its records was finished by another thread once: so the counts that
/// others finish tasks of are balanced often enough.
#[cold]
#[inline(never)]
fn take_returned(thread: &Thread, class: usize) -> &'static Task {
    balance(thread);
    let returned = &thread.tasks.returned[class % CLASSES];
    // SAFETY: as in `take`.
    match unsafe { returned.take().as_ref() } {
        Some(task) => {
            thread.tasks.unused[class % CLASSES].set(task.parent.get());
            task
        }
        None => make(thread, class),
    }
}

fn balance(thread: &Thread) {
    // SAFETY: null before the thread is in a team, or the current task.
    let Some(task) = (unsafe { thread.task.get().as_ref() }) else { return };
    task.children.balance(thread);
    // SAFETY: null or the task's innermost group.
    if let Some(group) = unsafe { task.group.get().as_ref() } {
        group.count.balance(thread);
    }
}

fn make(thread: &Thread, class: usize) -> &'static Task {
    let size = SMALLEST << class;
    let alone = thread_sanitizer();
    let address = if alone { memory(size).cast() } else { in_block(thread, size) as *mut Task };
    // SAFETY: fresh memory of at least the record's size and alignment.
    let task = unsafe {
        address.write(Task::new());
        &*address
    };
    if !alone {
        task.home.set(thread);
    }
    task
}

/// Memory for a record of this size: the next of the latest block, or the first of a new one.
fn in_block(thread: &Thread, size: usize) -> usize {
    let tasks = &thread.tasks;
    let (mut at, mut end) = tasks.block.get();
    if at + size > end {
        let room =
            if size <= LARGEST_CLASS_BYTES { BLOCK_BYTES } else { size_of::<Block>() + size };
        let block = memory(room).cast::<Block>();
        at = block as usize + size_of::<Block>();
        end = block as usize + room;
        // SAFETY: fresh memory that is aligned for it.
        unsafe { block.write(Block { before: tasks.latest.get(), used: Cell::new(at) }) };
        tasks.latest.set(block);
    }
    // SAFETY: not null once there is room in it.
    unsafe { (*tasks.latest.get()).used.set(at + size) };
    tasks.block.set((at + size, end));
    at
}

fn layout(size: usize) -> Layout {
    // The alignment is a power of two and sizes are far from overflow.
    Layout::from_size_align(size, 128).unwrap_or_else(|_| std::process::abort())
}

fn memory(size: usize) -> *mut u8 {
    let layout = layout(size);
    // SAFETY: the size is not 0.
    let memory = unsafe { alloc(layout) };
    if memory.is_null() {
        handle_alloc_error(layout);
    }
    memory
}

/// Gives a record back. Its count is fresh, it has no node, ICVs or ends of its own.
#[inline(always)]
pub(super) fn give(thread: &Thread, task: &'static Task) {
    let record = core::ptr::from_ref(task).cast_mut();
    let class = class_of(task.payload.get());
    if core::ptr::eq(task.home.get(), thread) {
        let list = &thread.tasks.unused[class % CLASSES];
        task.parent.set(list.get());
        list.set(record);
    } else {
        give_home(thread, task, class);
    }
}

#[inline(never)]
fn give_home(thread: &Thread, task: &'static Task, class: usize) {
    let batch = &thread.tasks.batch;
    let record = core::ptr::from_ref(task).cast_mut();
    let home = task.home.get();
    if home.is_null() {
        return detain(thread, task);
    }
    if batch.home.get() != home
        || batch.class.get() != class
        || batch.count.get() >= RECORDS_A_BATCH
    {
        flush(batch);
        batch.home.set(home);
        batch.class.set(class);
        batch.last.set(record);
        batch.first.set(core::ptr::null_mut());
        batch.count.set(0);
    }
    task.parent.set(batch.first.get());
    batch.first.set(record);
    batch.count.set(batch.count.get() + 1);
}

/// Under ThreadSanitizer a record is used once, since its payload goes from thread to thread without
/// an event that a race detector sees: then it goes back to the allocator. Not at once: a thief may
/// still look at it.
#[cold]
fn detain(thread: &Thread, task: &'static Task) {
    let queue = &thread.tasks.detained;
    task.parent.set(core::ptr::null_mut());
    let record = core::ptr::from_ref(task).cast_mut();
    // SAFETY: null or a record in the queue.
    match unsafe { queue.last.replace(record).as_ref() } {
        Some(last) => last.parent.set(record),
        None => queue.first.set(record),
    }
    queue.count.set(queue.count.get() + 1);
    if queue.count.get() > DETAINED_RECORDS {
        let oldest = queue.first.get();
        // SAFETY: the queue is not empty; nobody looks at this record any more.
        unsafe {
            queue.first.set((*oldest).parent.get());
            queue.count.set(queue.count.get() - 1);
            let size = SMALLEST << class_of((*oldest).payload.get());
            dealloc(oldest.cast(), layout(size));
        }
    }
}

fn flush(batch: &Batch) {
    // SAFETY: threads' records are never freed; `last` is a record whenever `home` is set.
    let (Some(home), Some(last)) =
        (unsafe { batch.home.get().as_ref() }, unsafe { batch.last.get().as_ref() })
    else {
        return;
    };
    let list = &home.tasks.returned[batch.class.get() % CLASSES];
    list.put(batch.first.get(), |head| last.parent.set(head));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_holds_its_payload() {
        for payload in [0, 1, 40, 64, 65, 320, 321, 4000, 100_000] {
            let size = SMALLEST << class_of(payload);
            assert!(size >= payload + size_of::<Task>(), "{payload}");
            assert!(size == SMALLEST || size < 2 * (payload + size_of::<Task>()), "{payload}");
        }
    }
}
