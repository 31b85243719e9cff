//! The begin and the end of a thread's recording.

use crate::accounting::Class;
use crate::clock::{moment, ticks};
use crate::recording;
use crate::sampling::{timer, waits};
use crate::stream::process;
use crate::thread::{Thread, stretch};
use crate::totals;
use core::ffi::c_void;
use core::sync::atomic::{
    AtomicBool, AtomicU32,
    Ordering::{Relaxed, Release, SeqCst},
    fence,
};
use omphalos_ompt::ThreadKind;
use omphalos_profile_format::{ThreadBegin, ThreadEnd};
use omphalos_sync::settled::Settled;
use omphalos_sys::thread::Key;

/// True once a refused timer was reported.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Gives the calling thread a record and starts sampling it.
pub fn begin(class: Class, kind: ThreadKind, now: u64, buffer: usize) -> &'static Thread {
    let thread = Thread::adopt(class, now, buffer);
    restart(thread, kind);
    thread
}

/// Announces the calling thread, which may be the only one of a forked child, and starts its timer.
pub fn restart(thread: &Thread, kind: ThreadKind) {
    announce(thread, kind);
    if let Err(error) = timer::start(thread, recording::period())
        && !REFUSED.swap(true, Relaxed)
    {
        process::warn(format_args!(
            "thread {}: no sampling timer (errno {error}): its samples, and those of other threads \
             that get none, are missing; the figures from events are not. ulimit -i may help",
            thread.os_tid.load(Relaxed)
        ));
    }
}

/// Writes the record that a thread began.
pub fn announce(thread: &Thread, kind: ThreadKind) {
    let record = ThreadBegin {
        thread: thread.index.load(Relaxed),
        os_tid: thread.os_tid.load(Relaxed) as u32,
        thread_kind: kind.number() as u32,
        time: moment(thread.account.begun()),
    };
    thread.await_sampler(|sampler| sampler.push(record.into()));
}

/// Ends the recording of the calling thread.
pub fn ended() {
    let Some(thread) = Thread::current() else { return };
    if thread.alive.load(Relaxed) {
        stretch::end_here(thread);
        end(thread, ticks());
        thread.account.summed().end(&thread.regions);
        thread.release();
    } else if recording::is_late() {
        thread.release();
    }
}

/// The size of the chunk buffer of a thread that the program made itself, bytes.
const BUFFER: usize = 1 << 16;

/// Makes a record for a thread that the program made itself, and that no runtime reports.
#[cold]
pub fn newcomer() -> Option<&'static Thread> {
    if !recording::is_running() || Thread::has_none() {
        return None;
    }
    let begins = || begin(Class::Serial, ThreadKind::Unknown, ticks(), BUFFER);
    let thread = recording::paying(begins);
    watch_end();
    Some(thread)
}

/// The number of threads that are making a record, for an agent that was loaded into a running
/// process.
static MAKING: AtomicU32 = AtomicU32::new(0);

/// Returns the calling thread's record in a process that ran before the agent came, and makes it if
/// need be.
/// Returns `None` while the agent waits for a region, after its end, and for a thread whose end was
/// reported.
#[cold]
pub fn join(class: Class, kind: ThreadKind) -> Option<&'static Thread> {
    // Either the thread that ends the agent sees that this one makes a record, or this one sees the
    // end.
    MAKING.fetch_add(1, SeqCst);
    fence(SeqCst);
    let may = recording::is_running() && !recording::awaits_region() && !Thread::has_none();
    let thread = if may { recording::paying(|| record(class, kind)) } else { None };
    MAKING.fetch_sub(1, Release);
    thread
}

fn record(class: Class, kind: ThreadKind) -> Option<&'static Thread> {
    let kind = match kind {
        ThreadKind::Unknown if omphalos_sys::thread::is_main() => ThreadKind::Initial,
        kind => kind,
    };
    let thread = match Thread::current() {
        None => begin(class, kind, ticks(), BUFFER),
        Some(thread) if thread.is_earlier() => {
            thread.begin_anew(class, ticks());
            restart(thread, kind);
            thread
        }
        Some(thread) => return thread.alive.load(Relaxed).then_some(thread),
    };
    watch_end();
    Some(thread)
}

/// Whether any thread is making a record.
pub fn are_made() -> bool {
    fence(SeqCst);
    MAKING.load(SeqCst) != 0
}

/// Resets the number in a forked child, where no other thread makes a record.
pub fn reset_in_child() {
    MAKING.store(0, Relaxed);
}

/// Watches for the end of the calling thread, which may end long before the process: it is the
/// process's first thread, or one that the program made. If it never used OpenMP, no runtime
/// reports its end.
pub fn watch_end() {
    static ROUNDS: [u8; 2] = [0; 2];
    static KEY: Settled<Option<Key>> = Settled::new();
    // The end is recorded in the second round, after the program's own work at its thread's end.
    extern "C" fn leaves(round: *mut c_void) {
        let key = KEY.get().copied().flatten();
        match key.filter(|_| round.addr() == ROUNDS.as_ptr().addr()) {
            Some(key) if key.set((&raw const ROUNDS[1]).cast()) => {}
            _ => ended(),
        }
    }
    if let Some(key) = KEY.get_or(|| Key::new(leaves)) {
        key.set((&raw const ROUNDS[0]).cast());
    }
}

/// Ends a thread's sampling, settles its account and writes what it still has. The thread itself
/// calls this, or the thread that ends the process.
pub fn end(thread: &Thread, now: u64) {
    timer::stop(thread);
    stretch::end(thread, now);
    thread.ended.store(now, Relaxed);
    thread.alive.store(false, Relaxed);
    let total = totals::total_of(thread, now);
    thread.await_sampler(|sampler| {
        waits::close(sampler, thread, now);
        let record = ThreadEnd { thread: total.thread, time: total.time };
        sampler.push(total.into());
        sampler.push(totals::scheduling_of(thread, now).into());
        if let Some(record) = totals::sampling_of(thread) {
            sampler.push(record.into());
        }
        if let Some(record) = totals::queued_of(thread) {
            sampler.push(record.into());
        }
        if let Some(record) = totals::mpi_of(thread, now) {
            sampler.push(record.into());
        }
        sampler.push(record.into());
        sampler.flush();
        sampler.close();
    });
}
