//! The words that the processor changes atomically, at any alignment.

use crate::place::Word;
use core::arch::asm;

macro_rules! word {
    ($type:ty, $class:ident, $accumulator:tt, $form:literal) => {
        impl Word for $type {
            #[inline(always)]
            unsafe fn peek(place: *const $type) -> $type {
                let value: $type;
                // SAFETY: the caller's promise.
                unsafe {
                    asm!(
                        concat!("mov {v", $form, "}, [{p}]"),
                        p = in(reg) place,
                        v = out($class) value,
                        options(nostack, preserves_flags),
                    );
                }
                value
            }

            #[inline(always)]
            unsafe fn compare_exchange(place: *mut $type, old: $type, new: $type) -> $type {
                let seen: $type;
                // SAFETY: the caller's promise.
                unsafe {
                    asm!(
                        concat!("lock cmpxchg [{p}], {n", $form, "}"),
                        p = in(reg) place,
                        n = in($class) new,
                        inout($accumulator) old => seen,
                        options(nostack),
                    );
                }
                seen
            }

            #[inline(always)]
            unsafe fn exchange(place: *mut $type, new: $type) -> $type {
                let seen: $type;
                // SAFETY: the caller's promise.
                unsafe {
                    asm!(
                        concat!("xchg [{p}], {v", $form, "}"),
                        p = in(reg) place,
                        v = inout($class) new => seen,
                        options(nostack, preserves_flags),
                    );
                }
                seen
            }

            #[inline(always)]
            unsafe fn fetch_add(place: *mut $type, value: $type) -> $type {
                let seen: $type;
                // SAFETY: the caller's promise.
                unsafe {
                    asm!(
                        concat!("lock xadd [{p}], {v", $form, "}"),
                        p = in(reg) place,
                        v = inout($class) value => seen,
                        options(nostack),
                    );
                }
                seen
            }
        }
    };
}

word!(u8, reg_byte, "al", "");
word!(u16, reg, "ax", ":x");
word!(u32, reg, "eax", ":e");
word!(u64, reg, "rax", ":r");
