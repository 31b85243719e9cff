//! The agent's clock: the time stamp counter where it is invariant, else CLOCK_MONOTONIC.
//!
//! Everything inside the agent counts in ticks; only records are in nanoseconds of
//! CLOCK_MONOTONIC. What must hold: reading and converting are async-signal-safe, and all threads
//! see one clock (the kernel itself uses the counter that way wherever it is invariant).

use core::arch::x86_64::{__cpuid, _rdtsc};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use omphalos_sys::clock::nanoseconds;

// `start` writes these before any other thread of the agent exists; `refine` writes `RATIO` again.
static COUNTER: AtomicBool = AtomicBool::new(false);
static ORIGIN: AtomicU64 = AtomicU64::new(0);
static ORIGIN_NS: AtomicU64 = AtomicU64::new(0);
/// Nanoseconds of one tick, with 32 bits behind the point.
static RATIO: AtomicU64 = AtomicU64::new(1 << 32);

/// Returns the time in ticks. Async-signal-safe.
#[inline]
pub fn ticks() -> u64 {
    if COUNTER.load(Relaxed) {
        // SAFETY: every x86-64 processor has the instruction.
        unsafe { _rdtsc() }
    } else {
        nanoseconds()
    }
}

/// Whether ticks are those of the time stamp counter.
pub fn is_counter() -> bool {
    COUNTER.load(Relaxed)
}

/// Converts a difference of ticks to nanoseconds. Async-signal-safe.
pub fn ns(ticks: u64) -> u64 {
    ((u128::from(ticks) * u128::from(RATIO.load(Relaxed))) >> 32) as u64
}

/// Converts a time in nanoseconds to ticks. Async-signal-safe.
pub fn in_ticks(ns: u64) -> u64 {
    ((u128::from(ns) << 32) / u128::from(RATIO.load(Relaxed).max(1))) as u64
}

/// Does what [`in_ticks`] does, for short times, to within a factor of two and without a division.
/// Async-signal-safe.
#[inline]
pub fn in_ticks_fast(ns: u64) -> u64 {
    ns << SHIFT.load(Relaxed)
}

/// Returns the CLOCK_MONOTONIC time of a moment given in ticks, ns. Async-signal-safe.
pub fn moment(at: u64) -> u64 {
    let origin = ORIGIN.load(Relaxed);
    let base = ORIGIN_NS.load(Relaxed);
    if at >= origin { base + ns(at - origin) } else { base.saturating_sub(ns(origin - at)) }
}

/// Returns the processor time that the calling thread has used so far, ns. Async-signal-safe.
pub fn used_here() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure belongs to this function; every thread has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The binary logarithm of the ticks of a nanosecond, rounded up.
static SHIFT: AtomicU32 = AtomicU32::new(0);

/// The time, ns, for which [`start`] measures the source while the program waits. [`settle`] makes
/// the figure better while the program runs.
const FIRST_LOOK: u64 = 50_000;

/// The time of the next measurement, ticks.
static AGAIN: AtomicU64 = AtomicU64::new(u64::MAX);

/// Chooses the source and measures it.
pub fn start() {
    let invariant =
        __cpuid(0x8000_0000).eax >= 0x8000_0007 && __cpuid(0x8000_0007).edx & (1 << 8) != 0;
    COUNTER.store(invariant, Relaxed);
    let (origin, base) = pair();
    ORIGIN.store(origin, Relaxed);
    ORIGIN_NS.store(base, Relaxed);
    if invariant {
        while nanoseconds() - base < FIRST_LOOK {}
        refine();
    }
}

/// Measures again whenever the time since [`start`] has doubled. `now`: ticks. Async-signal-safe.
#[inline]
pub fn settle(now: u64) {
    if now >= AGAIN.load(Relaxed) {
        refine();
    }
}

/// Measures the counter against the time since [`start`]. Async-signal-safe.
pub fn refine() {
    if !COUNTER.load(Relaxed) {
        return;
    }
    let (now, now_ns) = pair();
    let passed = now.saturating_sub(ORIGIN.load(Relaxed));
    AGAIN.store(now.saturating_add(passed), Relaxed);
    let passed_ns = now_ns.saturating_sub(ORIGIN_NS.load(Relaxed));
    if passed > 0 && passed_ns > 0 {
        let ratio = (u128::from(passed_ns) << 32) / u128::from(passed);
        RATIO.store(ratio as u64, Relaxed);
        let each = in_ticks(1 << 20) >> 20;
        SHIFT.store(if each == 0 { 0 } else { each.ilog2() + 1 }, Relaxed);
    }
}

/// Reads both clocks at nearly one moment: the closest pair of a few tries.
fn pair() -> (u64, u64) {
    let mut best = (0, 0, u64::MAX);
    for _ in 0..5 {
        let before = ticks();
        let at = nanoseconds();
        let width = ticks().saturating_sub(before);
        if width < best.2 {
            best = (before + width / 2, at, width);
        }
    }
    (best.0, best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_clocks_agree() {
        start();
        let (before, before_ns) = pair();
        while nanoseconds() - before_ns < 20_000_000 {}
        let (after, after_ns) = pair();
        refine();
        let measured = ns(after - before);
        let truth = after_ns - before_ns;
        assert!(measured.abs_diff(truth) < truth / 100, "{measured} ns against {truth} ns");
        assert!(moment(after).abs_diff(after_ns) < 1_000_000);
        assert!(in_ticks(measured).abs_diff(after - before) < (after - before) / 1000);
    }
}
