//! The part of the run that is measured: all of it, unless the program says otherwise
//! (`omp_control_tool`), or the user who started it (a delay, a length).
//!
//! Events are accounted for all the time: so a part that begins in the middle of a region has a
//! beginning for everything that goes on. Where a part begins or ends, all totals are written, and
//! a record that says so; a reader subtracts the one state from the other. Between parts no samples
//! are taken.
//!
//! What must hold: one thread at a time changes the part. The totals of that moment are in the file
//! before its record. A change allocates and waits, so no signal handler calls it.

use super::{only, waits, watch};
use crate::clock::{in_ticks, moment, ns, ticks};
use crate::stream::{self, process};
use crate::thread;
use crate::{recording, totals};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::time::Duration;
use omphalos_profile_format::Part;
use omphalos_sync::process_lock::{ProcessLock, rank};

/// The lock that is held while the part changes.
static CHANGES: ProcessLock<(), { rank::AGENT_PART }> = ProcessLock::new(());
/// The time when measuring begins, and below the time when it ends, ticks; 0: there is no such
/// time.
static BEGIN: AtomicU64 = AtomicU64::new(0);
static END: AtomicU64 = AtomicU64::new(0);
/// The time when an agent that was brought into a running process is to end, ticks.
static LATE_END: AtomicU64 = AtomicU64::new(u64::MAX);

/// The number of open regions that are to be measured alone. It changes while `CHANGES` is held.
static INSIDE: AtomicU64 = AtomicU64::new(0);

/// Reads at the agent's start which part is to be measured.
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

/// Does what [`prepare`] does, where the agent was brought: everything is measured, from the first
/// region on.
pub fn prepare_late() {
    BEGIN.store(0, Relaxed);
    END.store(0, Relaxed);
    LATE_END.store(u64::MAX, Relaxed);
    recording::set_measured(true);
}

/// Notes that the first region begins.
pub fn begin_late(now: u64) {
    if let Some(length) = recording::config().length {
        LATE_END.store(now.saturating_add(in_ticks(length)), Relaxed);
    }
}

/// Whether the time is over that the user asked for when the agent was brought.
pub fn is_over() -> bool {
    ticks() >= LATE_END.load(Relaxed)
}

/// Sets the end of a part that begins at `now`, if the user asked for a length.
fn end_after(now: u64) {
    if let Some(length) = recording::config().length {
        END.store(now + in_ticks(length), Relaxed);
    }
}

/// Starts the watcher where measuring begins or ends at a time, because some thread has to look at
/// the clock. It is called when there is a runtime: a process without one gets no thread and no
/// file.
pub fn watch_clock() {
    if recording::is_running() && (BEGIN.load(Relaxed) != 0 || END.load(Relaxed) != 0) {
        watch::start();
    }
}

/// Returns how long the watcher may sleep: `longest`, or to the next of those times.
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

/// Sets whether the run is measured from here on; does nothing if that is so already.
pub fn measure(measured: bool) {
    let _changes = CHANGES.lock();
    if recording::is_running() && recording::is_measured() != measured {
        change(measured);
    }
}

/// Whether a region is open that is to be measured alone.
pub fn is_inside() -> bool {
    INSIDE.load(Relaxed) > 0
}

/// Notes that a region begins that is to be measured alone. Returns true if a part begins with it.
pub fn enter() -> bool {
    let _changes = CHANGES.lock();
    let is_first = INSIDE.fetch_add(1, Relaxed) == 0 && recording::is_running();
    if is_first && !recording::is_measured() {
        change(true);
    }
    is_first
}

/// Notes that such a region ends. Returns true if a part ends with it.
pub fn leave() -> bool {
    let _changes = CHANGES.lock();
    let is_last = INSIDE.fetch_sub(1, Relaxed) == 1 && recording::is_running();
    if is_last && recording::is_measured() {
        change(false);
    }
    is_last
}

fn change(measured: bool) {
    // A record says of a new file whether its beginning is measured.
    if stream::open() {
        watch::start();
    }
    if !measured {
        // Moments of the part that no tick has taken still belong to the part.
        let now = ticks();
        for thread in thread::all().filter(|thread| thread.alive.load(Relaxed)) {
            thread.await_sampler(|sampler| waits::close(sampler, thread, now));
        }
    }
    let now = totals::write_surely();
    process::write(Part { time: moment(now), measured: u32::from(measured) }.into());
    if measured {
        // Moments that nothing took yet belong to the time before: no sample of the part stands for
        // them.
        for thread in thread::all().filter(|thread| thread.alive.load(Relaxed)) {
            thread.await_sampler(|sampler| sampler.points.take_rest(now));
        }
    }
    recording::set_measured(measured);
}
