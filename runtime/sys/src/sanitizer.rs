//! The question whether the process was built with ThreadSanitizer.

crate::weak_references! {
    fn bound() -> [1] of omphalos_sanitizers: __tsan_init
}

/// Whether ThreadSanitizer watches the program. If so, memory that goes from thread to thread must
/// go through `free` and `malloc`, which it knows. Async-signal-safe.
///
/// A bound name has the answer, and the dynamic linker is not asked: any thread of a team may ask,
/// also while the thread that loads a library holds the linker's lock and waits for that team.
///
/// False if the runtime itself is built with it (`cargo xtask tsan`): the runtime then works as
/// always.
pub fn thread_sanitizer() -> bool {
    !cfg!(tsan) && !bound()[0].is_null()
}
