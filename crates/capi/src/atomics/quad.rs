//! `__kmpc_atomic_float16*` and `cmplx16*`: 128-bit numbers (`__float128`, Intel's `_Quad`) and complex
//! numbers of two of them, with the arithmetic of the compiler's support library.

// `__m128i` is passed and returned as C's 128-bit types are.
#![allow(improper_ctypes_definitions)]

use super::stubs::stub;
use super::update::{captured, update_locked};
use crate::shared::location::Ident;
use omphalos_sys::quad::{self, QuadComplex as Complex};
use omphalos_sys::x87::Quad;

/// `x < v`; false if one of them is no number.
fn less(x: Quad, v: Quad) -> bool {
    quad::compare_less(x, v) < 0
}

fn sum(x: Complex, v: Complex) -> Complex {
    Complex { re: quad::add(x.re, v.re), im: quad::add(x.im, v.im) }
}

fn difference(x: Complex, v: Complex) -> Complex {
    Complex { re: quad::sub(x.re, v.re), im: quad::sub(x.im, v.im) }
}

fn product(x: Complex, v: Complex) -> Complex {
    quad::complex_mul(x.re, x.im, v.re, v.im)
}

fn quotient(x: Complex, v: Complex) -> Complex {
    quad::complex_div(x.re, x.im, v.re, v.im)
}

macro_rules! both {
    ($t:literal, $type:ty, $plain:literal, $capture:literal, |$x:ident, $v:ident| $new:expr) => {
        const _: () = {
            unsafe extern "C" fn plain(_: *const Ident, _: i32, place: *mut $type, $v: $type) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update_locked(place, |$x| $new) };
            }
    stub!(concat!("__kmpc_atomic_", $t, "_", $plain) => plain);
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
    stub!(concat!("__kmpc_atomic_", $t, "_", $capture) => capture);
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
    stub!(concat!("__kmpc_atomic_", $t, "_rd") => rd);
        };
        const _: () = {
            unsafe extern "C" fn wr(_: *const Ident, _: i32, place: *mut $type, value: $type) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update_locked(place, |_| value) };
            }
    stub!(concat!("__kmpc_atomic_", $t, "_wr") => wr);
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
    stub!(concat!("__kmpc_atomic_", $t, "_swp") => swp);
        };
    };
}

both!("float16", Quad, "add", "add_cpt", |x, v| quad::add(x, v));
both!("float16", Quad, "sub", "sub_cpt", |x, v| quad::sub(x, v));
both!("float16", Quad, "mul", "mul_cpt", |x, v| quad::mul(x, v));
both!("float16", Quad, "div", "div_cpt", |x, v| quad::div(x, v));
both!("float16", Quad, "max", "max_cpt", |x, v| if less(x, v) { v } else { x });
both!("float16", Quad, "min", "min_cpt", |x, v| if less(v, x) { v } else { x });
both!("float16", Quad, "sub_rev", "sub_cpt_rev", |x, v| quad::sub(v, x));
both!("float16", Quad, "div_rev", "div_cpt_rev", |x, v| quad::div(v, x));
access!("float16", Quad);

both!("cmplx16", Complex, "add", "add_cpt", |x, v| sum(x, v));
both!("cmplx16", Complex, "sub", "sub_cpt", |x, v| difference(x, v));
both!("cmplx16", Complex, "mul", "mul_cpt", |x, v| product(x, v));
both!("cmplx16", Complex, "div", "div_cpt", |x, v| quotient(x, v));
both!("cmplx16", Complex, "sub_rev", "sub_cpt_rev", |x, v| difference(v, x));
both!("cmplx16", Complex, "div_rev", "div_cpt_rev", |x, v| quotient(v, x));
access!("cmplx16", Complex);
