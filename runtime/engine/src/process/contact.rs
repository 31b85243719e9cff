//! The begin and the end of a thread's record: a thread of the program meets OpenMP, and ends; a
//! worker ends.

use super::{holders, main_thread, unwatched};
use crate::records::{Team, Thread, summons};
use crate::team::crowd;
use crate::threads::registry::{self, Lists, with};
use crate::threads::{ending, reserve};
use crate::{affinity, hooks, tasks, threadprivate};
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_events::{State, ThreadKind};
use omphalos_sys::signals::Blocked;

/// Makes the record of the first thread before it meets OpenMP, and the teams of its initial task
/// and of its first region. The library's constructor calls it.
pub(crate) fn prepare() {
    with(|lists| {
        registry::prepare(lists);
        if omphalos_sys::thread::alone() || omphalos_sys::thread::is_main() {
            holders::notice_end(lists, None);
        }
    });
    main_thread::note();
}

/// Makes the calling thread, which the program made and which has no record, an initial thread with
/// an initial team of one and an initial task.
///
/// The thread handles no signal meanwhile. A handler that asks OpenMP anything would come here a
/// second time for the same thread, and would wait for locks that the thread holds. Signals are not
/// blocked while the tools are asked, and from their start on.
#[cold]
#[inline(never)]
pub fn welcome() -> &'static Thread {
    super::start::ask_tools();
    let blocked = Blocked::new();
    if let Some(thread) = Thread::known() {
        // A signal handler came first; or a tool that was asked called a routine, and the rest of
        // the work was left.
        if MET_WHILE_ASKING.swap(false, Ordering::Relaxed) {
            begin(thread, blocked);
        }
        return thread;
    }
    super::start::ensure_settings();
    let (thread, first) = with(|lists| {
        let first = lists.all.is_empty();
        let kind = ThreadKind::Initial;
        free_settled(lists);
        let thread = registry::initial(lists);
        thread.kind.set(thread.as_owner(), kind);
        (thread, first)
    });
    thread.is_callers();
    crowd::initial_thread_comes();
    Team::make_initial(thread);
    // SAFETY: records are never freed.
    unsafe { omphalos_sys::tls::set_record(core::ptr::from_ref(thread).cast_mut().cast()) };
    with(|lists| holders::notice_end(lists, Some(thread)));
    affinity::welcome(thread, first);
    if super::start::is_asking() {
        MET_WHILE_ASKING.store(true, Ordering::Relaxed);
    } else {
        begin(thread, blocked);
    }
    thread
}

/// Whether the thread that asks the tools met OpenMP meanwhile. Only that thread writes it.
static MET_WHILE_ASKING: AtomicBool = AtomicBool::new(false);

/// Starts the runtime, if it has not started, and tells tools of the thread.
fn begin(thread: &'static Thread, blocked: Blocked) {
    let is_named = hooks::name_initial_thread(thread);
    super::start::ensure_started(blocked);
    if !is_named {
        hooks::name_initial_thread(thread);
    }
    thread.set_state(State::WORK_SERIAL);
    unwatched::allow(thread, main_thread::is_calling());
    hooks::initial_thread_begin(thread);
    omphalos_sys::debugger::thread_begin();
}

/// The most records in [`free_settled`] that a new thread looks at, so that many events which stay
/// unfulfilled do not slow it.
const OWING_LOOKED_AT: usize = 8;

/// If no record is free, frees one whose thread ended while tasks were counted in it, and in which
/// no task is counted any more. The next new thread looks at other records. `lists` is locked.
///
/// The thread that completed such a task counted it as finished last, in an atomic word that is
/// read here. After that it can only wake the sleepers of the record's team, which is always
/// allowed.
fn free_settled(lists: &mut Lists) {
    for _ in 0..OWING_LOOKED_AT.min(lists.owing.len()) {
        if !lists.free.is_empty() {
            return;
        }
        if let Some(thread) = lists.owing.pop_front() {
            if tasks::are_left(thread) {
                lists.owing.push_back(thread);
            } else {
                lists.free.push(thread);
            }
        }
    }
}

/// Called when a thread that the program made ends, on that thread.
pub(super) extern "C" fn farewell(record: *mut c_void) {
    match Thread::known() {
        Some(thread) if core::ptr::eq(thread, record.cast_const().cast()) => {
            tasks::finish_left_to_others(thread);
            take_leave(thread);
        }
        // This is the main thread, and it has no record: it never met OpenMP.
        _ => {
            let _blocked = Blocked::new();
            with(|lists| {
                lists.holders = lists.holders.saturating_sub(1);
                holders::left(lists)
            })
            .end();
        }
    }
}

/// Ends the calling thread's use of this record: the thread ends, or is no thread of the program.
/// Its workers become idle, and the record waits for the next new thread.
fn take_leave(thread: &'static Thread) {
    if thread.kind.get() != ThreadKind::Worker {
        omphalos_sys::debugger::thread_end();
        hooks::initial_thread_end(thread);
    }
    threadprivate::thread_ends(thread);
    // A signal handler that ran below would find no record and make one.
    let _blocked = Blocked::new();
    let is_current = Thread::known().is_some_and(|current| core::ptr::eq(current, thread));
    if is_current {
        // The thread forgets the record before another thread may take it. SAFETY: no record from
        // here on.
        unsafe { omphalos_sys::tls::set_record(core::ptr::null_mut()) };
    }
    let leavers = with(|lists| {
        // A thread that ends inside a region leaves that team, and the pointers to it, as they are.
        if thread.depth.get() <= 1 {
            dismiss_teams(lists, thread);
            // A record in which tasks are still counted goes to no other thread: the events of
            // these tasks have not been fulfilled.
            if tasks::are_left(thread) {
                lists.owing.push_back(thread);
            } else {
                lists.free.push(thread);
            }
        }
        registry::one_less(lists);
        unwatched::give_up(lists, thread);
        thread.is_nobodys();
        thread.kind.set(thread.as_owner(), ThreadKind::Unknown);
        if is_current {
            lists.holders = lists.holders.saturating_sub(1);
        } else {
            holders::forget_end(lists);
        }
        holders::left(lists)
    });
    crowd::initial_thread_goes();
    leavers.end();
}

/// Gives back a record that a worker got by mistake: a signal handler ran before the worker had its
/// own record, and took the worker for a thread of the program.
#[cold]
pub(super) fn take_back(mistaken: &'static Thread) {
    take_leave(mistaken);
}

/// Makes the workers of a thread that is in no region idle. `lists` is locked.
fn dismiss_teams(lists: &mut Lists, thread: &'static Thread) {
    thread.as_owner().all_kept_teams().for_each(|team| team.dismiss(lists));
}

/// Ends the calling thread's workers and all idle ones (`omp_pause_resource`); the next region
/// hires new ones. The calling thread must be in no region.
pub fn end_workers(thread: &'static Thread) {
    let idle = with(|lists| {
        dismiss_teams(lists, thread);
        core::mem::take(&mut lists.idle)
    });
    reserve::end(idle);
}

/// Ends the use of the record of a worker that was dismissed for good and is about to end. Its own
/// workers become idle.
pub(super) fn worker_ends(thread: &'static Thread) {
    omphalos_sys::debugger::thread_end();
    ending::say_farewell_to(thread, ending::ALL);
    threadprivate::thread_ends(thread);
    // As in `take_leave`.
    let _blocked = Blocked::new();
    // SAFETY: no record from here on: another thread may have it at once.
    unsafe { omphalos_sys::tls::set_record(core::ptr::null_mut()) };
    let surplus = with(|lists| {
        dismiss_teams(lists, thread);
        unwatched::give_up(lists, thread);
        thread.is_nobodys();
        thread.kind.set(thread.as_owner(), ThreadKind::Unknown);
        thread.summons.store(summons::NONE, Ordering::Relaxed);
        thread.first_order.set(thread.as_owner(), thread.line.gate.seen());
        // No other worker gets a helper's number.
        if !thread.is_helper() {
            registry::one_less(lists);
            lists.ended.push(thread);
        }
        reserve::surplus(lists)
    });
    reserve::end(surplus);
}

/// Gives up the records of all other threads in a forked child: only the calling thread lives on.
pub(super) fn after_fork_in_child() {
    let left = u32::from(Thread::known().is_some());
    with(|lists| {
        registry::after_fork_in_child(lists, |thread| {
            if Thread::known().is_none_or(|own| !core::ptr::eq(own, thread)) {
                thread.is_nobodys();
                thread.kind.set(thread.as_owner(), ThreadKind::Unknown);
                unwatched::forget(thread);
            } else {
                // The kernel gives the thread another number in the child.
                thread.is_callers();
            }
        });
        main_thread::forget();
        // The calling thread is the program's only thread in the child, even if it was a worker in
        // the parent.
        holders::forget_end(lists);
        lists.holders = 0;
        holders::notice_end(lists, Thread::known());
        registry::are_left(left as usize);
        crowd::after_fork_in_child(left);
    });
}
