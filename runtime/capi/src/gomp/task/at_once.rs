//! A task of GCC's that its maker executes at once, on a prepared record.

use super::shown_flags;
use core::ffi::{c_uint, c_void};
use core::mem::MaybeUninit;
use omphalos_engine::tasks;
use omphalos_engine::{Caller, Thread};

/// Room for a task's copy of its data on its maker's stack. A larger copy takes a record: a
/// recursion of tasks has one copy at each level, and must get as deep on its thread's stack as on
/// another runtime.
#[repr(align(16))]
struct CopyHere(#[allow(dead_code)] [u8; 128]);

/// Whether data of this size and alignment, which has to be copied, has room on the stack.
#[inline(always)]
pub(super) fn has_room(size: usize, align: usize) -> bool {
    size <= size_of::<CopyHere>() && align <= align_of::<CopyHere>()
}

/// Executes the body. `watched`: a tool is attached, which is told of `caller`.
///
/// # Safety
/// GCC's code passes a body and the data that it takes; a record may be prepared.
#[inline(always)]
pub(super) unsafe fn run(
    thread: &'static Thread,
    body: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
    (flags, if_clause): (c_uint, bool),
    watched: Option<Caller>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        match watched {
            Some(caller) => {
                let flags = shown_flags(thread, flags, if_clause);
                tasks::call_shown(thread, body, data, flags, caller);
            }
            None => tasks::call_row_unseen(thread, body, data, || false),
        }
    }
}

/// As [`run`], on a copy of the data: `copy` makes objects of C++, for example, and the body ends
/// their lives. A function of its own, so that other tasks need no such room on the stack.
///
/// # Safety
/// As [`run`]; the copy has room ([`has_room`]).
#[inline(never)]
pub(super) unsafe fn run_on_copy(
    thread: &'static Thread,
    body: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
    copy: unsafe extern "C" fn(*mut c_void, *mut c_void),
    how: (c_uint, bool),
    watched: Option<Caller>,
) {
    let mut place = MaybeUninit::<CopyHere>::uninit();
    let place = place.as_mut_ptr().cast();
    // SAFETY: the caller's promise.
    unsafe {
        copy(place, data);
        match watched.and_then(|caller| tasks::counted(thread, caller)) {
            Some(task) => tasks::call_counted(thread, body, place, task),
            None => run(thread, body, place, how, watched),
        }
    }
}
