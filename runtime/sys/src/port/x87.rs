//! `long double` is another type elsewhere: the functions with x87 in their names have no
//! counterpart.

use super::missing;

/// See `x86_64/x87.rs`.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Extended(pub [u8; 16]);

impl Extended {
    /// Zero.
    pub const ZERO: Extended = Extended([0; 16]);
}

/// See `x86_64/x87.rs`.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Complex {
    pub re: Extended,
    pub im: Extended,
}

/// A 128-bit number.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Quad(pub [u8; 16]);

macro_rules! operations {
    ($($name:ident($type:ty) -> $result:ty;)*) => { $(
        /// See `x86_64/x87.rs`.
        pub fn $name(_x: &$type, _v: &$type) -> $result {
            missing()
        }
    )* };
}

operations! {
    add(Extended) -> Extended;
    sub(Extended) -> Extended;
    mul(Extended) -> Extended;
    div(Extended) -> Extended;
    less(Extended) -> bool;
    sum(Complex) -> Complex;
    difference(Complex) -> Complex;
    product(Complex) -> Complex;
    quotient(Complex) -> Complex;
}

/// # Safety
/// See `x86_64/x87.rs`.
pub unsafe extern "C" fn to_quad(_from: *const Extended) -> Quad {
    missing()
}

/// # Safety
/// See `x86_64/x87.rs`.
pub unsafe extern "C" fn from_quad(_to: *mut Extended, _value: Quad) {
    missing()
}
