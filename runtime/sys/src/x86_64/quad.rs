//! Arithmetic on 128-bit numbers (`__float128`), which the compiler's support library does in
//! software and Rust has no type for.

// `__m128i` is passed and returned as C's 128-bit types are.
#![allow(improper_ctypes_definitions)]

use super::x87::Quad;

/// A complex number of two, passed and returned in memory as C's is.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct QuadComplex {
    /// The real part.
    pub re: Quad,
    /// The imaginary part.
    pub im: Quad,
}

/// Functions of the library. They are declared without their types, because Rust does not declare
/// foreign functions with vector types, and called through pointers that have them.
macro_rules! library {
    ($($(#[$doc:meta])* $name:ident = $symbol:ident($($arg:ident: $type:ty),*)
       -> $result:ty;)*) => {
        unsafe extern "C" {
            $(fn $symbol();)*
        }
        $(
            $(#[$doc])*
            #[inline]
            pub fn $name($($arg: $type),*) -> $result {
                type Function = unsafe extern "C" fn($($type),*) -> $result;
                // SAFETY: the library's function has this signature and no requirements.
                unsafe {
                    core::mem::transmute::<*const (), Function>($symbol as *const ())($($arg),*)
                }
            }
        )*
    };
}

library! {
    /// `x + v`.
    add = __addtf3(x: Quad, v: Quad) -> Quad;
    /// `x - v`.
    sub = __subtf3(x: Quad, v: Quad) -> Quad;
    /// `x * v`.
    mul = __multf3(x: Quad, v: Quad) -> Quad;
    /// `x / v`.
    div = __divtf3(x: Quad, v: Quad) -> Quad;
    /// Returns a number below 0 if `x < v`, but not if one of them is no number.
    compare_less = __lttf2(x: Quad, v: Quad) -> i32;
    /// `(a + bi) * (c + di)`.
    complex_mul = __multc3(a: Quad, b: Quad, c: Quad, d: Quad) -> QuadComplex;
    /// `(a + bi) / (c + di)`.
    complex_div = __divtc3(a: Quad, b: Quad, c: Quad, d: Quad) -> QuadComplex;
    /// Converts exactly.
    from_i32 = __floatsitf(value: i32) -> Quad;
    /// Converts exactly.
    from_u32 = __floatunsitf(value: u32) -> Quad;
    /// Converts exactly.
    from_i64 = __floatditf(value: i64) -> Quad;
    /// Converts exactly.
    from_u64 = __floatunditf(value: u64) -> Quad;
    /// Converts exactly.
    from_f32 = __extendsftf2(value: f32) -> Quad;
    /// Converts exactly.
    from_f64 = __extenddftf2(value: f64) -> Quad;
    /// Rounds towards zero.
    to_i32 = __fixtfsi(value: Quad) -> i32;
    /// Rounds towards zero.
    to_u32 = __fixunstfsi(value: Quad) -> u32;
    /// Rounds towards zero.
    to_i64 = __fixtfdi(value: Quad) -> i64;
    /// Rounds towards zero.
    to_u64 = __fixunstfdi(value: Quad) -> u64;
    /// Rounds to the nearest value.
    to_f32 = __trunctfsf2(value: Quad) -> f32;
    /// Rounds to the nearest value.
    to_f64 = __trunctfdf2(value: Quad) -> f64;
}

/// `x < v`; false if one of them is no number.
pub fn less(x: Quad, v: Quad) -> bool {
    compare_less(x, v) < 0
}

/// `x + v`.
pub fn sum(x: QuadComplex, v: QuadComplex) -> QuadComplex {
    QuadComplex { re: add(x.re, v.re), im: add(x.im, v.im) }
}

/// `x - v`.
pub fn difference(x: QuadComplex, v: QuadComplex) -> QuadComplex {
    QuadComplex { re: sub(x.re, v.re), im: sub(x.im, v.im) }
}

/// `x * v`.
pub fn product(x: QuadComplex, v: QuadComplex) -> QuadComplex {
    complex_mul(x.re, x.im, v.re, v.im)
}

/// `x / v`.
pub fn quotient(x: QuadComplex, v: QuadComplex) -> QuadComplex {
    complex_div(x.re, x.im, v.re, v.im)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_and_operations() {
        let (seven, two) = (from_i32(7), from_f64(2.0));
        assert_eq!(to_f64(div(seven, two)), 3.5);
        assert_eq!(to_i64(sub(two, seven)), -5);
        assert_eq!(to_u32(mul(seven, two)), 14);
        assert_eq!(to_f32(add(from_f32(0.5), from_u64(1))), 1.5);
        assert!(compare_less(two, seven) < 0 && compare_less(seven, two) >= 0);
        let square = complex_mul(two, two, two, two);
        assert_eq!((to_f64(square.re), to_f64(square.im)), (0.0, 8.0));
    }
}
