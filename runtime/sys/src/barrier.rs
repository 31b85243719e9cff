//! Barriers in all threads of the process at once (membarrier(2), Linux 4.14).

use crate::errno;

const REGISTER: libc::c_int = 1 << 4;
const OF_ALL: libc::c_int = 1 << 3;

fn membarrier(command: libc::c_int) -> bool {
    // SAFETY: no memory involved.
    errno::keep(|| unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 })
}

/// Makes [`of_all`] work in this process and in those that it forks. Returns false if the system
/// refuses. It takes milliseconds, but only a system call if the calling thread is
/// [`alone`](crate::thread::alone).
pub fn register() -> bool {
    membarrier(REGISTER)
}

/// Makes every thread of the process, the calling one too, pass a full barrier between the begin
/// and the end of this call. Returns false if no code called [`register`], or if the system refuses
/// now. Async-signal-safe. Keeps errno. It costs a fraction of a microsecond, and an interrupt for
/// each processor that runs another thread of the process.
pub fn of_all() -> bool {
    membarrier(OF_ALL)
}
