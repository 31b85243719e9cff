//! The effects of a stop on threads that sleep in a system call.

use super::{in_call, name};
use crate::Registers;

/// Whether the call with this name may return -EINTR when a stop takes a thread out of it, so that
/// the program learns of the stop (man 7 signal). Calls that move data may, if their socket has a
/// time limit. A call that returns -EINTR has done nothing yet, and may begin again.
pub fn tells_of_stops(name: &str) -> bool {
    const SUCH: [&str; 16] = [
        "epoll_wait", "epoll_pwait", "epoll_pwait2", "semop", "semtimedop", "rt_sigtimedwait",
        "io_getevents", "io_pgetevents", "io_uring_enter", "read", "recvfrom", "recvmsg", "sendto",
        "sendmsg", "accept", "accept4",
    ];
    SUCH.contains(&name)
}

/// Whether a stop leaves no trace in the call with this name, where a thread sleeps in it: it has
/// done nothing yet, and begins again with what is left of its time. (Calls that move data may have
/// moved a part of it, which they return; others return -EINTR, or their time begins again.)
pub fn begins_again(name: &str) -> bool {
    const SUCH: [&str; 22] = [
        "clock_nanosleep", "connect", "fcntl", "flock", "futex", "futex_waitv", "mq_timedreceive",
        "mq_timedsend", "msgrcv", "msgsnd", "nanosleep", "open", "openat", "pause", "poll",
        "ppoll", "pselect6", "restart_syscall", "rt_sigsuspend", "select", "wait4", "waitid",
    ];
    SUCH.contains(&name)
}

/// Whether a call that reads from `what` is of this kind too: a thread that sleeps in it has read
/// nothing yet.
pub fn reads_at_once(name: &str, what: &str) -> bool {
    const WITHOUT_PARTS: [&str; 3] = ["pipe:", "anon_inode:[eventfd", "anon_inode:[timerfd"];
    ["read", "readv"].contains(&name) && WITHOUT_PARTS.iter().any(|begin| what.starts_with(begin))
}

/// Whether the thread sleeps at a word that has lost the value for which it fell asleep, while
/// nobody has woken the thread. If the call began again, it would see that and go on. `read`
/// returns the word at an address.
pub fn misses(registers: &Registers, read: impl FnOnce(u64) -> Option<u32>) -> bool {
    let old = awaited_change(registers);
    old.is_some_and(|old| read(registers.call[2]).is_some_and(|now| now != old))
}

/// Whether the thread sleeps at a word at which only threads of its own process can wake it
/// (FUTEX_PRIVATE_FLAG).
pub fn is_within_process(registers: &Registers) -> bool {
    const PRIVATE: u64 = 128;
    let is_futex = in_call(registers).map(name).as_deref() == Some("futex");
    is_futex && registers.call[3] & PRIVATE != 0
}

/// The value that the word at which the thread sleeps had when it fell asleep.
pub fn awaited_change(registers: &Registers) -> Option<u32> {
    // FUTEX_WAIT and FUTEX_WAIT_BITSET, without the flags beside them.
    const WAITS: [u64; 2] = [0, 9];
    let [_, _, _, operation, expected, ..] = registers.call;
    let is_wait = in_call(registers).map(name).as_deref() == Some("futex")
        && WAITS.contains(&(operation & 0x7f));
    is_wait.then_some(expected as u32)
}
