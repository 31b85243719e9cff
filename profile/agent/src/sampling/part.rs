//! Which part of the run is measured: all of it, unless the program says otherwise
//! (`omp_control_tool`), or whoever started it (a delay, a length).
//!
//! Events are accounted for all the time: a part that begins in the middle of a region has a
//! beginning for everything that goes on. Where a part begins or ends all totals are written, and a
//! record that says so; a reader takes the one state off the other. Meanwhile no samples are taken.
//!
//! What must hold: one thread at a time changes it; the totals of that moment are in the file
//! before the record is. It allocates and waits, so no signal handler calls it.

use super::{only, waits, watch};
use crate::clock::{in_ticks, moment, ns, ticks};
use crate::stream::{self, process};
use crate::thread;
use crate::{recording, totals};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::time::Duration;
use omphalos_profile_format::Part;
use omphalos_sync::process_lock::{ProcessLock, rank};

/// Held while it changes.
static CHANGES: ProcessLock<(), { rank::AGENT_PART }> = ProcessLock::new(());
/// When measuring begins, and when it ends, ticks; 0: nobody asked for that.
static BEGIN: AtomicU64 = AtomicU64::new(0);
static END: AtomicU64 = AtomicU64::new(0);
/// When an agent that was brought is to end, ticks.
static LATE_END: AtomicU64 = AtomicU64::new(u64::MAX);

/// Open regions that are to be measured alone. Changes while `CHANGES` is held.
static INSIDE: AtomicU64 = AtomicU64::new(0);

/// The agent starts at `now`: looks at what is asked for.
pub fn prepare(now: u64) {
    only::prepare();
    let config = recording::config();
    match config.delay {
        Some(delay) if delay > 0 => {
            recording::set_measured(false);
            BEGIN.store(now + in_ticks(delay), Relaxed);
        }
        _ => end_after(now),
    }
}

/// As [`prepare`] where the agent was brought: all is measured, from the first region on.
pub fn prepare_late() {
    BEGIN.store(0, Relaxed);
    END.store(0, Relaxed);
    LATE_END.store(u64::MAX, Relaxed);
    recording::set_measured(true);
}

/// The first region begins.
pub fn begin_late(now: u64) {
    if let Some(length) = recording::config().length {
        LATE_END.store(now.saturating_add(in_ticks(length)), Relaxed);
    }
}

/// Whether the time is over that was asked for then.
pub fn is_over() -> bool {
    ticks() >= LATE_END.load(Relaxed)
}

/// A part begins at `now` that may have an end.
fn end_after(now: u64) {
    if let Some(length) = recording::config().length {
        END.store(now + in_ticks(length), Relaxed);
    }
}

/// There is a runtime: if measuring begins or ends at a time, somebody has to look at the clock. A
/// process without one gets no thread and no file.
pub fn watch_clock() {
    if recording::is_running() && (BEGIN.load(Relaxed) != 0 || END.load(Relaxed) != 0) {
        watch::start();
    }
}

/// How long the watcher may sleep: as long as ever, or to the next of those times.
pub fn sleep(longest: Duration) -> Duration {
    let next = [&BEGIN, &END].map(|time| time.load(Relaxed)).into_iter().find(|time| *time != 0);
    let left = next.map(|next| ns(next.saturating_sub(ticks())));
    left.map_or(longest, |left| longest.min(Duration::from_nanos(left.max(1))))
}

/// Begins or ends a part whose time has come. The watcher calls this.
pub fn look(now: u64) {
    let has_come = |time: &AtomicU64| {
        let at = time.load(Relaxed);
        let has_come = at != 0 && now >= at;
        if has_come {
            time.store(0, Relaxed);
        }
        has_come
    };
    if has_come(&BEGIN) {
        measure(true);
        end_after(now);
    }
    if has_come(&END) {
        measure(false);
    }
}

/// From here on the run is measured, or is not; where that is so already nothing happens.
pub fn measure(measured: bool) {
    let _changes = CHANGES.lock();
    if recording::is_running() && recording::is_measured() != measured {
        change(measured);
    }
}

/// Whether any region is open that is to be measured alone.
pub fn is_inside() -> bool {
    INSIDE.load(Relaxed) > 0
}

/// A region begins that is to be measured alone; true where a part begins with it.
pub fn enter() -> bool {
    let _changes = CHANGES.lock();
    let is_first = INSIDE.fetch_add(1, Relaxed) == 0 && recording::is_running();
    if is_first && !recording::is_measured() {
        change(true);
    }
    is_first
}

/// Such a region ends; true where a part ends with it.
pub fn leave() -> bool {
    let _changes = CHANGES.lock();
    let is_last = INSIDE.fetch_sub(1, Relaxed) == 1 && recording::is_running();
    if is_last && recording::is_measured() {
        change(false);
    }
    is_last
}

fn change(measured: bool) {
    // Says of a file that is new whether its beginning is measured.
    if stream::open() {
        watch::start();
    }
    if !measured {
        // What no tick has taken of the part is the part's.
        let now = ticks();
        for thread in thread::all().filter(|thread| thread.alive.load(Relaxed)) {
            thread.await_sampler(|sampler| waits::close(sampler, thread, now));
        }
    }
    let now = totals::write_surely();
    process::write(Part { time: moment(now), measured: u32::from(measured) }.into());
    if measured {
        // Moments that nothing took yet are of the time before: no sample of the part stands for
        // them.
        for thread in thread::all().filter(|thread| thread.alive.load(Relaxed)) {
            thread.await_sampler(|sampler| sampler.points.take_rest(now));
        }
    }
    recording::set_measured(measured);
}
