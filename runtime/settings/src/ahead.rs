//! Settings that are read before they are needed.
//!
//! A program's first region waits for the settings, while the loading of the library keeps nobody
//! waiting for long. So the library's constructor reads the settings that it can read without
//! asking the system and without messages. The program may change its environment before its first
//! contact with OpenMP (Python programs do); then these settings are dropped. The program may also
//! bind itself to other processors, so they are not counted here.

use super::environment;
use super::processors::Processors;
use super::settings::Settings;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};
use omphalos_sys::environment::fingerprint;

/// Null, or the settings that were read ahead: a box. It belongs to the thread that reads the
/// settings; only one does at a time.
static SETTINGS: AtomicPtr<Settings> = AtomicPtr::new(core::ptr::null_mut());
/// The environment that they came from.
static ENVIRONMENT: AtomicU64 = AtomicU64::new(0);

/// Reads ahead. No other thread may read the settings meanwhile.
pub fn prepare() {
    if !SETTINGS.load(Relaxed).is_null() {
        return;
    }
    if let Some(read) = environment::ahead() {
        ENVIRONMENT.store(fingerprint(), Relaxed);
        SETTINGS.store(Box::into_raw(Box::new(read.settings)), Relaxed);
    }
}

/// Returns the settings that were read ahead, if they still hold. No other thread may read the
/// settings meanwhile.
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
