//! Words that others may still read while the record's owner writes them.
//!
//! The words are relaxed atomics, which the owner alone writes, as an
//! [`OwnerWord`](super::OwnerWord). Either value is right for the reader: a member that lags behind
//! its region (`team/README.md`, "why a worker that lags never disturbs the next region"), or a
//! thief that looks at a task in transit.
//!
//! The owner itself reads by a plain load, because no other thread writes. The compiler makes one
//! instruction of a plain load and a comparison, but not of an atomic load and a comparison.

use super::Owner;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering::Relaxed};

/// A 32-bit number of the record `R`.
#[repr(transparent)]
pub struct Word<R>(AtomicU32, PhantomData<fn(R)>);

impl<R> Word<R> {
    /// Makes a word with this value.
    pub const fn new(value: u32) -> Word<R> {
        Word(AtomicU32::new(value), PhantomData)
    }

    /// Returns the value.
    #[inline(always)]
    pub fn get(&self) -> u32 {
        self.0.load(Relaxed)
    }

    /// Returns the value, for its owner.
    #[inline(always)]
    pub(crate) fn value_for(&self, by: Owner<'_, R>) -> u32 {
        by.check(self);
        // SAFETY: only the owner writes the word, and the calling thread is the owner.
        unsafe { self.0.as_ptr().read() }
    }

    /// Sets the value.
    #[inline(always)]
    pub(crate) fn set(&self, by: Owner<'_, R>, value: u32) {
        by.check(self);
        self.0.store(value, Relaxed);
    }

    /// Sets the value if it is another one, so that the line stays with its readers.
    #[inline(always)]
    pub(crate) fn put(&self, by: Owner<'_, R>, value: u32) {
        if self.value_for(by) != value {
            self.set(by, value);
        }
    }
}

/// A truth value of the record `R`.
pub struct Flag<R>(AtomicBool, PhantomData<fn(R)>);

impl<R> Flag<R> {
    /// Makes a flag with this value.
    pub const fn new(value: bool) -> Flag<R> {
        Flag(AtomicBool::new(value), PhantomData)
    }

    /// Returns the value.
    #[inline(always)]
    pub fn get(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Sets the value if it is another one, so that the line stays with its readers.
    #[inline(always)]
    pub(crate) fn put(&self, by: Owner<'_, R>, value: bool) {
        by.check(self);
        // SAFETY: only the owner writes the flag, and the calling thread is the owner.
        if unsafe { self.0.as_ptr().read() } != value {
            self.0.store(value, Relaxed);
        }
    }
}

/// A pointer of the record `R`.
pub struct Pointer<T, R>(AtomicPtr<T>, PhantomData<fn(R)>);

impl<T, R> Pointer<T, R> {
    /// Makes a null pointer.
    pub const fn null() -> Pointer<T, R> {
        Pointer(AtomicPtr::new(core::ptr::null_mut()), PhantomData)
    }

    /// Returns the pointer.
    #[inline(always)]
    pub fn get(&self) -> *mut T {
        self.0.load(Relaxed)
    }

    /// Sets the pointer. Its target is published by the write that lets the reader look here.
    #[inline(always)]
    pub(crate) fn set(&self, by: Owner<'_, R>, value: *mut T) {
        by.check(self);
        self.0.store(value, core::sync::atomic::Ordering::Release);
    }
}
