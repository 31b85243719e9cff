//! Settings that are read before anybody needs them.
//!
//! The first region of a program waits for them, the loading of the library is cheaper for
//! everybody: so the constructor reads what can be read without asking the system and without
//! saying anything. The program may change its environment before its first contact with OpenMP
//! (Python programs do): then what was read is dropped. It may bind itself to other processors:
//! those are not counted here.

use super::environment;
use super::processors::Processors;
use super::settings::Settings;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};
use omphalos_sys::environment::fingerprint;

/// Null, or what was read ahead: a box. Belongs to who reads the settings, one at a time.
static SETTINGS: AtomicPtr<Settings> = AtomicPtr::new(core::ptr::null_mut());
/// The environment that it came from.
static ENVIRONMENT: AtomicU64 = AtomicU64::new(0);

/// Reads. Nobody else may read the settings meanwhile.
pub fn prepare() {
    if !SETTINGS.load(Relaxed).is_null() {
        return;
    }
    if let Some(read) = environment::ahead() {
        ENVIRONMENT.store(fingerprint(), Relaxed);
        SETTINGS.store(Box::into_raw(Box::new(read.settings)), Relaxed);
    }
}

/// What was read, if it still holds. Nobody else may read the settings meanwhile.
pub fn take() -> Option<&'static Settings> {
    let ahead = SETTINGS.swap(core::ptr::null_mut(), Relaxed);
    if ahead.is_null() {
        return None;
    }
    // SAFETY: comes from `prepare`, and is no longer in the static.
    let mut settings = unsafe { Box::from_raw(ahead) };
    if ENVIRONMENT.load(Relaxed) != fingerprint() {
        return None;
    }
    settings.processors = Processors::later();
    settings.see_processors();
    Some(Box::leak(settings))
}
