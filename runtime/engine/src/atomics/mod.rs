//! Atomic operations for which compilers emit no instruction: one operation on one variable.
//!
//! Who calls: `capi`, with the operation as a closure. What must hold: all operations on one
//! variable exclude each other. For up to eight bytes the processor ensures that, at any alignment
//! ([`update`]). For a larger variable each operation, be it only a read, takes the lock of the
//! variable's address ([`update_locked`]).

mod any_size;
mod numbers;

pub use any_size::{compare_exchange, load, store};
pub use numbers::{Integer, Value};

use crate::mutex::{self, Face, atomic_lock};
use core::sync::atomic::AtomicU32;
use omphalos_sys::entry::Caller;
use omphalos_sys::place::Word;

/// Replaces the variable's value by `change` of it. Returns the old and the new value.
///
/// # Safety
/// `place` is a variable of the program.
#[inline(always)]
pub unsafe fn update<T: Value>(place: *mut T, change: impl Fn(T) -> T) -> (T, T) {
    let place: *mut T::Word = place.cast();
    // SAFETY: the caller's promise.
    let mut seen = unsafe { T::Word::peek(place) };
    loop {
        let old = T::value(seen);
        let new = change(old);
        // SAFETY: the caller's promise.
        let now = unsafe { T::Word::compare_exchange(place, seen, new.word()) };
        if now == seen {
            return (old, new);
        }
        seen = now;
        omphalos_sys::relax();
    }
}

/// Returns the variable's value.
///
/// # Safety
/// `place` is a variable of the program.
#[inline(always)]
pub unsafe fn read<T: Value>(place: *mut T) -> T {
    let word: *mut T::Word = place.cast();
    // SAFETY: the caller's promise.
    unsafe {
        if place.addr().is_multiple_of(size_of::<T>()) {
            return T::value(T::Word::peek(word));
        }
        // An unaligned variable may lie in two lines: only a locked instruction reads it in one
        // step.
        let guess = T::Word::peek(word);
        T::value(T::Word::compare_exchange(word, guess, guess))
    }
}

/// Writes the variable and returns its old value.
///
/// # Safety
/// `place` is a variable of the program.
#[inline(always)]
pub unsafe fn exchange<T: Value>(place: *mut T, value: T) -> T {
    // SAFETY: the caller's promise.
    unsafe { T::value(T::Word::exchange(place.cast(), value.word())) }
}

/// Adds to the variable with wrap-around and returns its old value.
///
/// # Safety
/// `place` is a variable of the program.
#[inline(always)]
pub unsafe fn add<T: Value>(place: *mut T, value: T) -> T {
    // SAFETY: the caller's promise.
    unsafe { T::value(T::Word::fetch_add(place.cast(), value.word())) }
}

/// Does what [`update`] does, under the lock of the variable's address.
///
/// # Safety
/// `place` is a variable of the program, and `change` cannot unwind.
#[inline]
pub unsafe fn update_locked<T: Copy>(
    place: *mut T,
    caller: Caller,
    change: impl FnOnce(T) -> T,
) -> (T, T) {
    let lock = take_lock(place.addr(), caller);
    // SAFETY: the caller's promise; everybody who uses the variable holds the lock.
    let (old, new) = unsafe {
        let old = place.read_unaligned();
        let new = change(old);
        place.write_unaligned(new);
        (old, new)
    };
    give_lock(lock, caller);
    (old, new)
}

/// Takes the lock of a variable. Not inlined: [`update_locked`] has over a hundred copies. Most of
/// them work on several words or call a function for their arithmetic, so one more call costs
/// little.
#[inline(never)]
fn take_lock(address: usize, caller: Caller) -> &'static AtomicU32 {
    let lock = atomic_lock(address);
    mutex::acquire(lock, Face::ATOMIC, caller);
    lock
}

/// Gives the lock of a variable back.
#[inline(never)]
fn give_lock(lock: &AtomicU32, caller: Caller) {
    mutex::release(lock, Face::ATOMIC, caller);
}
