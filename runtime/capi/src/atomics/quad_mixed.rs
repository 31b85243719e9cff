//! `__kmpc_atomic_<type>_<operation>_fp`: a variable of a smaller type and a 128-bit operand. The
//! operation is computed in 128 bits, and its result is converted back.

// `__m128i` is passed and returned as C's 128-bit types are.
#![allow(improper_ctypes_definitions)]

use super::update::{both, captured, update, update_locked};
use crate::shared::location::Ident;
use omphalos_sys::quad;
use omphalos_sys::x87::{Extended, Quad, from_quad, to_quad};

/// A type with conversions to and from 128 bits.
trait Narrow: Copy {
    fn widened(self) -> Quad;
    fn narrowed(value: Quad) -> Self;
}

macro_rules! narrow {
    ($($type:ty: $widen:ident as $from:ty, $narrow:ident;)*) => { $(
        impl Narrow for $type {
            fn widened(self) -> Quad {
                quad::$widen(self as $from)
            }
            fn narrowed(value: Quad) -> $type {
                quad::$narrow(value) as $type
            }
        }
    )* };
}

narrow! {
    i8: from_i32 as i32, to_i32;
    u8: from_i32 as i32, to_i32;
    i16: from_i32 as i32, to_i32;
    u16: from_i32 as i32, to_i32;
    i32: from_i32 as i32, to_i32;
    u32: from_u32 as u32, to_u32;
    i64: from_i64 as i64, to_i64;
    u64: from_u64 as u64, to_u64;
    f32: from_f32 as f32, to_f32;
    f64: from_f64 as f64, to_f64;
}

impl Narrow for Extended {
    fn widened(self) -> Quad {
        // SAFETY: references are valid.
        unsafe { to_quad(&self) }
    }
    fn narrowed(value: Quad) -> Extended {
        let mut result = Extended::ZERO;
        // SAFETY: references are valid.
        unsafe { from_quad(&mut result, value) };
        result
    }
}

/// Returns the result of `operation` on a number of another type, in 128 bits.
fn in_quad<T: Narrow>(x: T, operation: impl FnOnce(Quad) -> Quad) -> T {
    T::narrowed(operation(x.widened()))
}

macro_rules! operations {
    ($($t:literal, $type:ty;)*) => { $(
        both!($t, "add_fp", "add_cpt_fp", $type, Quad, |x, v| in_quad(x, |x| quad::add(x, v)));
        both!($t, "sub_fp", "sub_cpt_fp", $type, Quad, |x, v| in_quad(x, |x| quad::sub(x, v)));
        both!($t, "mul_fp", "mul_cpt_fp", $type, Quad, |x, v| in_quad(x, |x| quad::mul(x, v)));
        both!($t, "div_fp", "div_cpt_fp", $type, Quad, |x, v| in_quad(x, |x| quad::div(x, v)));
        both!($t, "sub_rev_fp", "sub_cpt_rev_fp", $type, Quad,
            |x, v| in_quad(x, |x| quad::sub(v, x)));
        both!($t, "div_rev_fp", "div_cpt_rev_fp", $type, Quad,
            |x, v| in_quad(x, |x| quad::div(v, x)));
    )* };
}

operations! {
    "fixed1", i8;
    "fixed1u", u8;
    "fixed2", i16;
    "fixed2u", u16;
    "fixed4", i32;
    "fixed4u", u32;
    "fixed8", i64;
    "fixed8u", u64;
    "float4", f32;
    "float8", f64;
}

/// The operand comes in a vector register, the captured value goes in an x87 register.
macro_rules! extended {
    ($plain:literal, $capture:literal, |$x:ident, $v:ident| $new:expr) => {
        const _: () = {
            unsafe extern "C" fn plain(_: *const Ident, _: i32, place: *mut Extended, $v: Quad) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { update_locked(place, |x| in_quad(x, |$x| $new)) };
            }
    omphalos_sys::named_entry!(concat!("__kmpc_atomic_float10_", $plain, "_fp") => plain);
        };
        const _: () = {
            unsafe extern "C" fn capture(
                _: *const Ident,
                _: i32,
                place: *mut Extended,
                flag: i32,
                _: usize,
                out: &mut Extended,
                $v: Quad,
            ) {
                // SAFETY: the compiler's code passes a variable.
                let both = unsafe { update_locked(place, |x| in_quad(x, |$x| $new)) };
                *out = captured(both, flag);
            }
            omphalos_sys::named_entry_returning_extended!(
                concat!("__kmpc_atomic_float10_", $capture, "_fp") => capture
            );
        };
    };
}

extended!("add", "add_cpt", |x, v| quad::add(x, v));
extended!("sub", "sub_cpt", |x, v| quad::sub(x, v));
extended!("mul", "mul_cpt", |x, v| quad::mul(x, v));
extended!("div", "div_cpt", |x, v| quad::div(x, v));
extended!("sub_rev", "sub_cpt_rev", |x, v| quad::sub(v, x));
extended!("div_rev", "div_cpt_rev", |x, v| quad::div(v, x));
