//! The OMPT side: an ordinary OMPT 5 tool, for any runtime that has the interface.
//!
//! One file for each family of events. What must hold: every callback returns quickly, books its
//! own cost, never panics and prints nothing; a callback after the thread's end, or after the
//! agent's, does nothing.

pub mod mutex;
pub mod parallel;
pub mod stretch;
pub mod sync;
pub mod task;
pub mod threads;
pub mod work;

use crate::clock::ticks;
use crate::life;
use crate::sampling::waits;
use crate::thread::Thread;
use core::ffi::c_int;
use core::sync::atomic::{
    Ordering::{Relaxed, SeqCst},
    compiler_fence,
};
use omphalos_ompt::*;

/// The tool; all that it knows is in the records of threads.
pub struct Profiler;

tool!(Profiler, unless crate::collector::is_source());

impl Tool for Profiler {
    const EVENTS: Events = Events::STRUCTURE
        .union(Events::TASK_CREATE)
        .union(Events::TASK_SCHEDULE)
        .union(Events::SYNC_REGION)
        .union(Events::SYNC_REGION_WAIT)
        .union(Events::WORK)
        .union(Events::DISPATCH)
        .union(Events::MASKED)
        .union(Events::REDUCTION)
        .union(Events::MUTEX)
        .union(Events::CONTROL_TOOL)
        .union(Events::ERROR);

    fn start(runtime: Runtime<'_>) -> Option<Self> {
        life::start(Some((runtime.openmp, runtime.name.to_bytes()))).then_some(Profiler)
    }

    fn answered(&self, number: c_int, name: &str, answer: Answer) {
        let refused = matches!(answer, Answer::Error | Answer::Never | Answer::Impossible);
        if refused && Events::STRUCTURE.bits() & (1 << number) != 0 {
            life::warn(format_args!(
                "this OpenMP runtime does not report {name}: figures will be missing"
            ));
        }
    }

    fn end(&self) {
        life::finish("the runtime ended");
    }

    fn thread_begin(&self, event: ThreadBegin<'_>) {
        threads::began(event.kind);
    }

    fn thread_end(&self, _event: ThreadEnd<'_>) {
        threads::ended();
    }

    fn parallel_begin(&self, event: ParallelBegin<'_>) {
        parallel::begin(event);
    }

    fn parallel_end(&self, event: ParallelEnd<'_>) {
        parallel::end(event);
    }

    fn implicit_task(&self, event: ImplicitTask<'_>) {
        parallel::implicit_task(event);
    }

    fn task_create(&self, event: TaskCreate<'_>) {
        task::create(event);
    }

    fn task_schedule(&self, event: TaskSchedule<'_>) {
        task::schedule(event);
    }

    fn work(&self, event: Work<'_>) {
        work::work(event);
    }

    fn dispatch(&self, event: Dispatch<'_>) {
        work::dispatch(event);
    }

    fn masked(&self, event: Masked<'_>) {
        work::masked(event);
    }

    fn reduction(&self, event: SyncRegion<'_>) {
        work::reduction(event);
    }

    fn sync_region(&self, event: SyncRegion<'_>) {
        sync::region(event);
    }

    fn sync_region_wait(&self, event: SyncRegion<'_>) {
        sync::region_wait(event);
    }

    fn mutex_acquire(&self, event: MutexAcquire<'_>) {
        mutex::acquire(event);
    }

    fn mutex_acquired(&self, event: Mutex<'_>) {
        mutex::acquired(event);
    }

    fn mutex_released(&self, event: Mutex<'_>) {
        mutex::released(event);
    }

    fn nest_lock(&self, event: NestLock<'_>) {
        mutex::nest_lock(event);
    }

    fn control_tool(&self, event: ControlTool<'_>) -> c_int {
        threads::control_tool(event.command)
    }

    fn error(&self, event: Error<'_>) {
        threads::error(event.severity);
    }
}

/// Runs a callback's body with the calling thread's record and the time, and books what it took.
#[inline]
fn on_thread(body: impl FnOnce(&'static Thread, u64)) {
    let Some(thread) = Thread::current().or_else(threads::late) else { return };
    if !thread.alive.load(Relaxed) {
        return;
    }
    enter(thread);
    timed(thread, body, false);
    leave(thread);
}

/// As [`on_thread`] for what books no time of the account, and need not know it.
#[inline]
fn lightly(body: impl FnOnce(&'static Thread)) {
    let Some(thread) = Thread::current().or_else(threads::late) else { return };
    if !thread.alive.load(Relaxed) {
        return;
    }
    enter(thread);
    body(thread);
    thread.count_light();
    leave(thread);
}

/// From here to [`leave`] the account and the tables are the callback's: a tick waits for its end.
#[inline]
fn enter(thread: &Thread) {
    thread.in_callback.store(true, Relaxed);
    compiler_fence(SeqCst);
}

#[inline]
fn leave(thread: &Thread) {
    compiler_fence(SeqCst);
    thread.in_callback.store(false, Relaxed);
    compiler_fence(SeqCst);
    if thread.tick_waits.load(Relaxed) {
        stretch::catch_up(thread);
    }
}

#[inline]
fn timed(thread: &'static Thread, body: impl FnOnce(&'static Thread, u64), busy: bool) {
    let now = ticks();
    if waits::is_due(thread, now) {
        waits::passed(thread, now);
    }
    if thread.account.pace.is_off() {
        stretch::resume(thread, now);
    }
    thread.account.pace.event(busy);
    body(thread, now);
    let spent = thread.book_callback(now, busy);
    thread.account.pay(spent);
}

/// As [`on_thread`] for an event that may come so often that it cannot be timed: then `count` is all that
/// is done.
#[inline]
fn on_busy_thread(count: impl FnOnce(&'static Thread), body: impl FnOnce(&'static Thread, u64)) {
    let Some(thread) = Thread::current().or_else(threads::late) else { return };
    if !thread.alive.load(Relaxed) {
        return;
    }
    enter(thread);
    if stretch::is_uncounted(thread) {
        count(thread);
    } else {
        timed(thread, body, true);
        if thread.account.pace.spend() {
            stretch::rest(thread);
        }
    }
    leave(thread);
}

/// The calling thread's state by OMPT's number and what it waits for; serial work where no runtime
/// can say. Async-signal-safe: OMPT says so of the entry point.
pub fn state() -> (u32, u64) {
    match Host::get().try_state() {
        Some((state, wait_id)) => (state.number() as u32, wait_id),
        None => (State::WorkSerial.number() as u32, 0),
    }
}
