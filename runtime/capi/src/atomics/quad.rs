//! `__kmpc_atomic_float16*` and `cmplx16*`: 128-bit numbers (`__float128`, Intel's `_Quad`) and
//! complex numbers of two of them, with the arithmetic of the compiler's support library.

// `__m128i` is passed and returned as C's 128-bit types are.
#![allow(improper_ctypes_definitions)]

use super::update::{captured, update_locked};
use crate::shared::location::Ident;
use omphalos_sys::quad::{self, QuadComplex as Complex};
use omphalos_sys::x87::Quad;

macro_rules! both {
    ($t:literal, $type:ty, $plain:literal, $capture:literal, |$x:ident, $v:ident| $new:expr) => {
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

macro_rules! access {
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

both!("float16", Quad, "add", "add_cpt", |x, v| quad::add(x, v));
both!("float16", Quad, "sub", "sub_cpt", |x, v| quad::sub(x, v));
both!("float16", Quad, "mul", "mul_cpt", |x, v| quad::mul(x, v));
both!("float16", Quad, "div", "div_cpt", |x, v| quad::div(x, v));
both!("float16", Quad, "max", "max_cpt", |x, v| if quad::less(x, v) { v } else { x });
both!("float16", Quad, "min", "min_cpt", |x, v| if quad::less(v, x) { v } else { x });
both!("float16", Quad, "sub_rev", "sub_cpt_rev", |x, v| quad::sub(v, x));
both!("float16", Quad, "div_rev", "div_cpt_rev", |x, v| quad::div(v, x));
access!("float16", Quad);

both!("cmplx16", Complex, "add", "add_cpt", |x, v| quad::sum(x, v));
both!("cmplx16", Complex, "sub", "sub_cpt", |x, v| quad::difference(x, v));
both!("cmplx16", Complex, "mul", "mul_cpt", |x, v| quad::product(x, v));
both!("cmplx16", Complex, "div", "div_cpt", |x, v| quad::quotient(x, v));
both!("cmplx16", Complex, "sub_rev", "sub_cpt_rev", |x, v| quad::difference(v, x));
both!("cmplx16", Complex, "div_rev", "div_cpt_rev", |x, v| quad::quotient(v, x));
access!("cmplx16", Complex);
