//! Makes a record a task: sets the inherited words, counts the task, and decides whether it may be
//! queued.
//!
//! Who calls: the files that make tasks. What must hold: a task is counted before another thread
//! can see it.

use super::{presence, records};
use crate::records::{Owner, Task, Thread, Traits};
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use omphalos_events::TaskFlags;
use omphalos_settings::{TaskLimits, settings};

/// The number of queued tasks of one member from which on it executes a new one at once: this many,
/// or 64 for each member of the team if that is more. The limit pays where one thread makes tiny
/// tasks without end (bench row `task_producer`). It could hurt where a long task follows as many
/// tiny ones: the other members find no task while the maker executes the long one (`uneven`,
/// `tasks-500us-last`: 1.10 of the time of shared work with 256).
pub(super) const QUEUED_TASKS_BEFORE_INLINE: u64 = TaskLimits::NONE.tasks_before_looking;
const QUEUED_TASKS_A_MEMBER: u64 = 64;
/// The factor by which that number grows for the rest of the region, once other members have
/// emptied a full queue while its member executed a new task at once. That task was a long one, and
/// the member made no task meanwhile. The factor pays where long tasks follow tiny ones again and
/// again. Its price: a maker of tiny tasks that lost its processor gets a queue of that length,
/// once a region.
const TIMES_AS_MANY_ONCE_EMPTIED: u64 = 8;

/// Returns the number of queued tasks from which on a member executes a new one at once.
#[inline(always)]
pub(super) fn enough(thread: &Thread) -> u64 {
    (u64::from(thread.team().size.get()) * QUEUED_TASKS_A_MEMBER).max(QUEUED_TASKS_BEFORE_INLINE)
}

/// The properties that a construct gives its task.
#[derive(Clone, Copy)]
pub struct Spec {
    /// The code that the task executes.
    pub code: *const c_void,
    /// Bits of `ompt_task_flag_t` besides "explicit": untied, final, mergeable.
    pub flags: u32,
    /// See [`Traits`].
    pub traits: u32,
    /// `priority` clause.
    pub priority: i32,
}

/// Returns a record with `payload` bytes after it, aligned to 64. It is no task yet.
#[inline(always)]
pub fn allocate(thread: &Thread, payload: usize) -> &'static Task {
    records::take(thread, payload).record()
}

/// Does what [`allocate`] does; the record keeps these bits of `ompt_task_flag_t` until it becomes
/// a task.
#[inline(always)]
pub fn allocate_with(thread: &Thread, payload: usize, flags: u32) -> &'static Task {
    let task = records::take(thread, payload);
    task.flags.set(task, flags);
    task.record()
}

/// Gives back a record that became no task.
pub fn cancel_allocation(thread: &Thread, task: &'static Task) {
    records::give(thread, task);
}

/// Makes the record a child of the current task. `within`: the child is over before the current
/// task goes on.
#[inline(always)]
pub(super) fn define(
    thread: &Thread,
    task: Owner<'_, Task>,
    spec: &Spec,
    data: *mut c_void,
    within: bool,
) {
    let parent = thread.task();
    let team = thread.team();
    let inherited = parent.flags.get() & TaskFlags::FINAL;
    task.flags.set(task, TaskFlags::EXPLICIT | spec.flags | inherited);
    task.depth.set(task, parent.depth.get() + 1);
    task.parent.set(task, core::ptr::from_ref(parent).cast_mut());
    task.code.set(task, spec.code);
    task.data.set(task, data);
    task.team.put(task, thread.team.get());
    task.traits.put(task, spec.traits);
    task.priority.put(task, limited(spec.priority));
    task.group.put(task, parent.group.get());
    task.inherit_icvs(parent, team, within);
    if spec.traits & Traits::PARTS != 0 {
        task.parts.store(1, Ordering::Relaxed);
    }
}

/// Makes the record a sibling of `like`: same parent, same group, same ICVs. The parent is
/// suspended until both are complete. The calling thread need not be the one that executes the
/// parent.
pub(super) fn define_beside(task: Owner<'_, Task>, like: &Task, spec: &Spec, data: *mut c_void) {
    task.flags.set(task, TaskFlags::EXPLICIT | spec.flags);
    task.depth.set(task, like.depth.get());
    task.parent.set(task, like.parent.get());
    task.code.set(task, spec.code);
    task.data.set(task, data);
    task.team.set(task, like.team.get());
    task.traits.set(task, spec.traits);
    task.priority.set(task, 0);
    task.group.set(task, like.group.get());
    task.share_icvs(like);
}

/// Counts a sibling that [`define_beside`] made. Another sibling is counted and not complete, so
/// the counts do not fall to 0 meanwhile.
pub(super) fn count_beside(thread: &Thread, task: Owner<'_, Task>) {
    task.add_traits(Traits::COUNTED);
    // SAFETY: a task's parent lives as long as it does, and its count has an owner or is waited
    // for.
    unsafe { &*task.parent.get() }.children.add(thread);
    // SAFETY: null or the group that the sibling is in too.
    if let Some(group) = unsafe { task.group.get().as_ref() } {
        group.count.add(thread);
    }
    presence::count_made(thread);
}

#[inline(always)]
fn limited(priority: i32) -> i32 {
    if priority <= 0 { 0 } else { priority.min(settings().max_task_priority as i32) }
}

/// Whether a task of this priority that the current task makes now may be queued. Otherwise its
/// maker executes it at once.
#[inline(always)]
pub fn may_queue(thread: &Thread, priority: i32) -> bool {
    may_defer(thread) && !is_crowded(thread, priority)
}

/// Whether a task without a priority that the current task makes now may be queued.
#[inline(always)]
pub(super) fn may_defer(thread: &Thread) -> bool {
    let limits = &settings().task_limits;
    let few = || thread.slot().tasks.deque.len_seen() < limits.tasks_before_looking;
    thread.team().size.get() > 1 && !thread.task().is_final() && (few() || has_room(thread))
}

/// Whether the thread's deque, which seems full, has room.
#[inline(never)]
fn has_room(thread: &Thread) -> bool {
    let (slot, tasks) = (thread.slot(), &thread.tasks);
    let (queued, bottom) = (slot.tasks.deque.len(), slot.tasks.deque.bottom());
    if queued == 0 && tasks.full_at.get() == bottom {
        // The deque has got no task since it was full.
        tasks.emptied_in.set(thread.as_owner(), slot.region.get());
    }
    let emptied = tasks.emptied_in.get() == slot.region.get();
    let times = if emptied { TIMES_AS_MANY_ONCE_EMPTIED } else { 1 };
    let limits = &settings().task_limits;
    let most = limits.queued_tasks.unwrap_or(times * enough(thread));
    let has_few = |most| thread.task().children.outstanding(thread) < most;
    let room = queued < most && limits.children.is_none_or(has_few) || !settings().throttles_tasks;
    if !room {
        tasks.full_at.set(thread.as_owner(), bottom);
    }
    room
}

/// Whether the thread has so many tasks of this priority queued that it should execute a new one at
/// once.
#[inline(always)]
fn is_crowded(thread: &Thread, priority: i32) -> bool {
    priority > 0
        && limited(priority) > 0
        && u64::from(thread.slot().tasks.ranked.len()) >= enough(thread)
        && settings().throttles_tasks
}

/// Whether no other thread could run a task.
#[inline(always)]
pub fn is_alone(thread: &Thread) -> bool {
    thread.team().size.get() <= 1
}

/// Whether the current task is final, so that its new tasks are included tasks.
#[inline(always)]
pub fn includes(thread: &Thread) -> bool {
    thread.task().is_final()
}

/// Counts a task in its parent, its group and the team, before another thread can see it.
#[inline(always)]
pub(super) fn count(thread: &Thread, task: Owner<'_, Task>) {
    if task.has(Traits::COUNTED) {
        return;
    }
    task.add_traits(Traits::COUNTED);
    // SAFETY: a task's parent lives as long as it does; tasks are counted by the thread that
    // executes the parent.
    unsafe { (*task.parent.get()).claim() }.add_child(thread);
    // SAFETY: null or the group that the parent is in.
    if let Some(group) = unsafe { task.group.get().as_ref() } {
        group.count.add(thread);
    }
    presence::count_made(thread);
}
