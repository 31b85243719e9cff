//! Words that a lagging member may still read while the primary writes them for the next region.
//!
//! They are relaxed atomics with the interface of `Cell`: the reader does not care which value it
//! gets (`team/README.md`, "why a worker that lags never disturbs the next region").

use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering::Relaxed};

/// A 32-bit number, where it stands alone in memory.
#[repr(transparent)]
pub struct Word(AtomicU32);

impl Word {
    /// A word with this value.
    pub const fn new(value: u32) -> Word {
        Word(AtomicU32::new(value))
    }

    /// The value.
    #[inline(always)]
    pub fn get(&self) -> u32 {
        self.0.load(Relaxed)
    }

    /// Sets the value.
    #[inline(always)]
    pub fn set(&self, value: u32) {
        self.0.store(value, Relaxed);
    }
}

/// Yes or no.
pub struct Flag(AtomicBool);

impl Flag {
    /// A flag with this value.
    pub const fn new(value: bool) -> Flag {
        Flag(AtomicBool::new(value))
    }

    /// The value.
    #[inline(always)]
    pub fn get(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Sets the value.
    #[inline(always)]
    pub fn set(&self, value: bool) {
        self.0.store(value, Relaxed);
    }
}

/// A pointer.
pub struct Pointer<T>(AtomicPtr<T>);

impl<T> Pointer<T> {
    /// A null pointer.
    pub const fn null() -> Pointer<T> {
        Pointer(AtomicPtr::new(core::ptr::null_mut()))
    }

    /// The pointer.
    #[inline(always)]
    pub fn get(&self) -> *mut T {
        self.0.load(Relaxed)
    }

    /// Sets the pointer. What it points to is published by whatever lets the reader look here.
    #[inline(always)]
    pub fn set(&self, value: *mut T) {
        self.0.store(value, core::sync::atomic::Ordering::Release);
    }
}
