//! `__kmpc_atomic_cmplx4*` and `cmplx8*`: complex numbers of two `float`s or two `double`s.
//!
//! A `cmplx4` is one word of the processor; a `cmplx8` takes the lock.

use super::update::{
    access_locked, both_locked, captured, exchange, plain, read, update, update_locked,
};
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

small!("add", "add_cpt", |x, v| x + v);
small!("sub", "sub_cpt", |x, v| x - v);
small!("mul", "mul_cpt", |x, v| x.product(v));
small!("div", "div_cpt", |x, v| x.quotient(v));
small!("sub_rev", "sub_cpt_rev", |x, v| v - x);
small!("div_rev", "div_cpt_rev", |x, v| v.quotient(x));
plain!("cmplx4", "add_cmplx8", Complex<f32>, Complex<f64>, |x, v| (x.wide() + v).narrow());
plain!("cmplx4", "sub_cmplx8", Complex<f32>, Complex<f64>, |x, v| (x.wide() - v).narrow());
plain!("cmplx4", "mul_cmplx8", Complex<f32>, Complex<f64>, |x, v| x.wide().product(v).narrow());
plain!("cmplx4", "div_cmplx8", Complex<f32>, Complex<f64>, |x, v| x.wide().quotient(v).narrow());
both_locked!("cmplx8", "add", "add_cpt", Complex<f64>, |x, v| x + v);
both_locked!("cmplx8", "sub", "sub_cpt", Complex<f64>, |x, v| x - v);
both_locked!("cmplx8", "mul", "mul_cpt", Complex<f64>, |x, v| x.product(v));
both_locked!("cmplx8", "div", "div_cpt", Complex<f64>, |x, v| x.quotient(v));
both_locked!("cmplx8", "sub_rev", "sub_cpt_rev", Complex<f64>, |x, v| v - x);
both_locked!("cmplx8", "div_rev", "div_cpt_rev", Complex<f64>, |x, v| v.quotient(x));

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

access_locked!("cmplx8", Complex<f64>);
