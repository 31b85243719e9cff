//! The OMPT side: an ordinary OMPT 5 tool, for any runtime that has the interface.
//!
//! One file for each family of events. What must hold: every callback returns quickly, books its
//! own cost, never panics and prints nothing; a callback after the thread's end, or after the
//! agent's, does nothing.

pub mod mutex;
pub mod parallel;
pub mod sync;
pub mod task;
pub mod threads;
pub mod work;

use crate::clock::ticks;
use crate::sampling::waits;
use crate::stream::process;
use crate::thread::cost::Kind;
use crate::thread::{Thread, stretch};
use crate::{interpose, life};
use core::ffi::c_int;
use core::sync::atomic::{
    AtomicBool,
    Ordering::{Relaxed, SeqCst},
    compiler_fence,
};
use omphalos_ompt::*;

/// The tool; all that it knows is in the records of threads.
pub struct Profiler;

tool!(Profiler, unless stands_aside());

/// What happens is heard in another way than a runtime's OMPT.
static ASIDE: AtomicBool = AtomicBool::new(false);

/// From here on the agent is no OMPT tool of the runtime's: another source tells what happens, and
/// nothing is counted twice.
pub fn stand_aside() {
    ASIDE.store(true, Relaxed);
}

fn stands_aside() -> bool {
    ASIDE.load(Relaxed)
}

impl Tool for Profiler {
    const EVENTS: Events = Events::STRUCTURE
        .union(Events::TASK_CREATE)
        .union(Events::TASK_SCHEDULE)
        .union(Events::SYNC_REGION)
        .union(Events::WORK)
        .union(Events::DISPATCH)
        .union(Events::MASKED)
        .union(Events::REDUCTION)
        .union(Events::MUTEX)
        .union(Events::CONTROL_TOOL)
        .union(Events::ERROR);

    fn start(runtime: Runtime<'_>) -> Option<Self> {
        interpose::prepare();
        life::start(Some((runtime.openmp, runtime.name.to_bytes()))).then_some(Profiler)
    }

    fn answered(&self, number: c_int, name: &str, answer: Answer) {
        let refused = matches!(answer, Answer::Error | Answer::Never | Answer::Impossible);
        if refused && Events::STRUCTURE.bits() & (1 << number) != 0 {
            process::warn(format_args!(
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

    #[inline(always)]
    fn parallel_begin(&self, event: ParallelBegin<'_>) {
        parallel::begin(event);
    }

    #[inline(always)]
    fn parallel_end(&self, event: ParallelEnd<'_>) {
        parallel::end(event);
    }

    #[inline(always)]
    fn implicit_task(&self, event: ImplicitTask<'_>) {
        parallel::implicit_task(event);
    }

    #[inline(always)]
    fn task_create(&self, event: TaskCreate<'_>) {
        task::create(event);
    }

    #[inline(always)]
    fn task_schedule(&self, event: TaskSchedule<'_>) {
        task::schedule(event);
    }

    #[inline(always)]
    fn work(&self, event: Work<'_>) {
        work::work(event);
    }

    #[inline(always)]
    fn dispatch(&self, event: Dispatch<'_>) {
        work::dispatch(event);
    }

    #[inline(always)]
    fn masked(&self, event: Masked<'_>) {
        work::masked(event);
    }

    #[inline(always)]
    fn reduction(&self, event: SyncRegion<'_>) {
        work::reduction(event);
    }

    #[inline(always)]
    fn sync_region(&self, event: SyncRegion<'_>) {
        sync::region(event);
    }

    #[inline(always)]
    fn sync_region_wait(&self, event: SyncRegion<'_>) {
        sync::region_wait(event);
    }

    #[inline(always)]
    fn mutex_acquire(&self, event: MutexAcquire<'_>) {
        mutex::acquire(event);
    }

    #[inline(always)]
    fn mutex_acquired(&self, event: Mutex<'_>) {
        mutex::acquired(event);
    }

    #[inline(always)]
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
#[inline(always)]
fn on_thread(body: impl FnOnce(&'static Thread, u64)) {
    let Some(thread) = record() else { return };
    enter(thread);
    timed(thread, body, Kind::Rare);
    leave(thread);
}

/// As [`on_thread`] for what books no time of the account, and need not know it.
#[inline(always)]
fn lightly(body: impl FnOnce(&'static Thread, u64)) {
    let Some(thread) = record() else { return };
    enter(thread);
    let now = ticks();
    body(thread, now);
    thread.cost.book(Kind::Light, now);
    leave(thread);
}

/// As [`on_thread`] for what does not even need the time.
#[inline(always)]
fn untimely(body: impl FnOnce(&'static Thread)) {
    let Some(thread) = record() else { return };
    enter(thread);
    body(thread);
    leave(thread);
}

/// The calling thread's record, unless its end was told.
#[inline(always)]
fn record() -> Option<&'static Thread> {
    let thread = Thread::current().or_else(threads::late)?;
    thread.alive.load(Relaxed).then_some(thread)
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

#[inline(always)]
fn timed(thread: &'static Thread, body: impl FnOnce(&'static Thread, u64), kind: Kind) {
    let now = ticks();
    let mut begin = now;
    if waits::is_due(thread, now) || thread.account.pace.is_off() {
        begin = after_a_while(thread, now);
    }
    thread.account.pace.event(kind == Kind::Busy);
    body(thread, now);
    let spent = thread.cost.book(kind, begin);
    thread.account.pay(spent);
}

/// What an event brings that is the first one after a tick; answers the time after that.
#[cold]
#[inline(never)]
fn after_a_while(thread: &'static Thread, now: u64) -> u64 {
    if waits::is_due(thread, now) {
        waits::passed(thread, now);
    }
    if thread.account.pace.is_off() {
        stretch::resume(thread, now);
    }
    thread.cost.book_seldom(now)
}

/// As [`on_thread`] for an event that may come so often that it cannot be timed: then `count` is
/// all that is done.
#[inline(always)]
fn on_busy_thread(count: impl FnOnce(&'static Thread), body: impl FnOnce(&'static Thread, u64)) {
    let Some(thread) = record() else { return };
    enter(thread);
    if stretch::is_uncounted(thread) {
        count(thread);
    } else {
        timed(thread, body, Kind::Busy);
        if thread.account.pace.spend() {
            stretch::rest(thread);
        }
    }
    leave(thread);
}
