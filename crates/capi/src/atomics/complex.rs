//! `__kmpc_atomic_cmplx4*` and `cmplx8*`: complex numbers of two `float`s or two `double`s.
//!
//! The former are one word of the processor, the latter take the lock.

use super::stubs::stub;
use super::update::{Value, captured, exchange, read, update, update_locked};
use crate::shared::location::Ident;
use core::ops::{Add, Sub};

/// A complex number with C's layout, which is also passed and returned as C's is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Complex<T> {
    re: T,
    im: T,
}

impl<T: Add<Output = T>> Add for Complex<T> {
    type Output = Complex<T>;
    fn add(self, other: Self) -> Self {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

impl<T: Sub<Output = T>> Sub for Complex<T> {
    type Output = Complex<T>;
    fn sub(self, other: Self) -> Self {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

// C's multiplication and division, from the compiler's support library.
unsafe extern "C" {
    safe fn __mulsc3(a: f32, b: f32, c: f32, d: f32) -> Complex<f32>;
    safe fn __divsc3(a: f32, b: f32, c: f32, d: f32) -> Complex<f32>;
    safe fn __muldc3(a: f64, b: f64, c: f64, d: f64) -> Complex<f64>;
    safe fn __divdc3(a: f64, b: f64, c: f64, d: f64) -> Complex<f64>;
}

impl Complex<f32> {
    fn mul(self, by: Self) -> Self {
        __mulsc3(self.re, self.im, by.re, by.im)
    }
    fn div(self, by: Self) -> Self {
        __divsc3(self.re, self.im, by.re, by.im)
    }
    fn wide(self) -> Complex<f64> {
        Complex { re: f64::from(self.re), im: f64::from(self.im) }
    }
}

impl Complex<f64> {
    fn mul(self, by: Self) -> Self {
        __muldc3(self.re, self.im, by.re, by.im)
    }
    fn div(self, by: Self) -> Self {
        __divdc3(self.re, self.im, by.re, by.im)
    }
    fn narrow(self) -> Complex<f32> {
        Complex { re: self.re as f32, im: self.im as f32 }
    }
}

impl Value for Complex<f32> {
    type Word = u64;
    fn word(self) -> u64 {
        u64::from(self.re.to_bits()) | u64::from(self.im.to_bits()) << 32
    }
    fn value(word: u64) -> Self {
        Complex { re: f32::from_bits(word as u32), im: f32::from_bits((word >> 32) as u32) }
    }
}

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
    stub!(concat!("__kmpc_atomic_cmplx8_", $plain) => plain);
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
    stub!(concat!("__kmpc_atomic_cmplx8_", $capture) => capture);
        };
    };
}

small!("add", "add_cpt", |x, v| x + v);
small!("sub", "sub_cpt", |x, v| x - v);
small!("mul", "mul_cpt", |x, v| x.mul(v));
small!("div", "div_cpt", |x, v| x.div(v));
small!("sub_rev", "sub_cpt_rev", |x, v| v - x);
small!("div_rev", "div_cpt_rev", |x, v| v.div(x));
small_with_wide!("add", |x, v| (x.wide() + v));
small_with_wide!("sub", |x, v| (x.wide() - v));
small_with_wide!("mul", |x, v| x.wide().mul(v));
small_with_wide!("div", |x, v| x.wide().div(v));
large!("add", "add_cpt", |x, v| x + v);
large!("sub", "sub_cpt", |x, v| x - v);
large!("mul", "mul_cpt", |x, v| x.mul(v));
large!("div", "div_cpt", |x, v| x.div(v));
large!("sub_rev", "sub_cpt_rev", |x, v| v - x);
large!("div_rev", "div_cpt_rev", |x, v| v.div(x));

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
    stub!("__kmpc_atomic_cmplx8_rd" => rd);
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
    stub!("__kmpc_atomic_cmplx8_swp" => swp);
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
    stub!("__kmpc_atomic_cmplx8_wr" => wr);
};
