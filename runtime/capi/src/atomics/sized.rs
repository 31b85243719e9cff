//! `__kmpc_atomic_<bytes>`: an operation that the program passes, on a variable of that many bytes.
//! `__kmpc_atomic_bool_*_cas`, `__kmpc_atomic_val_*_cas`: compare and exchange.

use super::update::{update, update_locked};
use crate::shared::location::Ident;
use core::ffi::c_void;
use omphalos_sys::place::Word;

/// Stores the result of the operation on the second and third argument at the first.
type Operation = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void);

macro_rules! word {
    ($($name:literal, $type:ty;)*) => { $( const _: () = {
        #[unsafe(export_name = $name)]
        unsafe extern "C" fn with_operation(
            _: *const Ident, _: i32, place: *mut $type, operand: *mut c_void, operation: Operation,
        ) {
            // SAFETY: the compiler's code passes a variable and its operation on such variables.
            unsafe {
                update(place, |old| {
                    let (mut old, mut new) = (old, 0);
                    operation((&raw mut new).cast(), (&raw mut old).cast(), operand);
                    new
                })
            };
        }
    }; )* };
}

word! {
    "__kmpc_atomic_1", u8;
    "__kmpc_atomic_2", u16;
    "__kmpc_atomic_4", u32;
    "__kmpc_atomic_8", u64;
}

/// A variable's bytes.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Bytes<const N: usize>([u8; N]);

macro_rules! bytes {
    ($($name:literal, $count:literal;)*) => { $( const _: () = {
        unsafe extern "C" fn update(
            _: *const Ident, _: i32, place: *mut [u8; $count], operand: *mut c_void,
            operation: Operation,
        ) {
            // SAFETY: the compiler's code passes a variable and its operation on such variables.
            unsafe {
                update_locked(place, |old| {
                    let mut old = Bytes(old);
                    let mut new = old;
                    operation((&raw mut new).cast(), (&raw mut old).cast(), operand);
                    new.0
                })
            };
        }
        omphalos_sys::named_entry!($name => update);
    }; )* };
}

bytes! {
    "__kmpc_atomic_10", 10;
    "__kmpc_atomic_16", 16;
    "__kmpc_atomic_20", 20;
    "__kmpc_atomic_32", 32;
}

macro_rules! compare {
    ($($bytes:literal, $type:ty;)*) => { $( const _: () = {
        #[unsafe(export_name = concat!("__kmpc_atomic_bool_", $bytes, "_cas"))]
        unsafe extern "C" fn succeeded(
            _: *const Ident, _: i32, place: *mut $type, expected: $type, new: $type,
        ) -> bool {
            // SAFETY: the compiler's code passes a variable.
            unsafe { <$type>::compare_exchange(place, expected, new) == expected }
        }

        #[unsafe(export_name = concat!("__kmpc_atomic_val_", $bytes, "_cas"))]
        unsafe extern "C" fn old(
            _: *const Ident, _: i32, place: *mut $type, expected: $type, new: $type,
        ) -> $type {
            // SAFETY: the compiler's code passes a variable.
            unsafe { <$type>::compare_exchange(place, expected, new) }
        }

        /// If the exchange failed, the variable's value is stored at `seen`.
        #[unsafe(export_name = concat!("__kmpc_atomic_bool_", $bytes, "_cas_cpt"))]
        unsafe extern "C" fn succeeded_or_seen(
            _: *const Ident, _: i32, place: *mut $type, expected: $type, new: $type,
            seen: *mut $type,
        ) -> bool {
            // SAFETY: the compiler's code passes a variable, and where to store.
            unsafe {
                let old = <$type>::compare_exchange(place, expected, new);
                if old != expected {
                    *seen = old;
                }
                old == expected
            }
        }

        /// The variable's value afterwards is stored at `seen`.
        #[unsafe(export_name = concat!("__kmpc_atomic_val_", $bytes, "_cas_cpt"))]
        unsafe extern "C" fn old_and_seen(
            _: *const Ident, _: i32, place: *mut $type, expected: $type, new: $type,
            seen: *mut $type,
        ) -> $type {
            // SAFETY: the compiler's code passes a variable, and where to store.
            unsafe {
                let old = <$type>::compare_exchange(place, expected, new);
                *seen = if old == expected { new } else { old };
                old
            }
        }
    }; )* };
}

compare! {
    "1", u8;
    "2", u16;
    "4", u32;
    "8", u64;
}
