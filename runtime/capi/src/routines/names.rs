//! Macros that define a routine under its C and Fortran names.

use omphalos_engine::Thread;
use omphalos_engine::process::before_a_routine;

/// Queries without arguments: `C_name, Fortran_name_ -> type = expression;`
macro_rules! queries {
    ($($(#[$doc:meta])* $c:ident, $f:ident -> $type:ty = $value:expr;)*) => { $(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $c() -> $type {
            $value
        }

        /// The Fortran name.
        #[unsafe(no_mangle)]
        pub extern "C" fn $f() -> $type {
            $value
        }
    )* };
}

/// Routines with one integer or logical argument: `C_name, Fortran_name_, Fortran_name_8_ =>
/// function;` where the function takes an `i32`.
macro_rules! with_integer {
    ($($(#[$doc:meta])* $c:ident, $f:ident, $f8:ident => $target:path $(, $type:ty)?;)*) => { $(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $c(value: i32) $(-> $type)? {
            $target(value)
        }

        /// The Fortran name.
        ///
        /// # Safety
        /// The argument must be valid for reads.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $f(value: *const i32) $(-> $type)? {
            // SAFETY: the caller's promise.
            $target(unsafe { value.read() })
        }

        /// The Fortran name for 8-byte arguments; values beyond 4 bytes become the nearest.
        ///
        /// # Safety
        /// The argument must be valid for reads.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $f8(value: *const i64) $(-> $type)? {
            // SAFETY: the caller's promise.
            $target($crate::routines::names::narrow(unsafe { value.read() }))
        }
    )* };
}

pub(crate) use {queries, with_integer};

/// Called first in a routine that needs nothing of the runtime ([`before_a_routine`]).
#[inline(always)]
pub(crate) fn meet_first() {
    if Thread::known().is_none() {
        before_a_routine();
    }
}

/// Returns the nearest 4-byte value.
pub(crate) fn narrow(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
