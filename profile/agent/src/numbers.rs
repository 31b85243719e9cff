//! Numbers of file descriptors. The agent's files get numbers that the program does not reach, so
//! that the program's own numbers stay as they would be. All of this is async-signal-safe.

use core::sync::atomic::{
    AtomicI32,
    Ordering::{Acquire, Relaxed, Release},
};

/// The limit of the program's descriptors above which the agent's numbers lie among the program's
/// own, because the kernel's table is as long as the highest number.
const MOST_RAISED: i32 = 4096;
/// The first of the agent's numbers in that case: most programs have fewer files.
const USUAL: i32 = 200;

/// The thread that has the process's limit raised; 0 for none. A handler may come in the middle of
/// that. A forked child has no such thread ([`reset_in_child`]).
static RAISER: AtomicI32 = AtomicI32::new(0);

/// Moves `file` to a high number, and returns it: a number that the program cannot have, or at
/// least hardly reaches. The old number is closed.
pub fn high(file: i32) -> i32 {
    let beyond = above(file);
    let Some(limit) = limit(libc::RLIMIT_NOFILE) else { return file };
    let own = i32::try_from(limit.rlim_cur).unwrap_or(i32::MAX);
    let highest = own.min(USUAL + 1);
    match beyond.or_else(|| (file + 1..highest).rev().find_map(|least| moved(file, least))) {
        Some(high) => {
            // SAFETY: the file is the agent's, under both numbers.
            unsafe { libc::syscall(libc::SYS_close, file) };
            high
        }
        None => file,
    }
}

/// Whether there are numbers for many files of the agent's without fewer numbers for the program.
pub fn are_many() -> bool {
    let limit = limit(libc::RLIMIT_NOFILE);
    limit.is_some_and(|limit| can_raise(&limit) || limit.rlim_cur > MOST_RAISED as u64)
}

fn can_raise(limit: &libc::rlimit) -> bool {
    limit.rlim_cur <= MOST_RAISED as u64 && limit.rlim_cur < limit.rlim_max
}

/// Returns a copy of the file under a new number, `least` or more.
fn moved(file: i32, least: i32) -> Option<i32> {
    // SAFETY: no memory involved.
    let new = unsafe { libc::syscall(libc::SYS_fcntl, file, libc::F_DUPFD_CLOEXEC, least) };
    i32::try_from(new).ok().filter(|new| *new >= 0)
}

/// Does what [`moved`] does, beyond the process's limit, which is raised meanwhile.
fn above(file: i32) -> Option<i32> {
    /// The most looks at whether another thread still has the limit raised.
    const PATIENCE: u32 = 1000;
    let own = omphalos_sys::thread::id();
    let mut looks = 0;
    while let Err(other) = RAISER.compare_exchange(0, own, Acquire, Relaxed) {
        looks += 1;
        if other == own || looks > PATIENCE {
            return None;
        }
        omphalos_sys::thread::give_way();
    }
    // The other thread has put its raised limit back.
    let new = limit(libc::RLIMIT_NOFILE).filter(can_raise).and_then(|limit| {
        /// The number of descriptors that the raised limit adds for the agent's files.
        const ROOM: u64 = 512;
        let most = limit.rlim_max.min(limit.rlim_cur.saturating_add(ROOM));
        let raised = libc::rlimit { rlim_cur: most, ..limit };
        // SAFETY: the structures belong to this function.
        unsafe {
            if libc::setrlimit(libc::RLIMIT_NOFILE, &raised) != 0 {
                return None;
            }
            let new = moved(file, limit.rlim_cur as i32);
            libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
            new
        }
    });
    RAISER.store(0, Release);
    new
}

/// Resets the state in a forked child, which keeps the limit as it is at the fork.
pub fn reset_in_child() {
    RAISER.store(0, Relaxed);
}

/// Returns a resource limit of the process.
pub fn limit(what: libc::__rlimit_resource_t) -> Option<libc::rlimit> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours.
    (unsafe { libc::getrlimit(what, &mut limit) } == 0).then_some(limit)
}

/// Returns the system's facts about a file; `None` for a number that is no descriptor.
pub fn status(file: i32) -> Option<libc::stat> {
    // SAFETY: the structure belongs to this function; a number that is no descriptor is refused.
    unsafe {
        let mut status: libc::stat = core::mem::zeroed();
        (libc::fstat(file, &mut status) == 0).then_some(status)
    }
}

/// Returns device and inode, which together identify the file.
pub fn identity(status: &libc::stat) -> [u64; 2] {
    [status.st_dev, status.st_ino]
}
