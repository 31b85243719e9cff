//! The settings of the process: the address of the current ones, and the moment when a thread reads
//! them.
//!
//! Every fork calls `settings()`: it is one load. It always answers, before [`ensure`] with
//! harmless defaults, so any code may ask, even a signal handler.

use super::settings::Settings;
use super::{ahead, environment};
use core::sync::atomic::{AtomicPtr, Ordering};
use omphalos_sync::process_lock::{ProcessLock, rank};
use omphalos_sys::signals::Blocked;

/// The answer of `settings` before the environment is read.
static BEFORE: Settings = Settings::new();
/// The settings; written once, by `ensure`. Release pairs with the threads' other start-up stores.
pub static CURRENT: AtomicPtr<Settings> = AtomicPtr::new((&raw const BEFORE).cast_mut());
static READING: ProcessLock<(), { rank::SETTINGS }> = ProcessLock::new(());

/// Returns the settings. Async-signal-safe.
#[inline(always)]
pub fn settings() -> &'static Settings {
    // SAFETY: points to `BEFORE` or to settings that are never freed.
    unsafe { &*CURRENT.load(Ordering::Acquire) }
}

/// Whether the environment has been read.
#[inline(always)]
pub fn are_read() -> bool {
    !core::ptr::eq(settings(), &raw const BEFORE)
}

/// Reads the environment before it is needed ([`super::ahead`]). For the library's constructor.
pub fn prepare() {
    if !are_read()
        && let Some(_reading) = READING.try_lock()
    {
        ahead::prepare();
    }
}

/// Reads the environment if no thread has.
#[inline(always)]
pub fn ensure() {
    if !are_read() {
        read();
    }
}

#[cold]
#[inline(never)]
fn read() {
    // A handler on this thread that asks for the settings would wait for this thread.
    let _blocked = Blocked::new();
    let _reading = READING.lock();
    if !are_read() {
        let (settings, display, list) = match ahead::take() {
            Some(settings) => (settings, None, false),
            None => {
                let read = environment::read();
                (&*Box::leak(Box::new(read.settings)), read.display, read.list)
            }
        };
        CURRENT.store(core::ptr::from_ref(settings).cast_mut(), Ordering::Release);
        if let Some(verbose) = display {
            super::display::show(settings, verbose);
        }
        if list {
            super::display::list(settings);
        }
    }
}
