//! The system calls that threads sleep in, with their names for `syscall` and for a look from
//! outside.

use core::ffi::CStr;

/// Number, name in reports, and whether it does no more than wait.
pub const SLEEPING: [(i64, &CStr, bool); 51] = [
    (libc::SYS_futex, c"futex", true),
    (libc::SYS_read, c"read", false),
    (libc::SYS_write, c"write", false),
    (libc::SYS_pread64, c"pread64", false),
    (libc::SYS_pwrite64, c"pwrite64", false),
    (libc::SYS_readv, c"readv", false),
    (libc::SYS_writev, c"writev", false),
    (libc::SYS_poll, c"poll", true),
    (libc::SYS_ppoll, c"ppoll", true),
    (libc::SYS_select, c"select", true),
    (libc::SYS_pselect6, c"pselect6", true),
    (libc::SYS_epoll_wait, c"epoll_wait", true),
    (libc::SYS_epoll_pwait, c"epoll_pwait", true),
    (libc::SYS_epoll_pwait2, c"epoll_pwait2", true),
    (libc::SYS_nanosleep, c"nanosleep", true),
    (libc::SYS_clock_nanosleep, c"clock_nanosleep", true),
    (libc::SYS_pause, c"pause", true),
    (libc::SYS_wait4, c"wait4", true),
    (libc::SYS_waitid, c"waitid", true),
    (libc::SYS_accept, c"accept", false),
    (libc::SYS_accept4, c"accept4", false),
    (libc::SYS_connect, c"connect", false),
    (libc::SYS_recvfrom, c"recvfrom", false),
    (libc::SYS_recvmsg, c"recvmsg", false),
    (libc::SYS_sendto, c"sendto", false),
    (libc::SYS_sendmsg, c"sendmsg", false),
    (libc::SYS_flock, c"flock", true),
    (libc::SYS_fcntl, c"fcntl", false),
    (libc::SYS_ioctl, c"ioctl", false),
    (libc::SYS_fsync, c"fsync", false),
    (libc::SYS_fdatasync, c"fdatasync", false),
    (libc::SYS_openat, c"openat", false),
    (libc::SYS_io_getevents, c"io_getevents", true),
    (libc::SYS_io_uring_enter, c"io_uring_enter", false),
    (libc::SYS_rt_sigtimedwait, c"rt_sigtimedwait", true),
    (libc::SYS_rt_sigsuspend, c"rt_sigsuspend", true),
    (libc::SYS_semtimedop, c"semtimedop", true),
    (libc::SYS_msgrcv, c"msgrcv", true),
    (libc::SYS_semop, c"semop", true),
    (libc::SYS_msgsnd, c"msgsnd", true),
    (libc::SYS_mq_timedsend, c"mq_timedsend", true),
    (libc::SYS_mq_timedreceive, c"mq_timedreceive", true),
    (libc::SYS_preadv, c"preadv", false),
    (libc::SYS_pwritev, c"pwritev", false),
    (libc::SYS_recvmmsg, c"recvmmsg", false),
    (libc::SYS_sendmmsg, c"sendmmsg", false),
    (libc::SYS_sendfile, c"sendfile", false),
    (libc::SYS_splice, c"splice", false),
    (libc::SYS_msync, c"msync", false),
    (libc::SYS_open, c"open", false),
    (libc::SYS_futex_waitv, c"futex_waitv", true),
];

/// Returns a system call's name in reports: "system call" for one that threads seldom sleep in.
pub fn name(call: i64) -> &'static [u8] {
    let known = SLEEPING.iter().find(|(number, _, _)| *number == call);
    match known {
        Some((_, name, _)) => name.to_bytes(),
        None if call == -1 => b"page fault",
        None => b"system call",
    }
}
