//! Loads, stores and exchanges of objects of any size. An aligned object of 1, 2, 4 or 8 bytes
//! needs no lock; all others share one.

use crate::mutex::{self, Face, lock_of_all_atomics};
use core::slice::from_raw_parts;
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst};
use omphalos_sys::entry::Caller;

/// Runs `$with` with the atomic type of this size; if there is none, or the address is not aligned
/// to it, runs `$otherwise` under the lock.
macro_rules! by_size {
    ($size:expr, $at:expr, $caller:expr, |$type:ident, $value:ident| $with:expr,
     $otherwise:expr) => {
        match $size {
            1 => by_size!(@ AtomicU8, u8, $type, $value, $with),
            2 if $at as usize % 2 == 0 => by_size!(@ AtomicU16, u16, $type, $value, $with),
            4 if $at as usize % 4 == 0 => by_size!(@ AtomicU32, u32, $type, $value, $with),
            8 if $at as usize % 8 == 0 => by_size!(@ AtomicU64, u64, $type, $value, $with),
            _ => {
                let caller = $caller();
                mutex::acquire(lock_of_all_atomics(), Face::ATOMIC, caller);
                let result = $otherwise;
                mutex::release(lock_of_all_atomics(), Face::ATOMIC, caller);
                result
            }
        }
    };
    (@ $atomic:ty, $plain:ty, $type:ident, $value:ident, $with:expr) => {{
        type $type = $atomic;
        type $value = $plain;
        $with
    }};
}

/// Copies the object at `from`, which others may change, to `to`. `caller` is called only where the
/// lock is taken.
///
/// # Safety
/// Both are valid for `size` bytes.
#[inline(always)]
pub unsafe fn load(size: usize, from: *mut u8, to: *mut u8, caller: impl FnOnce() -> Caller) {
    // SAFETY: the caller's promise.
    unsafe {
        by_size!(
            size,
            from,
            caller,
            |Atomic, Value| {
                let value: Value = Atomic::from_ptr(from.cast()).load(SeqCst);
                to.cast::<Value>().write_unaligned(value)
            },
            core::ptr::copy(from, to, size)
        )
    }
}

/// Copies the object at `from` to `to`, which others may read.
///
/// # Safety
/// Both are valid for `size` bytes.
#[inline(always)]
pub unsafe fn store(size: usize, to: *mut u8, from: *mut u8, caller: impl FnOnce() -> Caller) {
    // SAFETY: the caller's promise.
    unsafe {
        by_size!(
            size,
            to,
            caller,
            |Atomic, Value| {
                Atomic::from_ptr(to.cast()).store(from.cast::<Value>().read_unaligned(), SeqCst)
            },
            core::ptr::copy(from, to, size)
        )
    }
}

/// If `object` holds `expected`, writes `desired` to it and returns true. Otherwise writes its
/// value to `expected` and returns false.
///
/// # Safety
/// All are valid for `size` bytes.
#[inline(always)]
pub unsafe fn compare_exchange(
    size: usize,
    object: *mut u8,
    expected: *mut u8,
    desired: *mut u8,
    caller: impl FnOnce() -> Caller,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        by_size!(
            size,
            object,
            caller,
            |Atomic, Value| {
                let old = expected.cast::<Value>().read_unaligned();
                let new = desired.cast::<Value>().read_unaligned();
                match Atomic::from_ptr(object.cast()).compare_exchange(old, new, SeqCst, SeqCst) {
                    Ok(_) => true,
                    Err(found) => {
                        expected.cast::<Value>().write_unaligned(found);
                        false
                    }
                }
            },
            {
                let same = from_raw_parts(object, size) == from_raw_parts(expected, size);
                if same {
                    core::ptr::copy(desired, object, size);
                } else {
                    core::ptr::copy(object, expected, size);
                }
                same
            }
        )
    }
}
