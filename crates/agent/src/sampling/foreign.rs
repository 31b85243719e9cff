//! The program's own use of the sampling signal.
//!
//! The signal was free when the agent started. A program that sets a handler for it later (through
//! `sigaction` or `signal`, which the preloaded agent defines) believes that it has it: its action
//! is kept here, what was kept is answered, and signals that no timer of ours sent are handed on.
//! What must hold: [`hand_on`] is async-signal-safe; a handler and its flags belong together, so
//! they are changed with the flags cleared in between.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering::SeqCst};

static HANDLER: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);
static FLAGS: AtomicI32 = AtomicI32::new(0);
static MASK: AtomicU64 = AtomicU64::new(0);

/// The program's action, as `sigaction` answers it.
pub fn get(action: &mut libc::sigaction) {
    // SAFETY: plain data, and zero is a valid value of each field.
    *action = unsafe { core::mem::zeroed() };
    action.sa_sigaction = HANDLER.load(SeqCst);
    action.sa_flags = FLAGS.load(SeqCst);
    // SAFETY: the mask is at least eight bytes of plain data.
    unsafe { core::ptr::from_mut(&mut action.sa_mask).cast::<u64>().write(MASK.load(SeqCst)) };
}

/// Keeps the program's action.
pub fn set(action: &libc::sigaction) {
    HANDLER.store(libc::SIG_DFL, SeqCst);
    FLAGS.store(action.sa_flags, SeqCst);
    // SAFETY: as above.
    let mask = unsafe { core::ptr::from_ref(&action.sa_mask).cast::<u64>().read() };
    MASK.store(mask, SeqCst);
    HANDLER.store(action.sa_sigaction, SeqCst);
}

/// Gives a signal that is none of ours to the program's handler, if it has one.
///
/// # Safety
/// The arguments must be those of a signal handler.
pub unsafe fn hand_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let handler = HANDLER.load(SeqCst);
    if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
        return;
    }
    let flags = FLAGS.load(SeqCst);
    if flags & libc::SA_RESETHAND != 0 {
        HANDLER.store(libc::SIG_DFL, SeqCst);
    }
    // SAFETY: the program gave a handler of the kind that its flags say.
    unsafe {
        if flags & libc::SA_SIGINFO != 0 {
            type Full = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
            core::mem::transmute::<usize, Full>(handler)(signal, info, context);
        } else {
            core::mem::transmute::<usize, extern "C" fn(c_int)>(handler)(signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::AtomicU32;

    static CALLS: AtomicU32 = AtomicU32::new(0);

    extern "C" fn count(signal: c_int) {
        CALLS.fetch_add(signal as u32, SeqCst);
    }

    #[test]
    fn the_programs_handler_gets_what_is_not_ours() {
        // SAFETY: plain data.
        let mut action: libc::sigaction = unsafe { core::mem::zeroed() };
        action.sa_sigaction = count as *const () as usize;
        action.sa_flags = libc::SA_RESETHAND;
        set(&action);
        // SAFETY: the handler looks at the number only.
        unsafe {
            hand_on(23, core::ptr::null_mut(), core::ptr::null_mut());
            hand_on(23, core::ptr::null_mut(), core::ptr::null_mut());
        }
        assert_eq!(CALLS.load(SeqCst), 23, "once, for it asked to be reset");
        get(&mut action);
        assert_eq!(action.sa_sigaction, libc::SIG_DFL);
    }
}
