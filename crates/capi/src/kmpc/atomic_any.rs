//! `__kmpc___atomic_*`: Intel's names of the compiler's own atomic operations on objects of any
//! size. Sizes that the processor has, at aligned addresses, need no lock; the others share one.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst};
use omphalos_engine::caller;
use omphalos_engine::mutex::{self, Face, lock_of_all_atomics};

/// Runs `$with` with the atomic type of this size, or `$otherwise` under the lock.
macro_rules! by_size {
    ($size:expr, $at:expr, |$type:ident, $value:ident| $with:expr, $otherwise:expr) => {
        match $size {
            1 => by_size!(@ AtomicU8, u8, $type, $value, $with),
            2 if $at as usize % 2 == 0 => by_size!(@ AtomicU16, u16, $type, $value, $with),
            4 if $at as usize % 4 == 0 => by_size!(@ AtomicU32, u32, $type, $value, $with),
            8 if $at as usize % 8 == 0 => by_size!(@ AtomicU64, u64, $type, $value, $with),
            _ => {
                let caller = caller();
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

unsafe extern "C" fn load(size: usize, from: *mut u8, to: *mut u8, _order: i32) {
    // SAFETY: the compiler's code passes objects of `size` bytes.
    unsafe {
        by_size!(
            size,
            from,
            |Atomic, Value| {
                let value: Value = Atomic::from_ptr(from.cast()).load(SeqCst);
                to.cast::<Value>().write_unaligned(value)
            },
            core::ptr::copy(from, to, size)
        )
    }
}

unsafe extern "C" fn store(size: usize, to: *mut u8, from: *mut u8, _order: i32) {
    // SAFETY: the compiler's code passes objects of `size` bytes.
    unsafe {
        by_size!(
            size,
            to,
            |Atomic, Value| {
                Atomic::from_ptr(to.cast()).store(from.cast::<Value>().read_unaligned(), SeqCst)
            },
            core::ptr::copy(from, to, size)
        )
    }
}

unsafe extern "C" fn compare_exchange(
    size: usize,
    object: *mut u8,
    expected: *mut u8,
    desired: *mut u8,
    _weak: bool,
    _success: i32,
    _failure: i32,
) -> bool {
    // SAFETY: the compiler's code passes objects of `size` bytes.
    unsafe {
        by_size!(
            size,
            object,
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
                let same =
                    libc::memcmp(object.cast::<c_void>(), expected.cast::<c_void>(), size) == 0;
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

omphalos_sys::entries! {
    /// `__atomic_load`: size, object, where the value goes, memory order.
    __kmpc___atomic_load_n => load;
    /// `__atomic_store`: size, object, value, memory order.
    __kmpc___atomic_store_n => store;
    /// `__atomic_compare_exchange`: size, object, expected, desired, weak, two memory orders.
    __kmpc___atomic_compare_exchange_n => compare_exchange;
}
