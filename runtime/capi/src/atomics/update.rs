//! The macros that define the functions of the interface: each calls one operation of the engine.

use omphalos_engine::{atomics, caller};

pub use omphalos_engine::atomics::{add, exchange, read, update};

/// As [`update`], under the lock of the variable's address. Called before anything else behind an
/// entry stub.
///
/// # Safety
/// `place` is a variable of the program, and `change` cannot unwind.
#[inline(always)]
pub unsafe fn update_locked<T: Copy>(place: *mut T, change: impl FnOnce(T) -> T) -> (T, T) {
    // SAFETY: the caller's promise.
    unsafe { atomics::update_locked(place, caller(), change) }
}

/// Returns the result of a capturing form: the new value if `flag` is not 0, else the old one.
#[inline(always)]
pub fn captured<T>((old, new): (T, T), flag: i32) -> T {
    if flag != 0 { new } else { old }
}

/// `__kmpc_atomic_<type>_<plain>` and `__kmpc_atomic_<type>_<capture>`, by the processor.
macro_rules! both {
    ($t:literal, $plain:literal, $capture:literal, $type:ty, $rhs:ty, |$x:ident,
        $v:ident| $new:expr) => {
        const _: () = {
            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_", $plain))]
            unsafe extern "C" fn plain(_: *const Ident, _: i32, place: *mut $type, $v: $rhs) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update::<$type>(place, |$x| $new) };
            }

            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_", $capture))]
            unsafe extern "C" fn capture(
                _: *const Ident,
                _: i32,
                place: *mut $type,
                $v: $rhs,
                flag: i32,
            ) -> $type {
                // SAFETY: the compiler's code passes a variable.
                captured(unsafe { update::<$type>(place, |$x| $new) }, flag)
            }
        };
    };
}

/// `__kmpc_atomic_<type>_rd`, `_wr` and `_swp`, by the processor.
macro_rules! access {
    ($t:literal, $type:ty) => {
        const _: () = {
            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_rd"))]
            unsafe extern "C" fn rd(_: *const Ident, _: i32, place: *mut $type) -> $type {
                // SAFETY: the compiler's code passes a variable.
                unsafe { read(place) }
            }

            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_wr"))]
            unsafe extern "C" fn wr(_: *const Ident, _: i32, place: *mut $type, value: $type) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { exchange(place, value) };
            }

            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_swp"))]
            unsafe extern "C" fn swp(
                _: *const Ident,
                _: i32,
                place: *mut $type,
                value: $type,
            ) -> $type {
                // SAFETY: the compiler's code passes a variable.
                unsafe { exchange(place, value) }
            }
        };
    };
}

/// `__kmpc_atomic_<type>_<operation>` without a capturing form, by the processor.
macro_rules! plain {
    ($t:literal, $name:literal, $type:ty, $rhs:ty, |$x:ident, $v:ident| $new:expr) => {
        const _: () = {
            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_", $name))]
            unsafe extern "C" fn plain(_: *const Ident, _: i32, place: *mut $type, $v: $rhs) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update::<$type>(place, |$x| $new) };
            }
        };
    };
}

/// As [`both!`], under a lock.
macro_rules! both_locked {
    ($t:literal, $plain:literal, $capture:literal, $type:ty, |$x:ident, $v:ident| $new:expr) => {
        const _: () = {
            unsafe extern "C" fn plain(_: *const Ident, _: i32, place: *mut $type, $v: $type) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update_locked(place, |$x| $new) };
            }
    omphalos_sys::named_entry!(concat!("__kmpc_atomic_", $t, "_", $plain) => plain);
        };
        const _: () = {
            unsafe extern "C" fn capture(
                _: *const Ident,
                _: i32,
                place: *mut $type,
                $v: $type,
                flag: i32,
            ) -> $type {
                // SAFETY: the compiler's code passes a variable.
                captured(unsafe { update_locked(place, |$x| $new) }, flag)
            }
    omphalos_sys::named_entry!(concat!("__kmpc_atomic_", $t, "_", $capture) => capture);
        };
    };
}

/// As [`access!`], under a lock.
macro_rules! access_locked {
    ($t:literal, $type:ty) => {
        const _: () = {
            unsafe extern "C" fn rd(_: *const Ident, _: i32, place: *mut $type) -> $type {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update_locked(place, |x| x) }.0
            }
    omphalos_sys::named_entry!(concat!("__kmpc_atomic_", $t, "_rd") => rd);
        };
        const _: () = {
            unsafe extern "C" fn wr(_: *const Ident, _: i32, place: *mut $type, value: $type) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update_locked(place, |_| value) };
            }
    omphalos_sys::named_entry!(concat!("__kmpc_atomic_", $t, "_wr") => wr);
        };
        const _: () = {
            unsafe extern "C" fn swp(
                _: *const Ident,
                _: i32,
                place: *mut $type,
                value: $type,
            ) -> $type {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update_locked(place, |_| value) }.0
            }
    omphalos_sys::named_entry!(concat!("__kmpc_atomic_", $t, "_swp") => swp);
        };
    };
}

pub(super) use {access, access_locked, both, both_locked, plain};
