//! Arithmetic on `long double`, the 80-bit numbers of the x87 unit, which Rust has no type for.
//!
//! For LLVM's atomics on such numbers (`runtime/capi/src/atomics/extended.rs`). Only the ten bytes
//! of a number are written, never the six behind them.

// `__m128i` is passed and returned as C's 128-bit types are.
#![allow(improper_ctypes, improper_ctypes_definitions)]

use core::arch::{asm, naked_asm};

/// A `long double` in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Extended(pub [u8; 16]);

impl Extended {
    /// Zero.
    pub const ZERO: Extended = Extended([0; 16]);
}

/// A `long double _Complex` in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Complex {
    /// The real part.
    pub re: Extended,
    /// The imaginary part.
    pub im: Extended,
}

macro_rules! operation {
    ($($(#[$doc:meta])* $name:ident: $instruction:literal;)*) => { $(
        $(#[$doc])*
        pub fn $name(left: &Extended, right: &Extended) -> Extended {
            let mut result = Extended::ZERO;
            // SAFETY: the operands are valid; the x87 stack is as before afterwards.
            unsafe {
                asm!(
                    "fld tbyte ptr [{left}]",
                    "fld tbyte ptr [{right}]",
                    $instruction,
                    "fstp tbyte ptr [{result}]",
                    left = in(reg) left,
                    right = in(reg) right,
                    result = in(reg) &mut result,
                    out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                    out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                    options(nostack),
                );
            }
            result
        }
    )* };
}

operation! {
    /// `left + right`.
    add: "faddp st(1), st";
    /// `left - right`.
    sub: "fsubp st(1), st";
    /// `left * right`.
    mul: "fmulp st(1), st";
    /// `left / right`.
    div: "fdivp st(1), st";
}

/// `left < right`; false if one of them is no number.
pub fn less(left: &Extended, right: &Extended) -> bool {
    let above: u8;
    // SAFETY: the operands are valid; the x87 stack is as before afterwards.
    unsafe {
        asm!(
            "fld tbyte ptr [{left}]",
            "fld tbyte ptr [{right}]",
            "fcomip st, st(1)",
            "seta {above}",
            "fstp st(0)",
            left = in(reg) left,
            right = in(reg) right,
            above = out(reg_byte) above,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            options(nostack),
        );
    }
    above != 0
}

unsafe extern "C" {
    fn __mulxc3();
    fn __divxc3();
    fn __extendxftf2();
    fn __trunctfxf2();
}

/// Passes the four parts of two complex numbers on the stack, as C does, and stores the two
/// results.
macro_rules! complex_operation {
    ($($(#[$doc:meta])* $name:ident: $function:ident;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// The pointers are valid; `result` may be one of the operands.
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name(
            result: *mut Complex,
            left: *const Complex,
            right: *const Complex,
        ) {
            naked_asm!(
                ".cfi_startproc",
                "sub rsp, 88",
                ".cfi_def_cfa_offset 96",
                "mov qword ptr [rsp + 72], rdi",
                "fld tbyte ptr [rsi]",
                "fstp tbyte ptr [rsp]",
                "fld tbyte ptr [rsi + 16]",
                "fstp tbyte ptr [rsp + 16]",
                "fld tbyte ptr [rdx]",
                "fstp tbyte ptr [rsp + 32]",
                "fld tbyte ptr [rdx + 16]",
                "fstp tbyte ptr [rsp + 48]",
                "call {function}@PLT",
                "mov rdi, qword ptr [rsp + 72]",
                "fstp tbyte ptr [rdi]",
                "fstp tbyte ptr [rdi + 16]",
                "add rsp, 88",
                ".cfi_def_cfa_offset 8",
                "ret",
                ".cfi_endproc",
                function = sym $function,
            )
        }
    )* };
}

complex_operation! {
    /// `*result = *left * *right`, as C multiplies (with infinities).
    complex_mul: __mulxc3;
    /// `*result = *left / *right`, as C divides.
    complex_div: __divxc3;
}

/// A 128-bit number (`__float128`), as its register holds it.
pub type Quad = core::arch::x86_64::__m128i;

/// Returns the 128-bit number nearest to `*from`, in a register as C returns it.
///
/// # Safety
/// `from` is valid.
#[unsafe(naked)]
pub unsafe extern "C" fn to_quad(from: *const Extended) -> Quad {
    naked_asm!(
        ".cfi_startproc",
        "sub rsp, 24",
        ".cfi_def_cfa_offset 32",
        "fld tbyte ptr [rdi]",
        "fstp tbyte ptr [rsp]",
        "call {function}@PLT",
        "add rsp, 24",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_endproc",
        function = sym __extendxftf2,
    )
}

/// Stores the number nearest to `value` at `to`.
///
/// # Safety
/// `to` is valid.
#[unsafe(naked)]
pub unsafe extern "C" fn from_quad(to: *mut Extended, value: Quad) {
    naked_asm!(
        ".cfi_startproc",
        "push rdi",
        ".cfi_def_cfa_offset 16",
        "call {function}@PLT",
        "pop rdi",
        ".cfi_def_cfa_offset 8",
        "fstp tbyte ptr [rdi]",
        "ret",
        ".cfi_endproc",
        function = sym __trunctfxf2,
    )
}

/// `x + v`.
pub fn sum(x: &Complex, v: &Complex) -> Complex {
    Complex { re: add(&x.re, &v.re), im: add(&x.im, &v.im) }
}

/// `x - v`.
pub fn difference(x: &Complex, v: &Complex) -> Complex {
    Complex { re: sub(&x.re, &v.re), im: sub(&x.im, &v.im) }
}

/// `x * v`.
pub fn product(x: &Complex, v: &Complex) -> Complex {
    let mut result = *x;
    // SAFETY: references are valid.
    unsafe { complex_mul(&mut result, x, v) };
    result
}

/// `x / v`.
pub fn quotient(x: &Complex, v: &Complex) -> Complex {
    let mut result = *x;
    // SAFETY: references are valid.
    unsafe { complex_div(&mut result, x, v) };
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64) -> Extended {
        let mut result = Extended::ZERO;
        // SAFETY: the operands are valid.
        unsafe {
            asm!(
                "fld qword ptr [{v}]",
                "fstp tbyte ptr [{r}]",
                v = in(reg) &value,
                r = in(reg) &mut result,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        result
    }

    fn value(number: &Extended) -> f64 {
        let mut result = 0.0f64;
        // SAFETY: the operands are valid.
        unsafe {
            asm!(
                "fld tbyte ptr [{n}]",
                "fstp qword ptr [{r}]",
                n = in(reg) number,
                r = in(reg) &mut result,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        result
    }

    #[test]
    fn the_four_operations_and_the_order() {
        let (seven, two) = (number(7.0), number(2.0));
        assert_eq!(value(&add(&seven, &two)), 9.0);
        assert_eq!(value(&sub(&seven, &two)), 5.0);
        assert_eq!(value(&mul(&seven, &two)), 14.0);
        assert_eq!(value(&div(&seven, &two)), 3.5);
        assert!(less(&two, &seven) && !less(&seven, &two) && !less(&two, &two));
        let none = number(f64::NAN);
        assert!(!less(&none, &two) && !less(&two, &none));
    }

    #[test]
    fn complex_numbers_multiply_and_divide() {
        let left = Complex { re: number(1.0), im: number(2.0) };
        let right = Complex { re: number(3.0), im: number(-1.0) };
        let mut result = left;
        // SAFETY: the operands are valid.
        unsafe { complex_mul(&mut result, &left, &right) };
        assert_eq!((value(&result.re), value(&result.im)), (5.0, 5.0));
        let dividend = result;
        // SAFETY: as above.
        unsafe { complex_div(&mut result, &dividend, &right) };
        assert_eq!((value(&result.re), value(&result.im)), (1.0, 2.0));
    }

    #[test]
    fn quad_numbers_come_and_go() {
        let mut back = Extended::ZERO;
        // SAFETY: the operands are valid.
        unsafe { from_quad(&mut back, to_quad(&number(-1.25))) };
        assert_eq!(value(&back), -1.25);
    }
}
