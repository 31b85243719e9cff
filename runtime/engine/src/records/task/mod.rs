//! The record of a task, implicit or explicit.
//!
//! It has three cache lines, sorted by the writers and the times of the writes:
//!
//! 1. words that rarely change from one life of the record to the next, and the tools' words. The
//!    maker compares before it writes, so the line stays in its readers' caches;
//! 2. frames, code, data, parent: the maker writes them for every life, and the executing thread
//!    reads them;
//! 3. words that a task needs once it has children, a group or dependences. A leaf task never
//!    touches it.
//!
//! Records are never given back to the system, only reused. A thief may read the record of a task
//! that another thread is taking at that moment (`find.rs`), so `parent` and `depth` are relaxed
//! atomics.

mod icvs;

use super::words::{Pointer, Word};
use super::{Count, Group, Node, Owner, OwnerWord, Team, Thread, Traits};
use core::ffi::c_void;
use core::sync::atomic::AtomicU32;
use omphalos_events::{TaskFlags, TaskTool};
use omphalos_settings::Icvs;

/// The record of a task, implicit or explicit.
#[repr(C, align(64))]
pub struct Task {
    /// The team whose threads may execute the task.
    pub team: OwnerWord<*mut Team, Task>,
    /// See [`Traits`]. One thread at a time writes them: the one that executes the task. If the
    /// task runs in parts, a thread that leaves an earlier part may read them meanwhile.
    pub(crate) traits: Word<Task>,
    /// `priority` clause, limited by max-task-priority-var.
    pub(crate) priority: OwnerWord<i32, Task>,
    /// The bytes after the record that belong to it. They determine its size class.
    pub(crate) payload: OwnerWord<usize, Task>,
    /// The words that tools see. Their frames begin the second line.
    pub tool: TaskTool,
    /// The code that the task executes.
    pub(crate) code: OwnerWord<*const c_void, Task>,
    /// The argument of the code.
    pub(crate) data: OwnerWord<*mut c_void, Task>,
    /// The task that made this one; for an implicit task, the encountering task; null for an
    /// initial task. In an unused record, the next unused one.
    pub parent: Pointer<Task, Task>,
    /// The thread whose lists the record returns to; null in a slot's implicit task.
    pub(crate) home: OwnerWord<*const Thread, Task>,
    /// `ompt_task_flag_t`.
    pub flags: Word<Task>,
    /// Depth in the tree of tasks of its region: 0 for implicit tasks.
    pub depth: Word<Task>,
    /// Counts the child tasks that are not complete. While there are any, the record is not reused.
    pub(crate) children: Count,
    /// The innermost taskgroup around the code that the task executes.
    pub(crate) group: OwnerWord<*const Group, Task>,
    /// The task's ICVs: the team's, or its own.
    icvs: OwnerWord<*const Icvs, Task>,
    /// The task's place among its dependent siblings, and the table of its own dependent children.
    /// Null before there are any.
    pub(crate) node: OwnerWord<*const Node, Task>,
    /// The ends of a detachable task that have come (`omphalos_sync::completion`).
    pub(crate) ends: AtomicU32,
    /// Parts that are queued or executing.
    pub(crate) parts: AtomicU32,
}

omphalos_layout::describe!(Task {
    team,
    traits,
    priority,
    payload,
    tool,
    code,
    data,
    parent,
    home,
    flags,
    depth,
    children,
    group,
    icvs,
    node,
    ends,
    parts
});

// SAFETY: only the thread that executes the task writes an `OwnerWord`, before that its maker, and
// at the end the thread that completes it; the rest are atomics.
unsafe impl Sync for Task {}

const _: () = {
    assert!(core::mem::size_of::<Task>() == 192);
    assert!(core::mem::offset_of!(Task, tool) + core::mem::offset_of!(TaskTool, frame) == 64);
    assert!(core::mem::offset_of!(Task, children) == 128);
};

impl Task {
    /// Makes an unused record.
    pub fn new() -> Task {
        Task {
            team: OwnerWord::new(core::ptr::null_mut()),
            traits: Word::new(0),
            priority: OwnerWord::new(0),
            payload: OwnerWord::new(0),
            tool: TaskTool::new(),
            code: OwnerWord::new(core::ptr::null()),
            data: OwnerWord::new(core::ptr::null_mut()),
            parent: Pointer::null(),
            home: OwnerWord::new(core::ptr::null()),
            flags: Word::new(0),
            depth: Word::new(0),
            children: Count::new(),
            group: OwnerWord::new(core::ptr::null()),
            icvs: OwnerWord::new(core::ptr::null()),
            node: OwnerWord::new(core::ptr::null()),
            ends: AtomicU32::new(0),
            parts: AtomicU32::new(0),
        }
    }

    /// Whether this is an explicit task.
    #[inline(always)]
    pub fn is_explicit(&self) -> bool {
        self.flags.get() & (TaskFlags::IMPLICIT | TaskFlags::INITIAL) == 0
    }

    /// Whether this is a final task.
    #[inline(always)]
    pub fn is_final(&self) -> bool {
        self.flags.get() & TaskFlags::FINAL != 0
    }

    /// Whether the task has one of these [`Traits`].
    #[inline(always)]
    pub(crate) fn has(&self, traits: u32) -> bool {
        self.traits.get() & traits != 0
    }

    /// Whether the task left something that lasts beyond its body: tasks that are not complete,
    /// changed ICVs, dependences. Only for a task that was defined without traits, and for the
    /// thread that executes it.
    #[inline(always)]
    pub fn leaves_something(&self) -> bool {
        self.traits.get() != 0
    }

    /// Sets the code that debuggers see the task execute: the program's code, where the task
    /// executes it through code of the runtime. For the thread that executes the task.
    pub fn shows(&self, thread: &Thread, code: *const c_void) {
        self.code.set(thread.as_owner().task(), code);
    }

    /// Returns the address of the code that the task executes; for an implicit task, the region's
    /// code.
    pub fn function(&self) -> u64 {
        if self.is_explicit() {
            self.code.get() as u64
        } else {
            // SAFETY: the team of a live task is valid.
            unsafe { self.team.get().as_ref() }.map_or(0, |team| team.function.get())
        }
    }

    /// Returns `ompt_task_flag_t` as tools are told. A task that cannot be deferred is shown as
    /// undeferred: an implicit task, or a task that no other thread could execute.
    #[inline]
    pub fn shown_flags(&self) -> u32 {
        let flags = self.flags.get();
        let alone = || {
            // SAFETY: the team of a live task is valid.
            unsafe { self.team.get().as_ref() }.is_some_and(|team| team.size.get() == 1)
        };
        let undeferred = if flags & TaskFlags::EXPLICIT == 0 {
            flags & TaskFlags::IMPLICIT != 0
        } else {
            !self.has(Traits::DETACHABLE) && alone()
        };
        if undeferred { flags | TaskFlags::UNDEFERRED } else { flags }
    }

    /// Returns the right to write the record's words.
    ///
    /// # Safety
    /// The calling thread executes the task; or it took the record to make a task of it, and no
    /// other thread can reach that task yet; or it completes the task, which no thread executes any
    /// more.
    #[inline(always)]
    pub(crate) const unsafe fn claim(&self) -> Owner<'_, Task> {
        Owner::of(self)
    }

    /// Returns the address of the payload, the memory after the record.
    #[inline(always)]
    pub fn payload(&self) -> *mut c_void {
        // SAFETY: records of explicit tasks have their payload right behind them; for others the
        // address is not used.
        unsafe { core::ptr::from_ref(self).add(1).cast_mut().cast() }
    }

    /// Returns the bytes of the payload, as its maker asked for them.
    pub fn payload_size(&self) -> usize {
        self.payload.get()
    }

    /// Returns the record in front of a payload.
    ///
    /// # Safety
    /// `payload` came from [`Task::payload`] of an explicit task that is not complete.
    #[inline(always)]
    pub unsafe fn of_payload(payload: *mut c_void) -> &'static Task {
        // SAFETY: the caller's promise; records are never freed.
        unsafe { &*payload.cast::<Task>().sub(1) }
    }
}

impl Default for Task {
    fn default() -> Self {
        Self::new()
    }
}

impl Owner<'_, Task> {
    /// Whether the task has one of these [`Traits`], for the owner.
    #[inline(always)]
    pub(crate) fn has(self, traits: u32) -> bool {
        self.traits.value_for(self) & traits != 0
    }

    /// Does what [`Task::leaves_something`] does, for the owner.
    #[inline(always)]
    pub(crate) fn leaves_something(self) -> bool {
        self.traits.value_for(self) != 0
    }

    /// Adds [`Traits`].
    #[inline(always)]
    pub(crate) fn add_traits(self, traits: u32) {
        self.traits.set(self, self.traits.value_for(self) | traits);
    }

    /// Counts a child that may outlive the call that makes it.
    #[inline(always)]
    pub(crate) fn add_child(self, thread: &Thread) {
        if self.children.is_mine(thread) {
            self.children.add_own();
        } else {
            self.first_child(thread);
        }
    }

    /// Makes the task one that never had children. All its children are complete.
    #[inline(always)]
    pub(crate) fn forget_children(self) {
        self.children.renew();
        self.remove_traits(Traits::PARENT);
    }

    #[cold]
    #[inline(never)]
    fn first_child(self, thread: &Thread) {
        self.add_traits(Traits::PARENT);
        self.children.first_child(thread, self.has(Traits::PARTS));
    }

    /// Removes [`Traits`].
    #[inline(always)]
    pub(crate) fn remove_traits(self, traits: u32) {
        self.traits.set(self, self.traits.value_for(self) & !traits);
    }

    /// Makes the record an implicit (or initial) task of `team`'s current region.
    #[inline]
    pub(crate) fn become_implicit(self, team: &Team, flags: u32) {
        self.flags.set(self, flags);
        self.parent.set(self, team.parent_task.get());
        self.team.set(self, core::ptr::from_ref(team).cast_mut());
        self.icvs.set(self, team.icvs());
        self.group.put(self, core::ptr::null());
    }
}

impl Owner<'_, Thread> {
    /// Returns the thread's current task.
    #[inline(always)]
    pub(crate) fn task(self) -> Owner<'static, Task> {
        Owner::of(self.record().task())
    }

    /// Returns the thread's prepared record, which only this thread uses, if it has one.
    #[inline(always)]
    pub(crate) fn prepared(self) -> Option<Owner<'static, Task>> {
        // SAFETY: null or an idle record; records are never freed.
        unsafe { self.tasks.prepared.get().as_ref() }.map(Owner::of)
    }
}
