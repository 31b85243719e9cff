//! The system calls that the agent makes while it records, with the words that a filter may look
//! at: numbers of files, flags, kinds of requests. Pointers and sizes are examples.

/// A system call.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The kernel's number.
    pub number: i64,
    /// Its name in reports.
    pub name: &'static str,
    /// Its arguments.
    pub arguments: [u64; 6],
}

/// The call that the agent can do without.
pub const READS_MEMORY: Call = of(libc::SYS_process_vm_readv, "process_vm_readv", [ANY; 6]);

/// An address somewhere in memory.
const ANY: u64 = 0x7fff_1234_5678;
const HERE: u64 = libc::AT_FDCWD as u64;
/// A number of the agent's files.
const HIGH: u64 = 200;

const fn of(number: i64, name: &'static str, arguments: [u64; 6]) -> Call {
    Call { number, name, arguments }
}

/// Returns all calls that the agent needs, for a record file with the number `file`.
/// `makes_threads`: the agent has still to make its thread.
pub fn needed(file: u64, makes_threads: bool) -> Vec<Call> {
    let mut all = while_recording(file);
    if makes_threads {
        all.extend(to_make_a_thread());
    }
    all
}

/// Returns the further system calls that counting needs.
pub fn counting() -> [Call; 3] {
    /// `PERF_EVENT_IOC_ID`
    const ASKS_ID: u64 = 0x8008_2407;
    [
        of(libc::SYS_perf_event_open, "perf_event_open", [ANY, 0, u64::MAX, HIGH, 8, 0]),
        of(libc::SYS_ioctl, "ioctl", [HIGH, ASKS_ID, ANY, 0, 0, 0]),
        of(libc::SYS_getrusage, "getrusage", [0, ANY, 0, 0, 0, 0]),
    ]
}

/// Returns the call that writes a line on standard error.
pub fn messages() -> [Call; 1] {
    [of(libc::SYS_write, "write", [2, ANY, 256, 0, 0, 0])]
}

fn while_recording(file: u64) -> Vec<Call> {
    let reads = (libc::O_RDONLY | libc::O_CLOEXEC) as u64;
    let appends = (libc::O_WRONLY | libc::O_APPEND | libc::O_CLOEXEC | libc::O_NONBLOCK) as u64;
    let creates = appends | (libc::O_CREAT | libc::O_EXCL) as u64;
    let takes = appends | libc::O_NOFOLLOW as u64;
    let access = (libc::PROT_READ | libc::PROT_WRITE) as u64;
    let kind = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64;
    let lazily = kind | libc::MAP_NORESERVE as u64;
    let number = 33;
    let (wait, wake) = (libc::FUTEX_WAIT as u64 | 128, libc::FUTEX_WAKE as u64 | 128);
    let [nofile, fsize] = [libc::RLIMIT_NOFILE, libc::RLIMIT_FSIZE].map(u64::from);
    let of_thread = libc::CLOCK_THREAD_CPUTIME_ID as u64;
    let empty = libc::AT_EMPTY_PATH as u64;
    vec![
        of(libc::SYS_rt_sigreturn, "rt_sigreturn", [0; 6]),
        of(libc::SYS_write, "write", [file, ANY, 4096, 0, 0, 0]),
        of(libc::SYS_read, "read", [HIGH, ANY, 256, 0, 0, 0]),
        of(libc::SYS_pread64, "pread64", [HIGH, ANY, 96, 0, 0, 0]),
        of(libc::SYS_openat, "openat", [HERE, ANY, reads, 0, 0, 0]),
        of(libc::SYS_openat, "openat", [HERE, ANY, appends, 0, 0, 0]),
        of(libc::SYS_openat, "openat", [HERE, ANY, creates, 0o644, 0, 0]),
        of(libc::SYS_openat, "openat", [HERE, ANY, takes, 0o644, 0, 0]),
        of(libc::SYS_close, "close", [HIGH, 0, 0, 0, 0, 0]),
        of(libc::SYS_fstat, "fstat", [file, ANY, 0, 0, 0, 0]),
        of(libc::SYS_newfstatat, "newfstatat", [file, ANY, ANY, empty, 0, 0]),
        of(libc::SYS_statx, "statx", [HIGH, ANY, empty, 0xfff, ANY, 0]),
        of(libc::SYS_lseek, "lseek", [HIGH, 0, 1, 0, 0, 0]),
        of(libc::SYS_fcntl, "fcntl", [HIGH, libc::F_DUPFD_CLOEXEC as u64, HIGH, 0, 0, 0]),
        of(libc::SYS_flock, "flock", [HIGH, 6, 0, 0, 0, 0]),
        of(libc::SYS_readlink, "readlink", [ANY, ANY, 256, 0, 0, 0]),
        of(libc::SYS_getcwd, "getcwd", [ANY, 512, 0, 0, 0, 0]),
        of(libc::SYS_mmap, "mmap", [0, 4 << 20, access, lazily, u64::MAX, 0]),
        of(libc::SYS_mmap, "mmap", [0, 4 << 20, access, kind, u64::MAX, 0]),
        of(libc::SYS_munmap, "munmap", [ANY, 4096, 0, 0, 0, 0]),
        of(libc::SYS_mremap, "mremap", [ANY, 4096, 8192, 1, 0, 0]),
        of(libc::SYS_rt_sigaction, "rt_sigaction", [number, ANY, ANY, 8, 0, 0]),
        of(libc::SYS_rt_sigprocmask, "rt_sigprocmask", [1, ANY, 0, 8, 0, 0]),
        of(libc::SYS_timer_create, "timer_create", [ANY, ANY, ANY, 0, 0, 0]),
        of(libc::SYS_timer_settime, "timer_settime", [1, 0, ANY, 0, 0, 0]),
        of(libc::SYS_timer_delete, "timer_delete", [1, 0, 0, 0, 0, 0]),
        of(libc::SYS_clock_gettime, "clock_gettime", [of_thread, ANY, 0, 0, 0, 0]),
        of(libc::SYS_getrusage, "getrusage", [1, ANY, 0, 0, 0, 0]),
        of(libc::SYS_sched_getaffinity, "sched_getaffinity", [0, 128, ANY, 0, 0, 0]),
        of(libc::SYS_sched_yield, "sched_yield", [0; 6]),
        of(libc::SYS_futex, "futex", [ANY, wait, 0, ANY, 0, 0]),
        of(libc::SYS_futex, "futex", [ANY, wake, 1, 0, 0, 0]),
        of(libc::SYS_getpid, "getpid", [0; 6]),
        of(libc::SYS_gettid, "gettid", [0; 6]),
        of(libc::SYS_tgkill, "tgkill", [1, 1, 0, 0, 0, 0]),
        of(libc::SYS_uname, "uname", [ANY, 0, 0, 0, 0, 0]),
        of(libc::SYS_prlimit64, "prlimit64", [0, nofile, 0, ANY, 0, 0]),
        of(libc::SYS_prlimit64, "prlimit64", [0, nofile, ANY, 0, 0, 0]),
        of(libc::SYS_prlimit64, "prlimit64", [0, fsize, 0, ANY, 0, 0]),
    ]
}

/// Returns the calls of the C library that make a thread, and those by which the thread begins.
fn to_make_a_thread() -> [Call; 7] {
    let access = (libc::PROT_READ | libc::PROT_WRITE) as u64;
    [
        of(libc::SYS_clone3, "clone3", [ANY, 88, 0, 0, 0, 0]),
        of(libc::SYS_clone, "clone", [0x3d_0f00, ANY, ANY, ANY, ANY, 0]),
        of(libc::SYS_mprotect, "mprotect", [ANY, 1 << 18, access, 0, 0, 0]),
        of(libc::SYS_set_robust_list, "set_robust_list", [ANY, 24, 0, 0, 0, 0]),
        of(libc::SYS_rseq, "rseq", [ANY, 32, 0, 0x5305_3053, 0, 0]),
        of(libc::SYS_prctl, "prctl", [libc::PR_SET_NAME as u64, ANY, 0, 0, 0, 0]),
        of(libc::SYS_close_range, "close_range", [0, 199, 2, 0, 0, 0]),
    ]
}
