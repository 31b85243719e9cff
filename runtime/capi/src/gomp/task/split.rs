//! The tasks of a taskloop, made by the threads that execute them (the engine's `tasks::Part`).

use super::make::{placed, room};
use super::ompt_flags;
use super::taskloop::Loop;
use core::ffi::c_void;
use omphalos_engine::Thread;
use omphalos_engine::tasks::{self, Counted, Deal, Dealt, Part, Spec, Task};

/// A loop, for the threads that help to execute it.
pub(super) struct Shared<'a> {
    pub(super) of: &'a Loop,
    pub(super) deal: Deal,
    pub(super) counted: Option<Counted>,
}

/// Deals the tasks out: the calling thread executes its own on the construct's data unless a tool
/// counts them, other threads execute theirs on copies.
///
/// # Safety
/// The loop is plain, GCC's code passed it, `tasks::may_split` holds, and `shared` is valid until
/// the construct's taskgroup has ended.
pub(super) unsafe fn split(shared: &Shared, thread: &'static Thread) {
    let (this, deal, counted) = (shared.of, shared.deal, shared.counted);
    let Some(body) = this.body else { return };
    let construct = (&raw const *shared).cast();
    let own = |part: &Part| {
        if counted.is_some() {
            // SAFETY: as other threads call it.
            return unsafe { help(construct, thread, part) };
        }
        let next = || part.next().map(|row| deal.row(row));
        let Some(first) = next() else { return };
        // SAFETY: without a copy function one share after the other may use the data in place.
        unsafe {
            this.bound(this.data, first);
            tasks::call_row_unseen(thread, body, this.data, || {
                next().inspect(|&share| this.bound(this.data, share)).is_some()
            });
        }
    };
    let code = body as *const c_void;
    let dealt = Dealt { construct, help, code, kept: core::ptr::null(), counted };
    let rows = deal.rows(this.deals_by_default() && counted.is_none());
    // SAFETY: the caller's promise.
    unsafe { tasks::deal_shares(thread, rows, dealt, own) };
}

/// The shares that a helper executes as one task: the first one, and the following ones while none
/// leaves anything behind.
struct Row<'a> {
    thread: &'static Thread,
    shared: &'a Shared<'a>,
    part: &'a Part,
    task: &'static Task,
    /// The task's copy of the data.
    place: *mut c_void,
}

/// The words in front of the data: the bounds, which the maker changes meanwhile.
const BOUNDS: usize = 2 * size_of::<u64>();

unsafe fn help(construct: *const c_void, thread: &'static Thread, part: &Part) {
    // SAFETY: `split` passed it.
    let shared = unsafe { &*construct.cast::<Shared>() };
    let this = shared.of;
    while let Some(shares) = part.next() {
        let task = room(thread, this.size, this.align);
        let place = placed(task, this.align);
        let rest = this.size.saturating_sub(BOUNDS);
        let row = Row { thread, shared, part, task, place };
        let data = (&raw const row).cast_mut().cast();
        let flags = ompt_flags(this.flags);
        let spec = Spec { code: call_row as *const c_void, flags, traits: 0, priority: 0 };
        // SAFETY: GCC's code passes data of that size, which is copied as it is.
        unsafe {
            let from = this.data.byte_add(BOUNDS).cast::<u8>();
            place.byte_add(BOUNDS).cast::<u8>().copy_from_nonoverlapping(from, rest);
            this.bound(place, shared.deal.row(shares));
            part.define(task, &spec, data);
            part.execute(thread, task);
        }
    }
}

unsafe extern "C" fn call_row(row: *mut c_void) {
    // SAFETY: `help` passes a row; GCC's code passes a body.
    unsafe {
        let row = &*row.cast::<Row>();
        let Some(body) = row.shared.of.body else { return };
        row.task.shows(row.thread, body as *const c_void);
        loop {
            body(row.place);
            let Some(shares) = row.part.next_of_row(row.task) else { return };
            row.shared.of.bound(row.place, row.shared.deal.row(shares));
        }
    }
}
