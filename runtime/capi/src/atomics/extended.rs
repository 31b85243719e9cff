//! `__kmpc_atomic_float10*` and `cmplx10*`: `long double` and complex numbers of two of them.
//!
//! These numbers come on the stack and return in x87 registers; stubs of `sys` convert both ways.

use super::update::{captured, update_locked};
use crate::shared::location::Ident;
use omphalos_sys::x87::{self, Complex, Extended};

/// Both forms of an operation on `$type`; `$imaginary` as in
/// `omphalos_sys::named_entry_returning_extended`.
macro_rules! both {
    ($t:literal, $type:ty, $plain:literal, $capture:literal, |$x:ident, $v:ident| $new:expr
     $(, $imaginary:literal)?) => {
        const _: () = {
            unsafe extern "C" fn plain(
                _: *const Ident, _: i32, place: *mut $type, _: i32, $v: &$type,
            ) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update_locked(place, |x| { let $x = &x; $new }) };
            }
            omphalos_sys::named_entry_taking_extended!(
                concat!("__kmpc_atomic_", $t, "_", $plain) => plain
            );
        };
        const _: () = {
            unsafe extern "C" fn capture(
                _: *const Ident, _: i32, place: *mut $type, flag: i32, $v: &$type, out: &mut $type,
            ) {
                // SAFETY: the compiler's code passes a variable.
                *out = captured(unsafe { update_locked(place, |x| { let $x = &x; $new }) }, flag);
            }
            omphalos_sys::named_entry_returning_extended!(
                concat!("__kmpc_atomic_", $t, "_", $capture) => capture $(, $imaginary)?
            );
        };
    };
}

/// Reading, writing and exchanging.
macro_rules! access {
    ($type:ty, $rd:expr, $wr:expr, $swp:expr $(, $imaginary:literal)?) => {
        const _: () = {
            unsafe extern "C" fn rd(
                _: *const Ident, _: i32, place: *mut $type, _: i32, _: &$type, out: &mut $type,
            ) {
                // SAFETY: the compiler's code passes a variable.
                *out = unsafe { update_locked(place, |x| x) }.0;
            }
            omphalos_sys::named_entry_returning_extended!($rd => rd $(, $imaginary)?);
        };
        const _: () = {
            unsafe extern "C" fn wr(
                _: *const Ident, _: i32, place: *mut $type, _: i32, value: &$type,
            ) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update_locked(place, |_| *value) };
            }
            omphalos_sys::named_entry_taking_extended!($wr => wr);
        };
        const _: () = {
            unsafe extern "C" fn swp(
                _: *const Ident, _: i32, place: *mut $type, _: i32, value: &$type, out: &mut $type,
            ) {
                // SAFETY: the compiler's code passes a variable.
                *out = unsafe { update_locked(place, |_| *value) }.0;
            }
            omphalos_sys::named_entry_returning_extended!($swp => swp $(, $imaginary)?);
        };
    };
}

macro_rules! complex {
    ($plain:literal, $capture:literal, |$x:ident, $v:ident| $new:expr) => {
        both!("cmplx10", Complex, $plain, $capture, |$x, $v| $new, "fld tbyte ptr [rsp + 16]");
    };
}

both!("float10", Extended, "add", "add_cpt", |x, v| x87::add(x, v));
both!("float10", Extended, "sub", "sub_cpt", |x, v| x87::sub(x, v));
both!("float10", Extended, "mul", "mul_cpt", |x, v| x87::mul(x, v));
both!("float10", Extended, "div", "div_cpt", |x, v| x87::div(x, v));
both!("float10", Extended, "max", "max_cpt", |x, v| if x87::less(x, v) { *v } else { *x });
both!("float10", Extended, "min", "min_cpt", |x, v| if x87::less(v, x) { *v } else { *x });
both!("float10", Extended, "sub_rev", "sub_cpt_rev", |x, v| x87::sub(v, x));
both!("float10", Extended, "div_rev", "div_cpt_rev", |x, v| x87::div(v, x));
access!(
    Extended, "__kmpc_atomic_float10_rd", "__kmpc_atomic_float10_wr", "__kmpc_atomic_float10_swp"
);

complex!("add", "add_cpt", |x, v| x87::sum(x, v));
complex!("sub", "sub_cpt", |x, v| x87::difference(x, v));
complex!("mul", "mul_cpt", |x, v| x87::product(x, v));
complex!("div", "div_cpt", |x, v| x87::quotient(x, v));
complex!("sub_rev", "sub_cpt_rev", |x, v| x87::difference(v, x));
complex!("div_rev", "div_cpt_rev", |x, v| x87::quotient(v, x));
access!(
    Complex, "__kmpc_atomic_cmplx10_rd", "__kmpc_atomic_cmplx10_wr", "__kmpc_atomic_cmplx10_swp",
    "fld tbyte ptr [rsp + 16]"
);
