//! Fills the records of GCC's tasks and passes them to the engine, which executes them now or
//! later.

use super::Copy;
use crate::shared::dependences::DependList;
use core::ffi::{c_long, c_void};
use omphalos_engine::tasks::{self, Spec, Task, Traits};
use omphalos_engine::{Caller, Thread};

/// Returns the address of a deferred task's data in its payload, which is aligned to 64.
#[inline(always)]
pub(super) fn placed(task: &Task, align: usize) -> *mut c_void {
    let payload = task.payload();
    if align <= 64 {
        return payload;
    }
    payload.map_addr(|address| address.next_multiple_of(align))
}

/// Makes a record with room for data of this size and alignment.
#[inline(always)]
pub(super) fn room(thread: &Thread, size: usize, align: usize) -> &'static Task {
    tasks::allocate(thread, if align > 64 { size + align } else { size })
}

/// Copies the data of a construct into a record's payload.
///
/// # Safety
/// `data` is valid for `size` bytes, or `copy` knows how to copy it.
#[inline(always)]
pub(super) unsafe fn fill(to: *mut c_void, data: *mut c_void, copy: Copy, size: usize) {
    // SAFETY: the caller's promise; the payload has that many bytes.
    unsafe {
        match copy {
            Some(copy) => copy(to, data),
            None if size != 0 => to.cast::<u8>().copy_from_nonoverlapping(data.cast(), size),
            None => {}
        }
    }
}

/// Makes a task without dependences and without an event.
#[inline(always)]
pub(super) unsafe fn plain(
    thread: &'static Thread,
    spec: Spec,
    data: *mut c_void,
    copy: Copy,
    (size, align): (c_long, c_long),
    if_clause: bool,
    caller: Caller,
) {
    // SAFETY: the arguments of GCC's code.
    unsafe {
        if if_clause && tasks::may_queue(thread, spec.priority) {
            let task = room(thread, size as usize, align as usize);
            let place = placed(task, align as usize);
            fill(place, data, copy, size as usize);
            tasks::defer(thread, task, spec, place, caller);
        } else {
            now(thread, spec, data, copy, (size, align), !if_clause, caller);
        }
    }
}

/// Makes a task that is executed at once. If it has no copy function, it may use the construct's
/// own data.
#[inline]
unsafe fn now(
    thread: &'static Thread,
    spec: Spec,
    data: *mut c_void,
    copy: Copy,
    (size, align): (c_long, c_long),
    undeferred: bool,
    caller: Caller,
) {
    let undeferred = undeferred || tasks::includes(thread);
    // SAFETY: the arguments of GCC's code.
    unsafe {
        if copy.is_none() {
            tasks::call(thread, room(thread, 0, 0), spec, data, undeferred, caller);
        } else {
            copied(thread, spec, data, copy, (size, align), undeferred, caller);
        }
    }
}

/// Makes a task that is executed at once on a copy of its data.
#[inline(never)]
unsafe fn copied(
    thread: &'static Thread,
    spec: Spec,
    data: *mut c_void,
    copy: Copy,
    (size, align): (c_long, c_long),
    undeferred: bool,
    caller: Caller,
) {
    let task = room(thread, size as usize, align as usize);
    let place = placed(task, align as usize);
    // SAFETY: the arguments of GCC's code.
    unsafe {
        fill(place, data, copy, size as usize);
        tasks::call(thread, task, spec, place, undeferred, caller);
    }
}

/// Makes a task with dependences or an event.
#[cold]
#[allow(clippy::too_many_arguments)]
pub(super) unsafe fn rare(
    thread: &'static Thread,
    mut spec: Spec,
    data: *mut c_void,
    copy: Copy,
    (size, align): (c_long, c_long),
    if_clause: bool,
    depend: *const *mut c_void,
    detach: *mut c_void,
    caller: Caller,
) {
    let task = room(thread, size as usize, align as usize);
    // SAFETY: the arguments of GCC's code; the first word of a detachable task's data is its event.
    unsafe {
        if !detach.is_null() {
            spec.traits |= Traits::DETACHABLE;
            let event = tasks::allow_event(thread, task);
            *detach.cast::<usize>() = event;
            if !data.is_null() {
                *data.cast::<usize>() = event;
            }
        }
        let place = placed(task, align as usize);
        fill(place, data, copy, size as usize);
        if depend.is_null() {
            if if_clause {
                tasks::spawn_rarely(thread, task, spec, place, caller);
            } else {
                tasks::call_rarely(thread, task, spec, place, true, caller);
            }
        } else {
            let mut list = DependList::new();
            list.add_all(depend);
            tasks::spawn_after(thread, task, spec, place, &list, if_clause, caller);
        }
    }
}
