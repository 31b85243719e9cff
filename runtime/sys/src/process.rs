//! The process: its end, its forks, and its limits.

use core::ffi::c_int;

/// Ends the process at once, with SIGABRT.
pub fn abort() -> ! {
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}

/// Ends the process in the ordinary way: runs the functions that the program left for its end.
pub fn exit(status: c_int) -> ! {
    // SAFETY: ends the process in the ordinary way.
    unsafe { libc::exit(status) }
}

/// Sends the calling thread the signal of an arithmetic error, as a division by zero does.
pub fn raise_arithmetic_error() {
    // SAFETY: no memory involved.
    unsafe { libc::raise(libc::SIGFPE) };
}

/// Has `at_end` called when the process ends in the ordinary way.
pub fn at_exit(at_end: extern "C" fn()) {
    // SAFETY: the function lives as long as the library, which is never unloaded.
    unsafe { libc::atexit(at_end) };
}

/// Has the three called around each `fork`: before it, and after it in the parent and the child.
///
/// # Safety
/// The functions live as long as the process; `child` calls nothing that a forked child may not.
pub unsafe fn at_fork(
    prepare: unsafe extern "C" fn(),
    parent: unsafe extern "C" fn(),
    child: unsafe extern "C" fn(),
) {
    // SAFETY: the caller's promise.
    unsafe { libc::pthread_atfork(Some(prepare), Some(parent), Some(child)) };
}

/// Returns the process that traces this one, as debuggers do; `None` without one. It reads a file.
pub fn tracer() -> Option<u32> {
    let mut room = [0; 4096];
    let status = crate::file::read(&[b"/proc/self/status"], &mut room)?;
    let line = core::str::from_utf8(status)
        .ok()?
        .lines()
        .find_map(|line| line.strip_prefix("TracerPid:"))?;
    line.trim().parse().ok().filter(|&pid| pid != 0)
}

/// Returns the most bytes that the stack of the process's main thread may have; `None` without a
/// limit.
pub fn stack_limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the place for the answer is valid.
    let error = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &mut limit) };
    (error == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

/// Whether the program runs with more rights than the user who started it.
pub fn is_elevated() -> bool {
    // SAFETY: reads a word that the kernel left for the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// Writes the machine's name to `into`, as far as it fits, and zeros behind it.
pub fn host_name(into: &mut [u8]) {
    into.fill(0);
    let room = into.len().saturating_sub(1);
    // SAFETY: valid for writes of that length.
    unsafe { libc::gethostname(into.as_mut_ptr().cast(), room) };
}
