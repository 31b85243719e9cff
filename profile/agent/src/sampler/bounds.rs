//! The range of a thread's stack.

/// Returns the calling thread's stack: lowest address and one past the highest; zeros if the system
/// does not say.
pub fn of_caller() -> (u64, u64) {
    // SAFETY: the attributes are initialised by the call that succeeds and destroyed after use.
    unsafe {
        let mut attributes: libc::pthread_attr_t = core::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return (0, 0);
        }
        let mut low = core::ptr::null_mut();
        let mut size = 0;
        let known = libc::pthread_attr_getstack(&attributes, &mut low, &mut size) == 0;
        libc::pthread_attr_destroy(&mut attributes);
        if known { (low as u64, low as u64 + size as u64) } else { (0, 0) }
    }
}
