//! A thread begins to be recorded, or ends.

use crate::accounting::Class;
use crate::clock::{moment, ticks};
use crate::recording;
use crate::sampling::{timer, waits};
use crate::stream::process;
use crate::thread::{Thread, stretch};
use crate::totals;
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use omphalos_ompt::ThreadKind;
use omphalos_profile_format::{ThreadBegin, ThreadEnd};
use omphalos_sync::settled::Settled;
use omphalos_sys::thread::Key;

/// A refused timer was reported.
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

/// Writes that a thread began.
pub fn announce(thread: &Thread, kind: ThreadKind) {
    let record = ThreadBegin {
        thread: thread.index.load(Relaxed),
        os_tid: thread.os_tid.load(Relaxed) as u32,
        thread_kind: kind.number() as u32,
        time: moment(thread.account.begun()),
    };
    thread.await_sampler(|sampler| sampler.push(record.into()));
}

/// The calling thread ends.
pub fn ended() {
    if let Some(thread) = Thread::current()
        && thread.alive.load(Relaxed)
    {
        stretch::end_here(thread);
        end(thread, ticks());
        thread.account.summed().end(&thread.regions);
        thread.release();
    }
}

/// Chunk buffer of a thread that the program made itself, bytes.
const BUFFER: usize = 1 << 16;

/// A record for a thread that the program made itself, and of which no runtime tells.
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

/// The calling thread may leave long before the process ends: the process's first one, or one that
/// the program made. Where it never used OpenMP no runtime tells of that.
pub fn watch_end() {
    static ROUNDS: [u8; 2] = [0; 2];
    static KEY: Settled<Option<Key>> = Settled::new();
    // In the second round, behind what the program does as its thread ends.
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

/// Stops sampling of a thread, settles its account and writes what it still has. Its own thread
/// calls this, or the one that ends the process.
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
