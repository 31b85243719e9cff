//! Whether the process was built with ThreadSanitizer.

crate::weak_references! {
    fn bound() -> [1] of omphalos_sanitizers: __tsan_init
}

/// Whether ThreadSanitizer watches the program: then memory that goes from thread to thread must go
/// through `free` and `malloc`, which it knows. Async-signal-safe.
///
/// A bound name tells, no question to the dynamic linker: any thread of a team may ask, also while
/// the thread that loads a library holds the linker's lock and waits for that team.
///
/// Where the runtime itself is built with it (`cargo xtask tsan`), it is to do what it always does.
pub fn thread_sanitizer() -> bool {
    !cfg!(tsan) && !bound()[0].is_null()
}
