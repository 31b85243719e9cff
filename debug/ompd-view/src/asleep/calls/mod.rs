//! System calls of x86-64: which one a thread is in, and what it is about.

mod about;
mod deadlines;
mod names;
mod stops;

use crate::target::{half, word};
use crate::{Registers, Target};

pub use about::{UNLINKED, about, opened_file, wanted_lock};
pub use deadlines::{Deadline, deadline};
pub use names::{is_name, name};
pub use stops::{
    awaited_change, begins_again, is_within_process, misses, reads_at_once, tells_of_stops,
};

/// `rax` of a thread that a stop took out of a system call which will begin again: -ERESTARTSYS.
pub const INTERRUPTED: u64 = -512i64 as u64;

/// The number of the system call that the thread is in.
pub fn in_call(registers: &Registers) -> Option<u64> {
    let [rax, number, ..] = registers.call;
    // -EINTR, -ENOSYS (in the call, or its value in a core), -ERESTARTSYS to
    // -ERESTART_RESTARTBLOCK.
    let interrupted = [-4, -38].contains(&(rax as i64)) || (-516..=-512).contains(&(rax as i64));
    (number < 1 << 16 && interrupted).then_some(number)
}

/// Calls whose first argument is a file descriptor, and which may take long.
const OF_DESCRIPTORS: [&str; 32] = [
    "read", "write", "pread64", "pwrite64", "readv", "writev", "preadv", "pwritev", "preadv2",
    "pwritev2", "recvfrom", "recvmsg", "recvmmsg", "sendto", "sendmsg", "sendmmsg", "accept",
    "accept4", "connect", "ioctl", "fsync", "fdatasync", "flock", "epoll_wait", "epoll_pwait",
    "epoll_pwait2", "getdents64", "fcntl", "splice", "sendfile", "ftruncate", "io_uring_enter",
];

/// The registers of a thread that sleeps in the kernel, by its `/proc/PID/task/TID/syscall`.
pub fn asleep(text: &str) -> Option<Registers> {
    let number = |word: &str| match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap_or(0),
        None => word.parse::<i64>().unwrap_or(-1) as u64,
    };
    let words: Vec<u64> = text.split_ascii_whitespace().map(number).collect();
    match words[..] {
        [call, a, b, c, d, e, f, rsp, rip] => {
            let call = [INTERRUPTED, call, a, b, c, d, e, f];
            Some(Registers { rip, rsp, call, ..Registers::default() })
        }
        // In the kernel, but in no system call: a page fault.
        [_, rsp, rip] => {
            let mut registers = Registers { rip, rsp, ..Registers::default() };
            registers.call[1] = u64::MAX;
            Some(registers)
        }
        _ => None,
    }
}

/// The descriptor that is the first argument of the call with this name; `None` if it has none
/// there.
pub fn descriptor(registers: &Registers, name: &str) -> Option<i32> {
    OF_DESCRIPTORS.contains(&name).then_some(registers.call[2] as i32)
}

/// Whether the call with this name reads from a descriptor, or waits until something can be read.
pub fn is_read(name: &str) -> bool {
    const SUCH: [&str; 8] =
        ["read", "readv", "recvfrom", "recvmsg", "poll", "ppoll", "select", "pselect6"];
    SUCH.contains(&name)
}

/// The descriptors that the call with this name is about.
pub fn descriptors(target: &dyn Target, registers: &Registers, name: &str) -> Vec<i32> {
    let [_, _, first, count, ..] = registers.call;
    match name {
        // A `struct pollfd` has 8 bytes; the descriptor comes first.
        "poll" | "ppoll" => {
            let read = |at: u64| half(target, first.wrapping_add(at * 8)).ok();
            (0..count.min(MOST_POLLED)).filter_map(read).map(|number| number as i32).collect()
        }
        // Three sets of bits: to read, to write, and what is exceptional.
        "select" | "pselect6" => {
            let sets = registers.call[3..6].iter().filter(|set| **set != 0);
            let each = sets.flat_map(|set| {
                let words = 0..first.min(MOST_SELECTED).div_ceil(64);
                words.filter_map(|at| Some((at, word(target, set.wrapping_add(at * 8)).ok()?)))
            });
            let numbers = |(at, bits): (u64, u64)| {
                (0..64)
                    .filter(move |bit| bits >> bit & 1 != 0)
                    .map(move |bit| (at * 64 + bit) as i32)
            };
            each.flat_map(numbers).collect()
        }
        _ => descriptor(registers, name).into_iter().collect(),
    }
}

/// Descriptors of one select that are looked at: a set has no more.
const MOST_SELECTED: u64 = 1024;
/// Descriptors of one poll that are looked at.
const MOST_POLLED: u64 = 8;

/// Whether the call with this name ends by itself when a time is over.
pub fn is_timed(registers: &Registers, name: &str) -> bool {
    let [_, _, _, _, third, fourth, fifth, _] = registers.call;
    let is_some = |time: u64| time as i32 >= 0;
    match name {
        "nanosleep" | "clock_nanosleep" | "restart_syscall" => true,
        // FUTEX_WAIT and its kin; without a time the pointer to it is null.
        "futex" => fourth != 0,
        "poll" => is_some(third),
        "epoll_wait" | "epoll_pwait" => is_some(fourth),
        "select" | "pselect6" => fifth != 0,
        "ppoll" | "rt_sigtimedwait" => third != 0,
        "epoll_pwait2" | "semtimedop" => fourth != 0,
        "mq_timedreceive" | "mq_timedsend" => fifth != 0,
        _ => false,
    }
}

/// How long the call with this name sleeps at most, in nanoseconds, if its arguments say that.
pub fn at_most(target: &dyn Target, registers: &Registers, name: &str) -> Option<u64> {
    let [_, _, first, second, third, fourth, fifth, _] = registers.call;
    let milliseconds = |time: u64| u64::try_from(time as i32).ok()?.checked_mul(1_000_000);
    let pair = |at: u64| {
        let seconds = word(target, at).ok()?.checked_mul(1_000_000_000)?;
        seconds.checked_add(word(target, at.wrapping_add(8)).ok()?)
    };
    match name {
        "nanosleep" => pair(first),
        "clock_nanosleep" if second == 0 => pair(third),
        "poll" => milliseconds(third),
        "ppoll" => pair(third),
        "epoll_wait" | "epoll_pwait" => milliseconds(fourth),
        "pselect6" => pair(fifth),
        _ => None,
    }
}
