//! Takes unused task records, and gives them back.
//!
//! Each thread keeps unused records by size class and takes new ones from blocks of its own. A
//! record that another thread frees goes back to its home thread: first into a small batch, then
//! the whole batch onto the home's list of returns. The home takes that list when its own is empty.
//! So a program that makes tasks on one thread and runs them on another does not grow, and neither
//! thread touches a line of the other more than once a batch. Only the owner touches `unused`;
//! `omphalos_sync::returns` has the way back.

use crate::records::{Batch, CLASSES, Owner, RecordBlock, SMALLEST_RECORD_BYTES, Task, Thread};
use core::mem::size_of;
use omphalos_sys::sanitizer::thread_sanitizer;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};

/// Records up to this size come from blocks.
const LARGEST_CLASS_BYTES: usize = 4096;
const BLOCK_BYTES: usize = 1 << 16;
/// The number of used records that a thread keeps under ThreadSanitizer before it frees the oldest.
const DETAINED_RECORDS: u32 = 1024;
/// The number of records of another thread that are collected before they are given back.
const RECORDS_A_BATCH: u32 = 32;

/// Returns the size class of a record with this payload.
#[inline(always)]
fn class_of(payload: usize) -> usize {
    if payload <= SMALLEST_RECORD_BYTES - size_of::<Task>() {
        return 0;
    }
    let units = (payload + size_of::<Task>()).div_ceil(SMALLEST_RECORD_BYTES);
    units.next_power_of_two().trailing_zeros() as usize
}

/// Takes an unused record with at least `payload` bytes after it (aligned to 64).
#[inline(always)]
pub(super) fn take(thread: &Thread, payload: usize) -> Owner<'static, Task> {
    let class = class_of(payload);
    let list = &thread.tasks.unused[class % CLASSES];
    let record = list.get();
    // SAFETY: lists hold records, which are never freed.
    let task = match unsafe { record.as_ref() } {
        Some(task) => {
            list.set(thread.as_owner(), task.parent.get());
            task
        }
        None => take_returned(thread, class),
    };
    // SAFETY: no other thread uses an unused record of this thread.
    let task = unsafe { task.claim() };
    task.payload.put(task, payload);
    task
}

/// Takes a record of the smallest class from the thread's own list, for [`give_own`].
#[inline(always)]
pub(super) fn take_own(thread: &Thread) -> Owner<'static, Task> {
    let list = &thread.tasks.unused[0];
    // SAFETY: as in `take`.
    let task = match unsafe { list.get().as_ref() } {
        Some(task) => {
            list.set(thread.as_owner(), task.parent.get());
            task
        }
        None => take_returned(thread, 0),
    };
    // SAFETY: as in `take`.
    unsafe { task.claim() }
}

/// Gives back a record that [`take_own`] gave to the same thread.
#[inline(always)]
pub(super) fn give_own(thread: &Thread, task: &'static Task) {
    let list = &thread.tasks.unused[0];
    // SAFETY: no thread uses the record any more.
    let task = unsafe { task.claim() };
    task.parent.set(task, list.get());
    list.set(thread.as_owner(), core::ptr::from_ref(task.record()).cast_mut());
}

/// Takes a record that other threads gave back, or makes a new one.
///
/// A thread calls this at the latest when other threads have finished a task on each of its records
/// once. So the counts of tasks that others finish are balanced often enough.
#[cold]
#[inline(never)]
fn take_returned(thread: &Thread, class: usize) -> &'static Task {
    balance(thread);
    let returned = &thread.tasks.returned[class % CLASSES];
    // SAFETY: as in `take`.
    match unsafe { returned.take().as_ref() } {
        Some(task) => {
            thread.tasks.unused[class % CLASSES].set(thread.as_owner(), task.parent.get());
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
    let size = SMALLEST_RECORD_BYTES << class;
    let alone = thread_sanitizer();
    let address = if alone { memory(size).cast() } else { in_block(thread, size) as *mut Task };
    // SAFETY: fresh memory of at least the record's size and alignment.
    let task = unsafe {
        address.write(Task::new());
        (*address).claim()
    };
    if !alone {
        task.home.set(task, thread);
    }
    task.record()
}

/// Returns memory for a record of this size: the next in the latest block, or the first in a new
/// one.
fn in_block(thread: &Thread, size: usize) -> usize {
    let tasks = &thread.tasks;
    let (mut at, mut end) = tasks.block.get();
    if at + size > end {
        let room =
            if size <= LARGEST_CLASS_BYTES { BLOCK_BYTES } else { size_of::<RecordBlock>() + size };
        let block = memory(room).cast::<RecordBlock>();
        at = block as usize + size_of::<RecordBlock>();
        end = block as usize + room;
        // SAFETY: fresh memory that is aligned for the head.
        unsafe { block.write(RecordBlock::new(tasks.latest.get(), at)) };
        tasks.latest.set(thread.as_owner(), block);
    }
    // SAFETY: there is room, so the latest block is not null; it ends at `end`.
    unsafe { (*tasks.latest.get()).ends_at(at + size) };
    tasks.block.set(thread.as_owner(), (at + size, end));
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

/// Gives a record back. Its count of children is fresh, and it has no node, no ICVs and no ends.
#[inline(always)]
pub(super) fn give(thread: &Thread, task: &'static Task) {
    let record = core::ptr::from_ref(task).cast_mut();
    let class = class_of(task.payload.get());
    if core::ptr::eq(task.home.get(), thread) {
        let list = &thread.tasks.unused[class % CLASSES];
        // SAFETY: no thread uses the record any more.
        task.parent.set(unsafe { task.claim() }, list.get());
        list.set(thread.as_owner(), record);
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
        batch.home.set(thread.as_owner(), home);
        batch.class.set(thread.as_owner(), class);
        batch.last.set(thread.as_owner(), record);
        batch.first.set(thread.as_owner(), core::ptr::null_mut());
        batch.count.set(thread.as_owner(), 0);
    }
    // SAFETY: no thread uses the record any more.
    task.parent.set(unsafe { task.claim() }, batch.first.get());
    batch.first.set(thread.as_owner(), record);
    batch.count.set(thread.as_owner(), batch.count.get() + 1);
}

/// Keeps a used record for a while, then returns it to the allocator. Under ThreadSanitizer a
/// record is used only once, because its payload would go from thread to thread without an event
/// that a race detector sees. It does not return at once, because a thief may still read it.
#[cold]
fn detain(thread: &Thread, task: &'static Task) {
    let queue = &thread.tasks.detained;
    // SAFETY: no thread uses the record any more.
    task.parent.set(unsafe { task.claim() }, core::ptr::null_mut());
    let record = core::ptr::from_ref(task).cast_mut();
    // SAFETY: null or a record in the queue.
    match unsafe { queue.last.replace(thread.as_owner(), record).as_ref() } {
        // SAFETY: no thread uses it.
        Some(last) => last.parent.set(unsafe { last.claim() }, record),
        None => queue.first.set(thread.as_owner(), record),
    }
    queue.count.set(thread.as_owner(), queue.count.get() + 1);
    if queue.count.get() > DETAINED_RECORDS {
        let oldest = queue.first.get();
        // SAFETY: the queue is not empty, and no thread reads this record any more.
        unsafe {
            queue.first.set(thread.as_owner(), (*oldest).parent.get());
            queue.count.set(thread.as_owner(), queue.count.get() - 1);
            let size = SMALLEST_RECORD_BYTES << class_of((*oldest).payload.get());
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
    // SAFETY: no thread uses the record, which is not in the list yet.
    list.put(batch.first.get(), |head| last.parent.set(unsafe { last.claim() }, head));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_holds_its_payload() {
        for payload in [0, 1, 40, 64, 65, 320, 321, 4000, 100_000] {
            let size = SMALLEST_RECORD_BYTES << class_of(payload);
            assert!(size >= payload + size_of::<Task>(), "{payload}");
            assert!(
                size == SMALLEST_RECORD_BYTES || size < 2 * (payload + size_of::<Task>()),
                "{payload}"
            );
        }
    }
}
