//! `__kmpc___atomic_*`: Intel's names of the compiler's own atomic operations on objects of any
//! size.

use omphalos_engine::{atomics, caller};

unsafe extern "C" fn load(size: usize, from: *mut u8, to: *mut u8, _order: i32) {
    // SAFETY: the compiler's code passes objects of `size` bytes.
    unsafe { atomics::load(size, from, to, caller) }
}

unsafe extern "C" fn store(size: usize, to: *mut u8, from: *mut u8, _order: i32) {
    // SAFETY: the compiler's code passes objects of `size` bytes.
    unsafe { atomics::store(size, to, from, caller) }
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
    unsafe { atomics::compare_exchange(size, object, expected, desired, caller) }
}

omphalos_sys::entries! {
    /// `__atomic_load`: size, object, where the value goes, memory order.
    __kmpc___atomic_load_n => load;
    /// `__atomic_store`: size, object, value, memory order.
    __kmpc___atomic_store_n => store;
    /// `__atomic_compare_exchange`: size, object, expected, desired, weak, two memory orders.
    __kmpc___atomic_compare_exchange_n => compare_exchange;
}
