//! The record of one thread: what its callbacks book, what its signal handler needs, and the list
//! of all records.
//!
//! What must hold:
//! - A record is never freed. It is used again for a later thread once its own has ended, so a late
//!   signal or a late store of another thread finds memory.
//! - [`Thread::stack`] belongs to the thread's callbacks; `Thread::sampler` to whoever holds
//!   `Thread::busy`: the handler takes it for the length of a sample, callbacks for the length of
//!   a capture, and a handler that finds it taken counts the tick as missed.
//! - The thread finds its record through one initial-exec TLS word, so the handler needs no
//!   `__tls_get_addr`.

use crate::accounting::construct::ConstructTable;
use crate::accounting::context::Stack;
use crate::accounting::region::{Region, RegionTable};
use crate::accounting::tasks::TaskTable;
use crate::accounting::{Account, CallTable, Class, sched};
use crate::mark::Mark;
use crate::sampling::sampler::Sampler;
use crate::tool::mutex::MutexTable;
use core::cell::UnsafeCell;
use core::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering::Acquire,
    Ordering::Relaxed, Ordering::Release,
};
use omphalos_sys::tls;

/// Where the thread is, as its samples say it. Written by callbacks, read by the handler.
#[derive(Default)]
pub struct Place {
    /// The innermost region's id, 0 = none.
    pub region: AtomicU64,
    /// Its instance, null = none.
    pub instance: AtomicPtr<Region>,
    /// Its `codeptr_ra`.
    pub codeptr: AtomicU64,
    /// Number in its team.
    pub number: AtomicU32,
    /// `ompt_task_flag_t` of the current task.
    pub task_flags: AtomicU32,
    /// Where the current explicit task was created.
    pub task_codeptr: AtomicU64,
    /// `ompt_state_t` of the wait that it is in, if it is in one.
    pub wait_state: AtomicU32,
    /// The mutex that it asks for or asked for last: wait id, kind, place, and since when, ticks.
    pub wait_id: AtomicU64,
    /// See `wait_id`.
    pub wait_kind: AtomicU32,
    /// See `wait_id`.
    pub wait_codeptr: AtomicU64,
    /// See `wait_id`.
    pub wait_since: AtomicU64,
}

/// One thread.
pub struct Thread {
    /// The agent's index.
    pub index: AtomicU32,
    /// The kernel's number.
    pub os_tid: AtomicI32,
    /// True from thread-begin to thread-end.
    pub alive: AtomicBool,
    /// When the thread ended, ticks; 0 = it has not.
    pub ended: AtomicU64,
    /// Where its time went.
    pub account: Account,
    /// Where it is.
    pub place: Place,
    /// Region sites that it encountered.
    pub regions: RegionTable,
    /// Mutex sites that it acquired at.
    pub mutexes: MutexTable,
    /// Task sites that it created or executed at.
    pub tasks: TaskTable,
    /// Constructs in regions that it came to.
    pub constructs: ConstructTable,
    /// Chunks that it was told of.
    chunks: AtomicU64,
    /// Callbacks whose time is not measured.
    light: AtomicU64,
    /// Samples taken.
    pub samples: AtomicU64,
    /// Periods without a sample.
    pub missed: AtomicU64,
    /// When the next moment comes that a sample stands for, ticks.
    pub next_point: AtomicU64,
    /// When the watcher last came by, ticks. By the watcher only.
    pub watched: AtomicU64,
    /// True while a callback is at work: the account and the tables are its own.
    pub in_callback: AtomicBool,
    /// A tick came meanwhile.
    pub tick_waits: AtomicBool,
    /// The call of the C library that the thread is in.
    pub mark: Mark,
    /// Off its processor in calls, in regions and outside: ticks.
    blocked: [AtomicU64; 2],
    /// The same in calls that only the watcher knows. By the watcher only.
    found: [AtomicU64; 2],
    /// Calls that it was blocked in.
    pub calls: CallTable,
    /// What the system says of its running and of its waiting for a processor when the record began, ns.
    pub scheduled: [AtomicU64; 2],
    /// Ticks in callbacks.
    pub in_callbacks: AtomicU64,
    /// What a callback takes, in the mean of some lately measured, ticks.
    callback: AtomicU64,
    /// [`DISPATCH`] and [`DISPATCH_BUSY`], ticks.
    dispatch: [AtomicU64; 2],
    /// Callbacks until one is measured again.
    unmeasured: AtomicU32,
    /// Ticks in the handler.
    pub in_handler: AtomicU64,
    /// When a fork is worth a record again, ticks.
    pub next_capture: AtomicU64,
    /// The stack's lowest address, and one past its highest: nothing outside is read.
    pub stack_low: AtomicUsize,
    /// See `stack_low`.
    pub stack_high: AtomicUsize,
    /// The timer's id, -1 = none.
    pub timer: AtomicI32,
    /// Held by whoever uses `sampler`.
    busy: AtomicBool,
    sampler: UnsafeCell<Sampler>,
    stack: UnsafeCell<Stack>,
    /// True while the record belongs to a thread.
    taken: AtomicBool,
    next: AtomicPtr<Thread>,
}

// SAFETY: the cells are guarded as the module says; everything else is atomic.
unsafe impl Sync for Thread {}

/// Looks at a sampler that somebody else has: a thread that was stopped there may have it for ever.
const PATIENCE: u32 = 100_000;
/// One of so many callbacks is measured: a number that has no factor in common with those of a region.
const MEASURED: u32 = 7;
/// What comes with a callback and is not between its two looks at the clock: the runtime's way to
/// it, memory that other threads must give back; ns. Of an event that may come often: its thread's
/// own memory is at hand.
const DISPATCH: u64 = 50;
const DISPATCH_BUSY: u64 = 15;
/// A callback that takes so many times the mean met something that is not its own (an interrupt,
/// another program).
const OUTLIER: u64 = 4;
/// What a callback takes that books no time, ns.
const LIGHT: u64 = 30;
/// What the kernel takes to call a handler and to return from it, ns.
const SIGNAL: u64 = 1500;

static HEAD: AtomicPtr<Thread> = AtomicPtr::new(core::ptr::null_mut());
/// In the place of a record: the thread's end was reported.
const ENDED: usize = 1;
static NEXT_INDEX: AtomicU32 = AtomicU32::new(0);

impl Thread {
    fn new(buffer: usize) -> Thread {
        Thread {
            index: AtomicU32::new(0),
            os_tid: AtomicI32::new(0),
            alive: AtomicBool::new(false),
            ended: AtomicU64::new(0),
            account: Account::default(),
            place: Place::default(),
            regions: RegionTable::new(64),
            mutexes: MutexTable::new(64),
            tasks: TaskTable::new(32),
            constructs: ConstructTable::new(64),
            chunks: AtomicU64::new(0),
            light: AtomicU64::new(0),
            samples: AtomicU64::new(0),
            missed: AtomicU64::new(0),
            next_point: AtomicU64::new(0),
            watched: AtomicU64::new(0),
            in_callback: AtomicBool::new(false),
            tick_waits: AtomicBool::new(false),
            mark: Mark::default(),
            blocked: Default::default(),
            found: Default::default(),
            calls: CallTable::new(256),
            scheduled: Default::default(),
            in_callbacks: AtomicU64::new(0),
            callback: AtomicU64::new(0),
            dispatch: Default::default(),
            unmeasured: AtomicU32::new(0),
            in_handler: AtomicU64::new(0),
            next_capture: AtomicU64::new(0),
            stack_low: AtomicUsize::new(0),
            stack_high: AtomicUsize::new(0),
            timer: AtomicI32::new(-1),
            busy: AtomicBool::new(false),
            sampler: UnsafeCell::new(Sampler::new(buffer)),
            stack: UnsafeCell::new(Stack::default()),
            taken: AtomicBool::new(true),
            next: AtomicPtr::new(core::ptr::null_mut()),
        }
    }

    /// The calling thread's record, if it has one. Async-signal-safe.
    #[inline]
    pub fn current() -> Option<&'static Thread> {
        let word = tls::record();
        if word.addr() == ENDED {
            return None;
        }
        // SAFETY: null or a record, which is never freed.
        unsafe { word.cast::<Thread>().as_ref() }
    }

    /// True on a thread whose end was reported: what still comes is not accounted for.
    pub fn has_ended() -> bool {
        tls::record().addr() == ENDED
    }

    /// Gives the calling thread a record that begins at `now` in `class`. `buffer` is the size of
    /// its chunk buffer in bytes. Allocates.
    pub fn adopt(class: Class, now: u64, buffer: usize) -> &'static Thread {
        let thread = all()
            .find(|thread| thread.taken.compare_exchange(false, true, Acquire, Relaxed).is_ok());
        let thread = thread.unwrap_or_else(|| {
            let new: &'static Thread = Box::leak(Box::new(Thread::new(buffer)));
            let mut head = HEAD.load(Relaxed);
            loop {
                new.next.store(head, Relaxed);
                let pointer = core::ptr::from_ref(new).cast_mut();
                match HEAD.compare_exchange_weak(head, pointer, Release, Relaxed) {
                    Ok(_) => break,
                    Err(other) => head = other,
                }
            }
            new
        });
        thread.begin(class, now);
        // SAFETY: the record lives for ever.
        unsafe { tls::set_record(core::ptr::from_ref(thread).cast_mut().cast()) };
        thread
    }

    fn begin(&self, class: Class, now: u64) {
        self.index.store(NEXT_INDEX.fetch_add(1, Relaxed), Relaxed);
        self.os_tid.store(omphalos_sys::thread::id(), Relaxed);
        self.ended.store(0, Relaxed);
        crate::tool::stretch::begin(self);
        self.account.begin(class, now);
        let counters =
            [&self.samples, &self.missed, &self.in_callbacks, &self.in_handler, &self.light];
        for counter in counters {
            counter.store(0, Relaxed);
        }
        self.next_capture.store(0, Relaxed);
        let more = [&self.blocked, &self.found];
        more.into_iter().flatten().for_each(|counter| counter.store(0, Relaxed));
        self.in_callback.store(false, Relaxed);
        self.tick_waits.store(false, Relaxed);
        self.mark.end();
        self.watched.store(now, Relaxed);
        let scheduled = sched::of_thread(self.os_tid.load(Relaxed)).unwrap_or_default();
        self.scheduled.iter().zip(scheduled).for_each(|(place, time)| place.store(time, Relaxed));
        self.enter(core::ptr::null(), 0, 0, 0);
        self.set_task(0, 0);
        let (low, high) = stack_bounds();
        self.stack_low.store(low, Relaxed);
        self.stack_high.store(high, Relaxed);
        self.stack().reset();
        self.with_sampler(|sampler| sampler.reset(self, now));
        self.alive.store(true, Release);
    }

    /// Starts the calling thread's record anew in a forked child; no other thread exists there.
    pub fn restart_in_child(&'static self, class: Class, now: u64) {
        HEAD.store(core::ptr::from_ref(self).cast_mut(), Relaxed);
        self.next.store(core::ptr::null_mut(), Relaxed);
        NEXT_INDEX.store(0, Relaxed);
        self.busy.store(false, Relaxed);
        self.timer.store(-1, Relaxed);
        self.regions.clear();
        self.mutexes.clear();
        self.tasks.clear();
        self.constructs.clear();
        self.calls.clear();
        self.begin(class, now);
    }

    /// Gives the record back; the calling thread has none from here on.
    pub fn release(&self) {
        // SAFETY: `current` knows the mark.
        unsafe { tls::set_record(core::ptr::without_provenance_mut(ENDED)) };
        self.taken.store(false, Release);
    }

    /// The callbacks' own side.
    #[allow(clippy::mut_from_ref)]
    pub fn stack(&self) -> &mut Stack {
        // SAFETY: only callbacks on the thread itself come here, one at a time and never inside
        // each other (the agent calls nothing that dispatches events), and no signal handler.
        unsafe { &mut *self.stack.get() }
    }

    /// Runs `use_it` with the sampler, or answers `None` where it is in use on this thread (or by
    /// whoever ends the record). Async-signal-safe as far as `use_it` is.
    pub fn with_sampler<R>(&self, use_it: impl FnOnce(&mut Sampler) -> R) -> Option<R> {
        if self.busy.compare_exchange(false, true, Acquire, Relaxed).is_err() {
            return None;
        }
        // SAFETY: `busy` is ours until it is cleared below.
        let result = use_it(unsafe { &mut *self.sampler.get() });
        self.busy.store(false, Release);
        Some(result)
    }

    /// As [`Thread::with_sampler`] for what must not be left out: waits while the watcher has it. Not for a signal
    /// handler.
    pub fn await_sampler<R>(&self, use_it: impl FnOnce(&mut Sampler) -> R) -> Option<R> {
        let mut use_it = Some(use_it);
        for _ in 0..PATIENCE {
            let result = self.with_sampler(|sampler| use_it.take().map(|use_it| use_it(sampler)));
            if let Some(done) = result {
                return done;
            }
            omphalos_sys::thread::give_way();
        }
        None
    }

    /// Notes the region that the thread is in now.
    pub fn enter(&self, instance: *const Region, region: u64, codeptr: u64, number: u32) {
        self.place.instance.store(instance.cast_mut(), Relaxed);
        self.place.region.store(region, Relaxed);
        self.place.codeptr.store(codeptr, Relaxed);
        self.place.number.store(number, Relaxed);
    }

    /// True where calls of the C library are looked through: the thread executes the program's code, outside of
    /// any callback. Async-signal-safe.
    #[inline]
    pub fn is_followed(&self) -> bool {
        self.alive.load(Relaxed)
            && !self.in_callback.load(Relaxed)
            && matches!(self.account.class(), Class::Work | Class::Serial)
    }

    /// Adds to the time off the processor in calls, ticks. By the thread itself.
    pub fn book_blocked(&self, in_region: bool, time: u64) {
        add(&self.blocked[usize::from(!in_region)], time);
    }

    /// The same where only the watcher saw it. By the watcher.
    pub fn book_found(&self, in_region: bool, time: u64) {
        add(&self.found[usize::from(!in_region)], time);
    }

    /// Time off the processor in calls up to `now`, in regions and outside: ticks. For any thread.
    pub fn blocked_at(&self, now: u64) -> [u64; 2] {
        let mut sum =
            [0, 1].map(|at| self.blocked[at].load(Relaxed) + self.found[at].load(Relaxed));
        if self.mark.call().is_some_and(|call| call.only_waits) {
            let open = now.saturating_sub(self.mark.since());
            match self.account.class() {
                Class::Work => sum[0] += open,
                Class::Serial => sum[1] += open,
                _ => {}
            }
        }
        sum
    }

    /// A sample was taken in the region where the thread is: its fork is worth a record. Async-signal-safe.
    pub fn note_sampled(&self) {
        let region = self.place.region.load(Relaxed);
        // SAFETY: null or an instance, which is never freed.
        let instance = unsafe { self.place.instance.load(Relaxed).as_ref() };
        if let Some(instance) = instance.filter(|instance| instance.id.load(Relaxed) == region) {
            instance.sampled.store(true, Relaxed);
        }
    }

    /// Notes the task that the thread executes now.
    pub fn set_task(&self, flags: u32, codeptr: u64) {
        self.place.task_flags.store(flags, Relaxed);
        self.place.task_codeptr.store(codeptr, Relaxed);
    }

    /// Books the handler's time since `begin`, and what the kernel takes to call it. More than `most` ns means that
    /// the thread lost the processor in between: that is not the agent's time.
    pub fn book_handler(&self, begin: u64, most: u64) {
        let spent = crate::clock::ticks().saturating_sub(begin);
        let spent = spent.min(crate::clock::in_ticks_fast(most)) + crate::clock::in_ticks(SIGNAL);
        add(&self.in_handler, spent);
    }

    /// Books a callback's time since `begin`, and answers it. One in [`MEASURED`] is measured, for
    /// a look at the clock costs as much as half a callback; the others are taken to be alike.
    /// `busy`: its event is of those that may come often.
    #[inline]
    pub fn book_callback(&self, begin: u64, busy: bool) -> u64 {
        let left = self.unmeasured.load(Relaxed);
        if left == 0 {
            self.measure_callback(begin);
        } else {
            self.unmeasured.store(left - 1, Relaxed);
        }
        let dispatch = self.dispatch[usize::from(busy)].load(Relaxed);
        let spent = self.callback.load(Relaxed) + dispatch;
        add(&self.in_callbacks, spent);
        spent
    }

    /// Counts a callback that does too little to be worth a look at the clock.
    #[inline]
    pub fn count_light(&self) {
        add(&self.light, 1);
    }

    /// What such callbacks took, by what one takes in the mean: ns.
    pub fn in_light_callbacks(&self) -> u64 {
        self.light.load(Relaxed) * LIGHT
    }

    /// Counts a chunk that was told; says how many there were.
    #[inline]
    pub fn count_chunk(&self) -> u64 {
        add(&self.chunks, 1);
        self.chunks.load(Relaxed)
    }

    #[cold]
    fn measure_callback(&self, begin: u64) {
        let spent = crate::clock::ticks().saturating_sub(begin);
        let before = self.callback.load(Relaxed);
        let most = match before {
            0 => crate::clock::in_ticks_fast(1000),
            before => before * OUTLIER,
        };
        let spent = spent.min(most);
        // Where they differ the mean counts.
        let mean = if before == 0 { spent } else { (before * 7 + spent).div_ceil(8) };
        self.callback.store(mean, Relaxed);
        for (place, ns) in self.dispatch.iter().zip([DISPATCH, DISPATCH_BUSY]) {
            place.store(crate::clock::in_ticks(ns), Relaxed);
        }
        self.unmeasured.store(MEASURED - 1, Relaxed);
    }

    /// The thread's last moment so far: its end, or `now`.
    pub fn last_moment(&self, now: u64) -> u64 {
        match self.ended.load(Relaxed) {
            0 => now,
            ended => ended,
        }
    }

    /// True while the record belongs to a thread or holds totals of one that ended last.
    pub fn was_used(&self) -> bool {
        self.account.begun() != 0
    }
}

fn add(to: &AtomicU64, much: u64) {
    to.store(to.load(Relaxed) + much, Relaxed);
}

/// All records. Async-signal-safe.
pub fn all() -> impl Iterator<Item = &'static Thread> {
    // SAFETY: the list holds records only, which are never freed.
    let mut at = unsafe { HEAD.load(Acquire).as_ref() };
    core::iter::from_fn(move || {
        let thread = at?;
        // SAFETY: as above.
        at = unsafe { thread.next.load(Acquire).as_ref() };
        Some(thread)
    })
}

/// A forked child whose thread has no record has no other thread either.
pub fn forget_all() {
    HEAD.store(core::ptr::null_mut(), Relaxed);
}

/// The calling thread's stack: lowest address and one past the highest, zeros if the system does
/// not say.
fn stack_bounds() -> (usize, usize) {
    // SAFETY: the attributes are initialised by the call that succeeds and destroyed after use.
    unsafe {
        let mut attributes: libc::pthread_attr_t = core::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return (0, 0);
        }
        let mut low = core::ptr::null_mut();
        let mut size = 0;
        let known = libc::pthread_attr_getstack(&attributes, &mut low, &mut size) == 0;
        libc::pthread_attr_destroy(&mut attributes);
        if known { (low as usize, low as usize + size) } else { (0, 0) }
    }
}
