//! Time: the wall clock of `omp_get_wtime` and its resolution.

fn read(clock: libc::clockid_t) -> libc::timespec {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for the write; the clocks asked for exist on every Linux.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time
}

/// Seconds of CLOCK_MONOTONIC. Async-signal-safe.
pub fn seconds() -> f64 {
    let time = read(libc::CLOCK_MONOTONIC);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Nanoseconds of CLOCK_MONOTONIC. Async-signal-safe.
pub fn nanoseconds() -> u64 {
    let time = read(libc::CLOCK_MONOTONIC);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Nanoseconds of CLOCK_REALTIME. Async-signal-safe.
pub fn wall_nanoseconds() -> u64 {
    let time = read(libc::CLOCK_REALTIME);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Returns a time of [`nanoseconds`] as [`seconds`] gives it. Async-signal-safe.
pub fn seconds_of(nanoseconds: u64) -> f64 {
    (nanoseconds / 1_000_000_000) as f64 + (nanoseconds % 1_000_000_000) as f64 * 1e-9
}

/// Nanoseconds that all threads of the process were on a processor. Async-signal-safe.
pub fn process_nanoseconds() -> u64 {
    let time = read(libc::CLOCK_PROCESS_CPUTIME_ID);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Returns the resolution of [`seconds`], in seconds.
pub fn resolution() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: as in `read`.
    unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
