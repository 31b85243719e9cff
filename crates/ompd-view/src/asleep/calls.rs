//! System calls of x86-64: which one a thread is in, and what it is about.

use super::{Holder, Kernel, Wanted};
use crate::target::{half, word};
use crate::{Registers, Target};

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

/// The name of a system call.
pub fn name(number: u64) -> String {
    let known = match number {
        424.. => LATER.get(number as usize - 424),
        _ => FIRST.get(number as usize),
    };
    match known {
        Some(name) if !name.is_empty() => (*name).to_owned(),
        _ => format!("system call {number}"),
    }
}

/// Whether a system call has this name.
pub fn is_name(name: &str) -> bool {
    FIRST.contains(&name) || LATER.contains(&name)
}

/// Calls whose first argument is a file descriptor, and which may take long.
const OF_DESCRIPTORS: [&str; 32] = [
    "read",
    "write",
    "pread64",
    "pwrite64",
    "readv",
    "writev",
    "preadv",
    "pwritev",
    "preadv2",
    "pwritev2",
    "recvfrom",
    "recvmsg",
    "recvmmsg",
    "sendto",
    "sendmsg",
    "sendmmsg",
    "accept",
    "accept4",
    "connect",
    "ioctl",
    "fsync",
    "fdatasync",
    "flock",
    "epoll_wait",
    "epoll_pwait",
    "epoll_pwait2",
    "getdents64",
    "fcntl",
    "splice",
    "sendfile",
    "ftruncate",
    "io_uring_enter",
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

/// Whether the call with this name returns -EINTR where a stop takes a thread out of it, so that
/// the program learns of the stop (man 7 signal): those that move data may, where their socket has
/// a time. None of them has done anything then, and may begin again.
pub fn tells_of_stops(name: &str) -> bool {
    const SUCH: [&str; 16] = [
        "epoll_wait",
        "epoll_pwait",
        "epoll_pwait2",
        "semop",
        "semtimedop",
        "rt_sigtimedwait",
        "io_getevents",
        "io_pgetevents",
        "io_uring_enter",
        "read",
        "recvfrom",
        "recvmsg",
        "sendto",
        "sendmsg",
        "accept",
        "accept4",
    ];
    SUCH.contains(&name)
}

/// Whether a stop leaves no trace in the call with this name, where a thread sleeps in it: it has
/// done nothing yet, and begins again with what is left of its time. (Calls that move data may have
/// moved a part of it, which they return; others return -EINTR, or their time begins again.)
pub fn begins_again(name: &str) -> bool {
    const SUCH: [&str; 22] = [
        "clock_nanosleep",
        "connect",
        "fcntl",
        "flock",
        "futex",
        "futex_waitv",
        "mq_timedreceive",
        "mq_timedsend",
        "msgrcv",
        "msgsnd",
        "nanosleep",
        "open",
        "openat",
        "pause",
        "poll",
        "ppoll",
        "pselect6",
        "restart_syscall",
        "rt_sigsuspend",
        "select",
        "wait4",
        "waitid",
    ];
    SUCH.contains(&name)
}

/// Whether that holds of a call that reads, too, from what a descriptor stands for: who sleeps
/// there has read nothing.
pub fn reads_at_once(name: &str, what: &str) -> bool {
    const WITHOUT_PARTS: [&str; 3] = ["pipe:", "anon_inode:[eventfd", "anon_inode:[timerfd"];
    ["read", "readv"].contains(&name) && WITHOUT_PARTS.iter().any(|begin| what.starts_with(begin))
}

/// The descriptor that the call with this name is about, if its first argument is one.
pub fn descriptor(registers: &Registers, name: &str) -> Option<i32> {
    OF_DESCRIPTORS.contains(&name).then_some(registers.call[2] as i32)
}

/// The descriptors that the call with this name is about.
pub fn descriptors(target: &dyn Target, registers: &Registers, name: &str) -> Vec<i32> {
    let [_, _, first, count, ..] = registers.call;
    match name {
        // struct pollfd: the descriptor comes first, of 8 bytes.
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

/// Descriptors of one select that are looked at: no set has more.
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

/// What the call with this name waits for, as far as its arguments tell.
pub fn about(
    target: &dyn Target,
    kernel: &dyn Kernel,
    registers: &Registers,
    name: &str,
) -> String {
    let first = registers.call[2];
    if OF_DESCRIPTORS.contains(&name) {
        let number = first as i32;
        let of = match kernel.descriptor(number) {
            Some(what) => format!("file descriptor {number} ({what})"),
            None => format!("file descriptor {number}"),
        };
        let wanted = wanted_lock(target, registers, name);
        let holder = wanted.and_then(|wanted| kernel.file_lock_holder(number, &wanted));
        return of + &holder.map_or_else(String::new, |holder| held_by(kernel, &holder));
    }
    match name {
        // P_ALL, P_PID, P_PGID.
        "waitid" if first != 1 => "a child process".to_owned(),
        "wait4" | "waitid" => match registers.call[if name == "waitid" { 3 } else { 2 }] as i32 {
            pid if pid > 0 => {
                let pid = kernel.process_of(pid as u32).unwrap_or(pid as u32);
                process(kernel, pid) + &kernel.waits_for(pid)
            }
            _ => "a child process".to_owned(),
        },
        // struct sembuf: the semaphore's number in the set comes first.
        "semop" | "semtimedop" => match half(target, registers.call[3]) {
            Ok(wants) => format!("semaphore {} of the set {}", wants as u16, first as i32),
            Err(_) => format!("the set of semaphores {}", first as i32),
        },
        "open" => opened(target, kernel, first, registers.call[3]),
        "openat" => opened(target, kernel, registers.call[3], registers.call[4]),
        "msgsnd" | "msgrcv" => format!("the message queue {}", first as i32),
        "poll" | "ppoll" => {
            let all = descriptors(target, registers, name).into_iter();
            let each = all.map(|number| match kernel.descriptor(number) {
                Some(what) => format!("file descriptor {number} ({what})"),
                None => format!("file descriptor {number}"),
            });
            each.collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

/// Which lock of a file the call with this name waits for, if for any.
pub fn wanted_lock(target: &dyn Target, registers: &Registers, name: &str) -> Option<Wanted> {
    // LOCK_EX; F_SETLKW, F_OFD_SETLKW; F_WRLCK.
    const FOR_ONE_ALONE: u64 = 2;
    const OF_FILE: u64 = 38;
    const WAITING: [u64; 2] = [7, OF_FILE];
    const WRITES: u16 = 1;
    let [_, _, _, second, third, ..] = registers.call;
    match name {
        "flock" => Some(Wanted::Whole { writes: second & FOR_ONE_ALONE != 0 }),
        "fcntl" if WAITING.contains(&second) => {
            let kinds = half(target, third).ok()?;
            let number = |at: u64| Some(word(target, third.wrapping_add(at)).ok()? as i64);
            Some(Wanted::Record {
                writes: kinds as u16 == WRITES,
                of_file: second == OF_FILE,
                whence: (kinds >> 16) as u16,
                start: number(8)?,
                length: number(16)?,
            })
        }
        _ => None,
    }
}

/// ", its lock held by …".
fn held_by(kernel: &dyn Kernel, holder: &Holder) -> String {
    let others: Vec<String> = holder.processes.iter().map(|pid| process(kernel, *pid)).collect();
    let others = others.join(", ");
    match holder.descriptor {
        None => format!(", its lock held by {others}"),
        Some(own) if others.is_empty() => {
            format!(", its lock held by this process, by file descriptor {own}")
        }
        Some(own) => format!(
            ", its lock held by this process, by file descriptor {own}, which it shares with \
             {others}"
        ),
    }
}

/// Another process, with its name, and whether it goes on.
fn process(kernel: &dyn Kernel, pid: u32) -> String {
    let stopped = if kernel.is_stopped(pid) { ", which a signal has stopped" } else { "" };
    match kernel.process_name(pid) {
        Some(name) => format!("process {pid} ('{name}'){stopped}"),
        None => format!("process {pid}{stopped}"),
    }
}

/// The file that is opened: a FIFO waits for somebody to open its other end.
fn opened(target: &dyn Target, kernel: &dyn Kernel, path: u64, flags: u64) -> String {
    let mut bytes = Vec::new();
    for at in 0..LONGEST_PATH {
        let mut byte = [0];
        match target.read(path.wrapping_add(at), &mut byte) {
            Ok(()) if byte[0] != 0 => bytes.push(byte[0]),
            _ => break,
        }
    }
    let path = String::from_utf8_lossy(&bytes);
    // O_RDONLY is 0, O_WRONLY 1; O_RDWR waits for nobody.
    let does = ["write", "read"].get((flags & 3) as usize);
    match does.filter(|_| kernel.is_fifo(&path)) {
        Some(does) => format!("'{path}', a FIFO that nobody has opened to {does}"),
        None if path.is_empty() => String::new(),
        None => format!("'{path}'"),
    }
}

/// Bytes of a path that are shown.
const LONGEST_PATH: u64 = 256;

#[rustfmt::skip]
const FIRST: [&str; 335] = [
    "read", "write", "open", "close", "stat", "fstat", "lstat", "poll", "lseek", "mmap",
    "mprotect", "munmap", "brk", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "ioctl",
    "pread64", "pwrite64", "readv", "writev", "access", "pipe", "select", "sched_yield", "mremap",
    "msync", "mincore", "madvise", "shmget", "shmat", "shmctl", "dup", "dup2", "pause",
    "nanosleep", "getitimer", "alarm", "setitimer", "getpid", "sendfile", "socket", "connect",
    "accept", "sendto", "recvfrom", "sendmsg", "recvmsg", "shutdown", "bind", "listen",
    "getsockname", "getpeername", "socketpair", "setsockopt", "getsockopt", "clone", "fork",
    "vfork", "execve", "exit", "wait4", "kill", "uname", "semget", "semop", "semctl", "shmdt",
    "msgget", "msgsnd", "msgrcv", "msgctl", "fcntl", "flock", "fsync", "fdatasync", "truncate",
    "ftruncate", "getdents", "getcwd", "chdir", "fchdir", "rename", "mkdir", "rmdir", "creat",
    "link", "unlink", "symlink", "readlink", "chmod", "fchmod", "chown", "fchown", "lchown",
    "umask", "gettimeofday", "getrlimit", "getrusage", "sysinfo", "times", "ptrace", "getuid",
    "syslog", "getgid", "setuid", "setgid", "geteuid", "getegid", "setpgid", "getppid", "getpgrp",
    "setsid", "setreuid", "setregid", "getgroups", "setgroups", "setresuid", "getresuid",
    "setresgid", "getresgid", "getpgid", "setfsuid", "setfsgid", "getsid", "capget", "capset",
    "rt_sigpending", "rt_sigtimedwait", "rt_sigqueueinfo", "rt_sigsuspend", "sigaltstack",
    "utime", "mknod", "uselib", "personality", "ustat", "statfs", "fstatfs", "sysfs",
    "getpriority", "setpriority", "sched_setparam", "sched_getparam", "sched_setscheduler",
    "sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min",
    "sched_rr_get_interval", "mlock", "munlock", "mlockall", "munlockall", "vhangup",
    "modify_ldt", "pivot_root", "_sysctl", "prctl", "arch_prctl", "adjtimex", "setrlimit",
    "chroot", "sync", "acct", "settimeofday", "mount", "umount2", "swapon", "swapoff", "reboot",
    "sethostname", "setdomainname", "iopl", "ioperm", "create_module", "init_module",
    "delete_module", "get_kernel_syms", "query_module", "quotactl", "nfsservctl", "getpmsg",
    "putpmsg", "afs_syscall", "tuxcall", "security", "gettid", "readahead", "setxattr",
    "lsetxattr", "fsetxattr", "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr",
    "flistxattr", "removexattr", "lremovexattr", "fremovexattr", "tkill", "time", "futex",
    "sched_setaffinity", "sched_getaffinity", "set_thread_area", "io_setup", "io_destroy",
    "io_getevents", "io_submit", "io_cancel", "get_thread_area", "lookup_dcookie", "epoll_create",
    "epoll_ctl_old", "epoll_wait_old", "remap_file_pages", "getdents64", "set_tid_address",
    "restart_syscall", "semtimedop", "fadvise64", "timer_create", "timer_settime",
    "timer_gettime", "timer_getoverrun", "timer_delete", "clock_settime", "clock_gettime",
    "clock_getres", "clock_nanosleep", "exit_group", "epoll_wait", "epoll_ctl", "tgkill",
    "utimes", "vserver", "mbind", "set_mempolicy", "get_mempolicy", "mq_open", "mq_unlink",
    "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr", "kexec_load", "waitid",
    "add_key", "request_key", "keyctl", "ioprio_set", "ioprio_get", "inotify_init",
    "inotify_add_watch", "inotify_rm_watch", "migrate_pages", "openat", "mkdirat", "mknodat",
    "fchownat", "futimesat", "newfstatat", "unlinkat", "renameat", "linkat", "symlinkat",
    "readlinkat", "fchmodat", "faccessat", "pselect6", "ppoll", "unshare", "set_robust_list",
    "get_robust_list", "splice", "tee", "sync_file_range", "vmsplice", "move_pages", "utimensat",
    "epoll_pwait", "signalfd", "timerfd_create", "eventfd", "fallocate", "timerfd_settime",
    "timerfd_gettime", "accept4", "signalfd4", "eventfd2", "epoll_create1", "dup3", "pipe2",
    "inotify_init1", "preadv", "pwritev", "rt_tgsigqueueinfo", "perf_event_open", "recvmmsg",
    "fanotify_init", "fanotify_mark", "prlimit64", "name_to_handle_at", "open_by_handle_at",
    "clock_adjtime", "syncfs", "sendmmsg", "setns", "getcpu", "process_vm_readv",
    "process_vm_writev", "kcmp", "finit_module", "sched_setattr", "sched_getattr", "renameat2",
    "seccomp", "getrandom", "memfd_create", "kexec_file_load", "bpf", "execveat", "userfaultfd",
    "membarrier", "mlock2", "copy_file_range", "preadv2", "pwritev2", "pkey_mprotect",
    "pkey_alloc", "pkey_free", "statx", "io_pgetevents", "rseq",
];

#[rustfmt::skip]
const LATER: [&str; 27] = [
    "pidfd_send_signal", "io_uring_setup", "io_uring_enter", "io_uring_register", "open_tree",
    "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "pidfd_open", "clone3",
    "close_range", "openat2", "pidfd_getfd", "faccessat2", "process_madvise", "epoll_pwait2",
    "mount_setattr", "quotactl_fd", "landlock_create_ruleset", "landlock_add_rule",
    "landlock_restrict_self", "memfd_secret", "process_mrelease", "futex_waitv",
    "set_mempolicy_home_node",
];
