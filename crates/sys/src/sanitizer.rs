//! Whether the process was built with ThreadSanitizer.

use core::sync::atomic::{AtomicU8, Ordering};

/// 0 not asked yet, 1 no, 2 yes.
static THREADS: AtomicU8 = AtomicU8::new(0);

/// Whether ThreadSanitizer watches the program: then memory that goes from thread to thread must go
/// through `free` and `malloc`, which it knows. Not async-signal-safe.
///
/// Where the runtime itself is built with it (`cargo xtask tsan`), it is to do what it always does.
pub fn thread_sanitizer() -> bool {
    if cfg!(tsan) {
        return false;
    }
    match THREADS.load(Ordering::Relaxed) {
        0 => {
            // SAFETY: the name is zero-terminated and the pseudo handle always valid.
            let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__tsan_init".as_ptr()) };
            let there = !found.is_null();
            THREADS.store(if there { 2 } else { 1 }, Ordering::Relaxed);
            there
        }
        known => known == 2,
    }
}
