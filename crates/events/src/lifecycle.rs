//! When tools start and end. The tools crate installs its functions when the library is loaded;
//! the engine calls them: start once, after its settings are read and before the first event; finish
//! once, after the last region and before the library goes.

use core::sync::atomic::{AtomicPtr, Ordering};

/// The tools' functions.
pub struct Lifecycle {
    /// Finds and initialises tools. Runs on the thread that starts the runtime; no event comes
    /// before it returns.
    pub start: fn(),
    /// Ends every tool. Runs at most once (the engine sees to that).
    pub finish: fn(),
    /// Whether it is known, without a search, that there is no tool.
    pub none: fn() -> bool,
}

static LIFECYCLE: AtomicPtr<Lifecycle> = AtomicPtr::new(core::ptr::null_mut());

/// Installs the tools' functions (from the library's constructor).
pub fn install_lifecycle(functions: &'static Lifecycle) {
    LIFECYCLE.store(core::ptr::from_ref(functions).cast_mut(), Ordering::Release);
}

fn installed() -> Option<&'static Lifecycle> {
    // SAFETY: only `install_lifecycle` stores here, and only a `'static` table.
    unsafe { LIFECYCLE.load(Ordering::Acquire).as_ref() }
}

/// Whether it is known that no tool will start. False where only the search can tell.
pub fn none() -> bool {
    installed().is_none_or(|functions| (functions.none)())
}

/// Starts the tools, if any are built in.
pub fn start() {
    if let Some(functions) = installed() {
        (functions.start)();
    }
}

/// Ends the tools.
pub fn finish() {
    if let Some(functions) = installed() {
        (functions.finish)();
    }
}
