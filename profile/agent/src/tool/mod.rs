//! The OMPT side: an ordinary OMPT 5 tool, for any runtime that has the interface.
//!
//! One file for each family of events.
//!
//! What must hold: every callback returns quickly, books its own cost, never panics and prints
//! nothing; a callback after the thread's end, or after the agent's, does nothing.

mod brief;
mod counted;
pub mod mutex;
pub mod parallel;
mod summed;
pub mod sync;
pub mod target;
pub mod task;
pub mod threads;
pub mod work;

use crate::accounting::construct::Behind;
use crate::clock::ticks;
use crate::counting;
use crate::sampling::waits;
use crate::stream::process;
use crate::thread::cost::Kind;
use crate::thread::queued::{self, Looked};
use crate::thread::{Owner, Thread, stretch};
use crate::{config, interpose, life, recording, thread};
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use omphalos_ompt::*;

/// The tool; the records of threads hold everything that it knows.
pub struct Profiler;

tool!(Profiler, unless stands_aside());

/// Whether another source than a runtime's OMPT reports the events.
static ASIDE: AtomicBool = AtomicBool::new(false);

/// Stops the agent from being an OMPT tool of the runtime: another source reports the events, and
/// none may be counted twice.
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
        .union(Events::DEVICE_INITIALIZE)
        .union(Events::TARGET)
        .union(Events::TARGET_DATA_OP)
        .union(Events::TARGET_SUBMIT)
        .union(Events::CONTROL_TOOL)
        .union(Events::ERROR);

    fn start(runtime: Runtime<'_>) -> Option<Self> {
        if config::is_declined() {
            life::confined::is_late();
            return None;
        }
        interpose::prepare();
        life::start(Some((runtime.openmp, runtime.name.to_bytes()))).then_some(Profiler)
    }

    fn ready(&self, host: Host) -> bool {
        host.wish(wishes::DOACROSS_WAITS | wishes::LATE_ENDS | wishes::BODIES);
        true
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
        match recording::is_late() {
            true => life::leave_process(),
            false => life::finish("the runtime ended"),
        }
    }

    fn thread_begin(&self, event: ThreadBegin<'_>) {
        threads::began(event.kind);
    }

    fn thread_end(&self, _event: ThreadEnd<'_>) {
        life::threads::ended();
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

    fn device_initialize(&self, event: DeviceInitialize<'_>) {
        target::device(event.device);
    }

    fn target(&self, event: Target<'_>) {
        target::construct(event);
    }

    fn target_data_op(&self, event: TargetDataOp<'_>) {
        target::data_op(event);
    }

    fn target_submit(&self, event: TargetSubmit<'_>) {
        target::submit(event);
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

// The functions below that are not inlined take the `Owner` and return it, so that it can stay in a
// register.

/// Runs a callback's body with the calling thread's record and the time, and books the callback's
/// cost.
#[inline(always)]
fn on_thread(body: impl FnOnce(&mut Owner, u64)) {
    let Some(owner) = enter() else { return };
    stretch::leave(timed(owner, false, |owner, now| {
        body(owner, now);
        Kind::Rare
    }));
}

/// Does what [`on_thread`] does, for a barrier.
#[inline(always)]
fn at_barrier(body: impl FnOnce(&mut Owner, u64)) {
    let Some(owner) = enter() else { return };
    stretch::leave(timed(owner, false, |owner, now| {
        body(owner, now);
        let behind = owner.stack().top().map(|context| context.constructs.behind());
        match behind.unwrap_or_default() {
            Behind::Other | Behind::Plain => Kind::Barrier,
            Behind::Single => Kind::BehindSingle,
            Behind::Copies => Kind::BehindCopies,
            Behind::Combining => Kind::Inner,
        }
    }));
}

/// Does what [`on_thread`] does, for a body that neither books nor reads the times of the account.
#[inline(always)]
fn lightly(body: impl FnOnce(&mut Owner, u64)) {
    let Some(mut owner) = enter() else { return };
    let now = ticks();
    body(&mut owner, now);
    let spent = owner.cost.book(Kind::Light, now);
    owner.books().pay(spent);
    stretch::leave(owner);
}

/// Does what [`on_thread`] does, for a body that does not even need the time.
#[inline(always)]
fn untimely(body: impl FnOnce(&mut Owner)) {
    let Some(mut owner) = enter() else { return };
    body(&mut owner);
    stretch::leave(owner);
}

/// Begins a callback as [`enter_record`] does, and books the thread's regions that were not
/// reported.
#[inline(always)]
fn enter() -> Option<Owner> {
    let owner = enter_record()?;
    Some(if owner.account.summed().is_new() { thread::summed::catch_up(owner) } else { owner })
}

/// Begins a callback: returns the right to write the calling thread's record, unless its end was
/// reported.
#[inline(always)]
fn enter_record() -> Option<Owner> {
    let thread = Thread::current().or_else(threads::late)?;
    // The agent calls nothing that dispatches events. But a handler of the program's may come while
    // a callback is at work, and the C library may call the program's `malloc`: the events of these
    // belong to the thread's own work.
    if thread.is_in_callback() {
        return None;
    }
    // SAFETY: no callback of the thread is at work.
    let owner = unsafe { Owner::enter(thread) };
    // The order matters: either the thread that ends the record sees the callback, or the callback
    // sees the end.
    if owner.alive.load(Relaxed) {
        return Some(owner);
    }
    owner.give_up();
    // SAFETY: as above.
    threads::begin_again(thread).map(|thread| unsafe { Owner::enter(thread) })
}

#[inline(always)]
fn timed(mut owner: Owner, is_busy: bool, body: impl FnOnce(&mut Owner, u64) -> Kind) -> Owner {
    let now = ticks();
    let mut begin = now;
    if now >= owner.look.next.load(Relaxed) || owner.account.is_off() {
        (owner, begin) = after_a_while(owner, now);
    }
    owner.books().pace().event(is_busy);
    let kind = body(&mut owner, now);
    let spent = owner.cost.book(kind, begin);
    owner.books().pay(spent);
    owner
}

/// Does the extra work of the first event after a tick, or after a while; returns the time after
/// that.
#[cold]
#[inline(never)]
fn after_a_while(mut owner: Owner, now: u64) -> (Owner, u64) {
    if counting::is_on() {
        waits::count_at_event(&owner);
    }
    if waits::is_due(&owner, now) {
        waits::passed(&owner, now);
    }
    // This follows the sample of all the time since the last event.
    let is_off = owner.account.is_off();
    let looks = is_off || owner.look.is_due(now);
    let Looked { queued, asleep } =
        if looks { queued::look(&mut owner, now) } else { Looked::default() };
    if asleep > 0 {
        waits::slept(&owner, now, asleep);
    }
    if is_off {
        stretch::resume(&mut owner, now, queued);
    }
    owner.look.set_next(owner.next_point.load(Relaxed));
    let begin = owner.cost.book_seldom(now);
    (owner, begin)
}

/// Does what [`on_thread`] does, for an event that may come too often to be timed: then only
/// `count` is done.
#[inline(always)]
fn on_busy_thread(count: impl FnOnce(&mut Owner), body: impl FnOnce(&mut Owner, u64)) {
    let Some(owner) = enter() else { return };
    let (mut owner, is_uncounted) = stretch::is_uncounted(owner);
    if is_uncounted {
        count(&mut owner);
    } else {
        owner = timed(owner, true, |owner, now| {
            body(owner, now);
            Kind::Busy
        });
        if owner.books().pace().spend() {
            owner = stretch::rest(owner);
        }
    }
    stretch::leave(owner);
}
