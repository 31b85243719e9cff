//! Complex numbers of two `float`s or two `double`s, with the arithmetic of the compiler's support
//! library: Rust has neither the type nor C's multiplication and division. For LLVM's atomics
//! (`runtime/capi/src/atomics`); numbers of two `long double`s are in `x87`.

use core::ops::{Add, Sub};

/// A complex number with C's layout, which is also passed and returned as C's is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Complex<T> {
    /// The real part.
    pub re: T,
    /// The imaginary part.
    pub im: T,
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
    /// Returns `self * by`, as C has it.
    pub fn product(self, by: Self) -> Self {
        __mulsc3(self.re, self.im, by.re, by.im)
    }
    /// Returns `self / by`, as C has it.
    pub fn quotient(self, by: Self) -> Self {
        __divsc3(self.re, self.im, by.re, by.im)
    }
    /// Returns the same number, exactly.
    pub fn wide(self) -> Complex<f64> {
        Complex { re: f64::from(self.re), im: f64::from(self.im) }
    }
}

impl Complex<f64> {
    /// Returns `self * by`, as C has it.
    pub fn product(self, by: Self) -> Self {
        __muldc3(self.re, self.im, by.re, by.im)
    }
    /// Returns `self / by`, as C has it.
    pub fn quotient(self, by: Self) -> Self {
        __divdc3(self.re, self.im, by.re, by.im)
    }
    /// Returns the nearest number.
    pub fn narrow(self) -> Complex<f32> {
        Complex { re: self.re as f32, im: self.im as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::Complex;

    #[test]
    fn products_and_quotients_are_those_of_c() {
        let (a, b) = (Complex { re: 1.0f32, im: 2.0 }, Complex { re: 3.0, im: -1.0 });
        assert_eq!(a.product(b), Complex { re: 5.0, im: 5.0 });
        assert_eq!(a.product(b).quotient(b), a);
        assert_eq!(a.wide().product(b.wide()).narrow(), a.product(b));
        assert_eq!(a.wide().product(b.wide()).quotient(b.wide()), a.wide());
        assert_eq!((a + b - a).wide(), b.wide());
    }
}
