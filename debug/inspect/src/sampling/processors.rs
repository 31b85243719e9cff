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

    /// Binds this thread, and the thread `tracer`, to this thread's processor for a look. Returns
    /// that processor; `None` if the thread has no choice.
    pub fn stay(&mut self, tracer: Option<u32>) -> Option<usize> {
        // SAFETY: a set of ours; and a call without arguments.
        let (count, own) = unsafe { (libc::CPU_COUNT(&self.allowed), libc::sched_getcpu()) };
        let own = usize::try_from(own).ok().filter(|own| count > 1 && is_number(*own))?;
        // SAFETY: an empty set of ours, with room for that number.
        let set = unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(own, &mut set);
            set
        };
        bind(0, &set);
        tracer.into_iter().for_each(|tracer| bind(tracer, &set));
        Some(own)
    }

    /// Leaves that processor to others until the next look; any other processor will do.
    pub fn leave(&mut self, left: Option<usize>) {
        let mut set = self.allowed;
        if let Some(left) = left.filter(|left| is_number(*left)) {
            // SAFETY: a set of ours, with room for that number.
            unsafe { libc::CPU_CLR(left, &mut set) };
        }
        bind(0, &set);
    }
}

fn is_number(processor: usize) -> bool {
    processor < libc::CPU_SETSIZE as usize
}

/// Binds a thread of ours, and those that it starts from now on; 0 stands for the calling one.
fn bind(lwp: u32, set: &libc::cpu_set_t) {
    let lwp = lwp as libc::pid_t;
    // SAFETY: reads the set. What the kernel refuses stays as it was.
    unsafe { libc::sched_setaffinity(lwp, size_of::<libc::cpu_set_t>(), set) };
}

impl Drop for Processors {
    fn drop(&mut self) {
        self.leave(None);
    }
}
