//! Making threads, through pthreads: programs look at them with pthread calls and debuggers.

use crate::cpus::Mask;
use core::ffi::c_void;

/// Why a thread could not be made: an errno value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub i32);

/// The least stack in bytes with which the system makes a thread.
pub const LEAST_STACK: usize = libc::PTHREAD_STACK_MIN;

/// Makes a detached thread that runs `main(argument)` with all signals of the creator's mask kept.
///
/// `stack` in bytes; 0 takes the system's default. With a mask that is not empty the thread begins on one
/// of its processors and has that mask, unless the system refuses just that. Fails with errno's value when
/// the system refuses (EAGAIN: limit on processes; ENOMEM: no memory for the stack).
///
/// # Safety
/// `main` must be callable with `argument` on another thread, at any time from now on.
pub unsafe fn spawn(
    main: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
    stack: usize,
    mask: &Mask,
) -> Result<(), Refused> {
    // SAFETY: the attribute object lives on this stack from init to destroy; the rest is the
    // caller's promise.
    unsafe {
        let mut attributes: libc::pthread_attr_t = core::mem::zeroed();
        let error = libc::pthread_attr_init(&mut attributes);
        if error != 0 {
            return Err(Refused(error));
        }
        libc::pthread_attr_setdetachstate(&mut attributes, libc::PTHREAD_CREATE_DETACHED);
        if stack != 0 {
            // A size that the system refuses (too small, not a multiple of a page) leaves the default.
            let page = 4096;
            let size = stack.max(LEAST_STACK).next_multiple_of(page);
            libc::pthread_attr_setstacksize(&mut attributes, size);
        }
        let mut id: libc::pthread_t = core::mem::zeroed();
        let mut error = libc::ENOSYS;
        if !mask.is_empty() {
            let words = mask.as_words();
            let set = words.as_ptr().cast::<libc::cpu_set_t>();
            if libc::pthread_attr_setaffinity_np(&mut attributes, size_of_val(words), set) == 0 {
                error = libc::pthread_create(&mut id, &attributes, main, argument);
            }
            if refused_mask(error) {
                // A kernel that forbids masks, or a group that has other processors by now.
                libc::pthread_attr_setaffinity_np(&mut attributes, 0, core::ptr::null());
            }
        }
        if refused_mask(error) {
            error = libc::pthread_create(&mut id, &attributes, main, argument);
        }
        libc::pthread_attr_destroy(&mut attributes);
        if error == 0 { Ok(()) } else { Err(Refused(error)) }
    }
}

/// Whether a thread was not made because of its mask, or not tried yet.
fn refused_mask(error: i32) -> bool {
    !matches!(error, 0 | libc::EAGAIN | libc::ENOMEM)
}

/// The kernel's number of the calling thread. Async-signal-safe.
pub fn id() -> i32 {
    // SAFETY: no memory involved.
    unsafe { libc::syscall(libc::SYS_gettid) as i32 }
}

/// Gives the processor away once. Async-signal-safe.
pub fn give_way() {
    // SAFETY: no memory involved.
    unsafe { libc::sched_yield() };
}
