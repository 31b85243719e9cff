//! Barriers in all threads of the process at once (membarrier(2), Linux 4.14).

use crate::errno;

const REGISTER: libc::c_int = 1 << 4;
const OF_ALL: libc::c_int = 1 << 3;

fn membarrier(command: libc::c_int) -> bool {
    // SAFETY: no memory involved.
    errno::keep(|| unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 })
}

/// Asks for [`of_all`] to work in this process and those that it forks. False if the system
/// refuses. A system call in a process that is [`alone`](crate::thread::alone), milliseconds in
/// others.
pub fn register() -> bool {
    membarrier(REGISTER)
}

/// Every other thread of the process passes a full barrier somewhere between the begin and the end
/// of this call, the calling one too. False if nobody asked for that by [`register`] or the system
/// has come to refuse it. Async-signal-safe. Keeps errno. A fraction of a microsecond, and an
/// interrupt for each processor that runs another thread of the process.
pub fn of_all() -> bool {
    membarrier(OF_ALL)
}
