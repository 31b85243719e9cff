//! The types of variables that the processor changes atomically, and C's operators on integers.

use omphalos_sys::complex::Complex;
use omphalos_sys::place::Word;

/// A type that fits a word of the processor.
pub trait Value: Copy {
    /// The word.
    type Word: Word;
    /// Returns the value's bits.
    fn word(self) -> Self::Word;
    /// Returns the value of these bits.
    fn value(word: Self::Word) -> Self;
}

macro_rules! integers {
    ($($type:ty: $word:ty;)*) => { $(
        impl Value for $type {
            type Word = $word;
            #[inline(always)]
            fn word(self) -> $word {
                self as $word
            }
            #[inline(always)]
            fn value(word: $word) -> $type {
                word as $type
            }
        }
    )* };
}

integers! {
    i8: u8;
    u8: u8;
    i16: u16;
    u16: u16;
    i32: u32;
    u32: u32;
    i64: u64;
    u64: u64;
}

macro_rules! reals {
    ($($type:ty: $word:ty;)*) => { $(
        impl Value for $type {
            type Word = $word;
            #[inline(always)]
            fn word(self) -> $word {
                self.to_bits()
            }
            #[inline(always)]
            fn value(word: $word) -> $type {
                <$type>::from_bits(word)
            }
        }
    )* };
}

reals! {
    f32: u32;
    f64: u64;
}

impl Value for Complex<f32> {
    type Word = u64;
    #[inline(always)]
    fn word(self) -> u64 {
        u64::from(self.re.to_bits()) | u64::from(self.im.to_bits()) << 32
    }
    #[inline(always)]
    fn value(word: u64) -> Self {
        Complex { re: f32::from_bits(word as u32), im: f32::from_bits((word >> 32) as u32) }
    }
}

/// C's operators where Rust's differ.
///
/// Arithmetic wraps around; shift counts are taken as the processor takes them, after C's promotion
/// to `int`. A division by zero is the program's error and ends it with SIGFPE, as in C.
pub trait Integer: Copy {
    /// `self / by`.
    fn divided_by(self, by: Self) -> Self;
    /// `self << by`.
    fn shifted_left(self, by: Self) -> Self;
    /// `self >> by`.
    fn shifted_right(self, by: Self) -> Self;
    /// `self != 0`.
    fn truth(self) -> bool;
}

macro_rules! operators {
    ($($type:ty, $promoted:ty;)*) => { $(
        impl Integer for $type {
            #[inline]
            fn divided_by(self, by: $type) -> $type {
                if by == 0 {
                    omphalos_sys::process::raise_arithmetic_error();
                    return 0;
                }
                self.wrapping_div(by)
            }
            #[inline]
            fn shifted_left(self, by: $type) -> $type {
                (self as $promoted).wrapping_shl(by as u32) as $type
            }
            #[inline]
            fn shifted_right(self, by: $type) -> $type {
                (self as $promoted).wrapping_shr(by as u32) as $type
            }
            #[inline]
            fn truth(self) -> bool {
                self != 0
            }
        }
    )* };
}

operators! {
    i8, i32;
    u8, i32;
    i16, i32;
    u16, i32;
    i32, i32;
    u32, u32;
    i64, i64;
    u64, u64;
}
