//! The tasks of a taskloop, made by the threads that execute them (the engine's `tasks::Part`).

use super::super::Routine;
use super::super::layout::{AllocFlags, KmpTask};
use super::copies::Loop;
use super::{Construct, discard_pattern};
use core::ffi::c_void;
use omphalos_engine::tasks::{self, Dealt, Kept, Part, Spec, Task};
use omphalos_engine::{Thread, Unwatched};

impl Loop {
    /// Deals the tasks of the loop out.
    ///
    /// # Safety
    /// The loop is plain and valid until the construct's taskgroup has ended, or until it is
    /// released; `tasks::may_split` (or `may_split_kept`) holds.
    pub(super) unsafe fn split(this: *const Loop, thread: &'static Thread, kept: *const Kept) {
        let own = |part: &Part| {
            // SAFETY: the thread has shares of it.
            let this = unsafe { &*this };
            if this.counted.is_some() {
                // SAFETY: as other threads call it.
                return unsafe { help((&raw const *this).cast(), thread, part) };
            }
            // SAFETY: as `each` promises.
            each(this, thread, part, |task, spec, data| unsafe {
                tasks::call(thread, task, spec, data, false, Unwatched(thread));
            });
        };
        // SAFETY: the caller's promise; the pattern is a task structure.
        unsafe {
            let routine = (*(*this).pattern.payload().cast::<KmpTask>()).routine;
            let code = routine.map_or(core::ptr::null(), |routine| routine as *const c_void);
            let counted = (*this).counted;
            let dealt = Dealt { construct: this.cast(), help, code, kept, counted };
            let by_default = (*this).construct.deals_by_default() && counted.is_none();
            let rows = (*this).deal.rows(by_default);
            tasks::deal_shares(thread, rows, dealt, own);
        }
    }

    /// As [`split`](Self::split), for a construct that does not wait for its tasks. (clang makes
    /// each construct look so: it makes separate calls for the taskgroup.) The loop's pattern is
    /// used up.
    ///
    /// # Safety
    /// The loop is plain; `tasks::may_split_kept` holds.
    pub(super) unsafe fn split_kept(self, thread: &'static Thread) {
        let record = tasks::allocate(thread, size_of::<KeptLoop>());
        let place = record.payload().cast::<KeptLoop>();
        // SAFETY: the payload was asked for with this size, and records are aligned to 64. It lasts
        // until the last ticket releases it.
        unsafe {
            place.write(KeptLoop { this: self, record, kept: Kept::new(release) });
            Self::split(&raw const (*place).this, thread, &raw const (*place).kept);
        }
    }
}

/// A loop in a record of its own.
#[repr(C)]
struct KeptLoop {
    /// The first field, so that its address is that of the whole.
    this: Loop,
    record: &'static Task,
    kept: Kept,
}

/// Called when nothing is left of a loop that `split_kept` dealt out.
unsafe fn release(construct: *const c_void, thread: &'static Thread) {
    // SAFETY: `split_kept` passed it, and no other thread uses it any more.
    let (pattern, record) = unsafe {
        let kept = &*construct.cast::<KeptLoop>();
        (kept.this.pattern, kept.record)
    };
    discard_pattern(thread, pattern);
    tasks::cancel_allocation(thread, record);
}

/// Whether the tasks are tied, without a priority, for this team alone.
pub(super) fn is_plain(pattern: &Task, construct: &Construct) -> bool {
    let flags = AllocFlags(pattern.flags.get());
    let more = AllocFlags::FREE_AGENT
        | AllocFlags::HIDDEN_HELPER
        | AllocFlags::TRANSPARENT
        | AllocFlags::PROXY
        | AllocFlags::DETACHABLE
        | AllocFlags::PRIORITY
        | AllocFlags::FINAL;
    construct.deferred && flags.has(AllocFlags::TIED) && !flags.has(more)
}

/// A thread that came to help executes its part of a loop.
unsafe fn help(construct: *const c_void, thread: &'static Thread, part: &Part) {
    // SAFETY: `split` passed it.
    let this = unsafe { &*construct.cast::<Loop>() };
    // SAFETY: as `each` promises.
    each(this, thread, part, |task, spec, data| unsafe {
        part.define(task, &spec, data);
        part.execute(thread, task);
    });
}

/// Executes the thread's part of a loop. `execute` gets a record, makes it a task that may be
/// called once, and executes it.
#[inline(always)]
fn each(
    this: &Loop,
    thread: &'static Thread,
    part: &Part,
    execute: impl Fn(&'static Task, Spec, *mut c_void),
) {
    let flags = this.pattern.flags.get();
    let alone = AllocFlags(flags).has(AllocFlags::DESTRUCTORS);
    while let Some(shares) = part.next() {
        // SAFETY: the pattern is a task structure.
        let (task, spec) = unsafe { this.copied(thread, this.deal.row(shares), flags, 0) };
        if alone {
            execute(task, spec, task.payload());
        } else {
            let row = Row { this, thread, part, task };
            let spec = Spec { code: call_row as *const c_void, traits: 0, ..spec };
            execute(task, spec, (&raw const row).cast_mut().cast());
        }
    }
}

/// The shares that a thread executes as one task: the first one, and the following ones while none
/// leaves anything behind.
struct Row<'a> {
    this: &'a Loop,
    thread: &'static Thread,
    part: &'a Part,
    task: &'static Task,
}

unsafe extern "C" fn call_row(row: *mut c_void) {
    // SAFETY: `each` passes a row, whose task has a structure as its payload.
    unsafe {
        let row = &*row.cast::<Row>();
        let structure = row.task.payload().cast::<KmpTask>();
        let routine: Routine = (*structure).routine;
        let Some(routine) = routine else { return };
        row.task.shows(row.thread, routine as *const c_void);
        loop {
            routine(row.thread.gtid, structure);
            let Some(shares) = row.part.next_of_row(row.task) else { return };
            row.this.fill(structure.cast(), row.this.deal.row(shares));
        }
    }
}
