//! Chooses the processor on which this program looks.
//!
//! When this program wakes, the kernel takes the processor from the thread that is there, most
//! often at the end of a system call. So a thread of the program on our processor would be met only
//! in its calls. Therefore a look leaves out the thread that was on our processor, and the next
//! look comes from another one.

use std::mem::size_of;

/// The processors that this thread may use.
pub struct Processors {
    allowed: libc::cpu_set_t,
}

impl Processors {
    /// The processors that are allowed now.
    pub fn new() -> Processors {
        // SAFETY: all zeros are an empty set, which the call fills.
        let allowed = unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set);
            set
        };
        Processors { allowed }
    }

    /// Binds this thread, and all threads that it starts, to its processor for a look. Returns that
    /// processor; `None` if the thread has no choice.
    pub fn stay(&mut self) -> Option<usize> {
        // SAFETY: a set of ours; and a call without arguments.
        let (count, own) = unsafe { (libc::CPU_COUNT(&self.allowed), libc::sched_getcpu()) };
        let own = usize::try_from(own).ok().filter(|own| count > 1 && is_number(*own))?;
        // SAFETY: an empty set of ours, with room for that number.
        let set = unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(own, &mut set);
            set
        };
        bind(&set);
        Some(own)
    }

    /// Leaves that processor to others until the next look; any other processor will do.
    pub fn leave(&mut self, left: Option<usize>) {
        let mut set = self.allowed;
        if let Some(left) = left.filter(|left| is_number(*left)) {
            // SAFETY: a set of ours, with room for that number.
            unsafe { libc::CPU_CLR(left, &mut set) };
        }
        bind(&set);
    }
}

fn is_number(processor: usize) -> bool {
    processor < libc::CPU_SETSIZE as usize
}

/// Binds this thread, and those that it starts from now on.
fn bind(set: &libc::cpu_set_t) {
    // SAFETY: reads the set. What the kernel refuses stays as it was.
    unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), set) };
}

impl Drop for Processors {
    fn drop(&mut self) {
        self.leave(None);
    }
}

/// The processor on which a thread of a process runs, or ran last.
pub fn of_thread(pid: u32, lwp: u32) -> Option<usize> {
    /// The word's place behind the name.
    const PROCESSOR: usize = 36;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/task/{lwp}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(PROCESSOR)?.parse().ok()
}
