//! `__kmpc_atomic_cmplx4*` and `cmplx8*`: complex numbers of two `float`s or two `double`s.
//!
//! A `cmplx4` is one word of the processor; a `cmplx8` takes the lock.

use super::update::{captured, exchange, read, update, update_locked};
use crate::shared::location::Ident;
use omphalos_sys::complex::Complex;

/// The capturing forms of this type store their result instead of returning it.
macro_rules! small {
    ($plain:literal, $capture:literal, |$x:ident, $v:ident| $new:expr) => {
        const _: () = {
            #[unsafe(export_name = concat!("__kmpc_atomic_cmplx4_", $plain))]
            unsafe extern "C" fn plain(
                _: *const Ident,
                _: i32,
                place: *mut Complex<f32>,
                $v: Complex<f32>,
            ) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update(place, |$x| $new) };
            }

            #[unsafe(export_name = concat!("__kmpc_atomic_cmplx4_", $capture))]
            unsafe extern "C" fn capture(
                _: *const Ident,
                _: i32,
                place: *mut Complex<f32>,
                $v: Complex<f32>,
                out: *mut Complex<f32>,
                flag: i32,
            ) {
                // SAFETY: the compiler's code passes a variable, and where the result goes.
                unsafe { *out = captured(update(place, |$x| $new), flag) };
            }
        };
    };
}

macro_rules! small_with_wide {
    ($name:literal, |$x:ident, $v:ident| $new:expr) => {
        const _: () = {
            #[unsafe(export_name = concat!("__kmpc_atomic_cmplx4_", $name, "_cmplx8"))]
            unsafe extern "C" fn plain(
                _: *const Ident,
                _: i32,
                place: *mut Complex<f32>,
                $v: Complex<f64>,
            ) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update(place, |$x: Complex<f32>| $new.narrow()) };
            }
        };
    };
}

macro_rules! large {
    ($plain:literal, $capture:literal, |$x:ident, $v:ident| $new:expr) => {
        const _: () = {
            unsafe extern "C" fn plain(
                _: *const Ident,
                _: i32,
                place: *mut Complex<f64>,
                $v: Complex<f64>,
            ) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update_locked(place, |$x| $new) };
            }
    omphalos_sys::named_entry!(concat!("__kmpc_atomic_cmplx8_", $plain) => plain);
        };
        const _: () = {
            unsafe extern "C" fn capture(
                _: *const Ident,
                _: i32,
                place: *mut Complex<f64>,
                $v: Complex<f64>,
                flag: i32,
            ) -> Complex<f64> {
                // SAFETY: the compiler's code passes a variable.
                captured(unsafe { update_locked(place, |$x| $new) }, flag)
            }
    omphalos_sys::named_entry!(concat!("__kmpc_atomic_cmplx8_", $capture) => capture);
        };
    };
}

small!("add", "add_cpt", |x, v| x + v);
small!("sub", "sub_cpt", |x, v| x - v);
small!("mul", "mul_cpt", |x, v| x.product(v));
small!("div", "div_cpt", |x, v| x.quotient(v));
small!("sub_rev", "sub_cpt_rev", |x, v| v - x);
small!("div_rev", "div_cpt_rev", |x, v| v.quotient(x));
small_with_wide!("add", |x, v| (x.wide() + v));
small_with_wide!("sub", |x, v| (x.wide() - v));
small_with_wide!("mul", |x, v| x.wide().product(v));
small_with_wide!("div", |x, v| x.wide().quotient(v));
large!("add", "add_cpt", |x, v| x + v);
large!("sub", "sub_cpt", |x, v| x - v);
large!("mul", "mul_cpt", |x, v| x.product(v));
large!("div", "div_cpt", |x, v| x.quotient(v));
large!("sub_rev", "sub_cpt_rev", |x, v| v - x);
large!("div_rev", "div_cpt_rev", |x, v| v.quotient(x));

const _: () = {
    #[unsafe(export_name = "__kmpc_atomic_cmplx4_rd")]
    unsafe extern "C" fn rd(_: *const Ident, _: i32, place: *mut Complex<f32>) -> Complex<f32> {
        // SAFETY: the compiler's code passes a variable.
        unsafe { read(place) }
    }

    #[unsafe(export_name = "__kmpc_atomic_cmplx4_wr")]
    unsafe extern "C" fn wr(
        _: *const Ident,
        _: i32,
        place: *mut Complex<f32>,
        value: Complex<f32>,
    ) {
        // SAFETY: the compiler's code passes a variable.
        unsafe { exchange(place, value) };
    }

    #[unsafe(export_name = "__kmpc_atomic_cmplx4_swp")]
    unsafe extern "C" fn swp(
        _: *const Ident,
        _: i32,
        place: *mut Complex<f32>,
        value: Complex<f32>,
        out: *mut Complex<f32>,
    ) {
        // SAFETY: the compiler's code passes a variable, and where the result goes.
        unsafe { *out = exchange(place, value) };
    }
};

const _: () = {
    unsafe extern "C" fn rd(_: *const Ident, _: i32, place: *mut Complex<f64>) -> Complex<f64> {
        // SAFETY: the compiler's code passes a variable.
        unsafe { update_locked(place, |x| x) }.0
    }
    omphalos_sys::named_entry!("__kmpc_atomic_cmplx8_rd" => rd);
};

const _: () = {
    unsafe extern "C" fn swp(
        _: *const Ident,
        _: i32,
        place: *mut Complex<f64>,
        value: Complex<f64>,
    ) -> Complex<f64> {
        // SAFETY: the compiler's code passes a variable.
        unsafe { update_locked(place, |_| value) }.0
    }
    omphalos_sys::named_entry!("__kmpc_atomic_cmplx8_swp" => swp);
};

const _: () = {
    unsafe extern "C" fn wr(
        _: *const Ident,
        _: i32,
        place: *mut Complex<f64>,
        value: Complex<f64>,
    ) {
        // SAFETY: the compiler's code passes a variable.
        unsafe { update_locked(place, |_| value) };
    }
    omphalos_sys::named_entry!("__kmpc_atomic_cmplx8_wr" => wr);
};
