//! `__kmpc_atomic_fixed*`: integers of one to eight bytes.
//!
//! Operators are C's (the engine's `Integer`); a real result that does not fit is cut as a 64-bit
//! integer is.

use super::update::{access, add, both, captured, exchange, plain, read, update};
use crate::shared::location::Ident;
use omphalos_engine::atomics::Integer;

/// Addition of `$change`, for which the processor has an instruction.
macro_rules! sum {
    ($t:literal, $plain:literal, $capture:literal, $type:ty, |$v:ident| $change:expr) => {
        const _: () = {
            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_", $plain))]
            unsafe extern "C" fn plain(_: *const Ident, _: i32, place: *mut $type, $v: $type) {
                // SAFETY: the compiler's code passes a variable.
                unsafe { add(place, $change) };
            }

            #[unsafe(export_name = concat!("__kmpc_atomic_", $t, "_", $capture))]
            unsafe extern "C" fn capture(
                _: *const Ident,
                _: i32,
                place: *mut $type,
                $v: $type,
                flag: i32,
            ) -> $type {
                // SAFETY: the compiler's code passes a variable.
                let old = unsafe { add(place, $change) };
                captured((old, old.wrapping_add($change)), flag)
            }
        };
    };
}

macro_rules! signed {
    ($($t:literal, $type:ty;)*) => { $(
        sum!($t, "add", "add_cpt", $type, |v| v);
        sum!($t, "sub", "sub_cpt", $type, |v| v.wrapping_neg());
        both!($t, "mul", "mul_cpt", $type, $type, |x, v| x.wrapping_mul(v));
        both!($t, "div", "div_cpt", $type, $type, |x, v| x.divided_by(v));
        both!($t, "andb", "andb_cpt", $type, $type, |x, v| x & v);
        both!($t, "orb", "orb_cpt", $type, $type, |x, v| x | v);
        both!($t, "xor", "xor_cpt", $type, $type, |x, v| x ^ v);
        both!($t, "shl", "shl_cpt", $type, $type, |x, v| x.shifted_left(v));
        both!($t, "shr", "shr_cpt", $type, $type, |x, v| x.shifted_right(v));
        both!($t, "andl", "andl_cpt", $type, $type, |x, v| (x.truth() && v.truth()) as $type);
        both!($t, "orl", "orl_cpt", $type, $type, |x, v| (x.truth() || v.truth()) as $type);
        both!($t, "max", "max_cpt", $type, $type, |x, v| x.max(v));
        both!($t, "min", "min_cpt", $type, $type, |x, v| x.min(v));
        both!($t, "eqv", "eqv_cpt", $type, $type, |x, v| x ^ !v);
        both!($t, "neqv", "neqv_cpt", $type, $type, |x, v| x ^ v);
        both!($t, "sub_rev", "sub_cpt_rev", $type, $type, |x, v| v.wrapping_sub(x));
        both!($t, "div_rev", "div_cpt_rev", $type, $type, |x, v| v.divided_by(x));
        both!($t, "shl_rev", "shl_cpt_rev", $type, $type, |x, v| v.shifted_left(x));
        both!($t, "shr_rev", "shr_cpt_rev", $type, $type, |x, v| v.shifted_right(x));
        plain!($t, "mul_float8", $type, f64, |x, v| (x as f64 * v) as i64 as $type);
        plain!($t, "div_float8", $type, f64, |x, v| (x as f64 / v) as i64 as $type);
        access!($t, $type);
    )* };
}

macro_rules! unsigned {
    ($($t:literal, $type:ty;)*) => { $(
        both!($t, "div", "div_cpt", $type, $type, |x, v| x.divided_by(v));
        both!($t, "shr", "shr_cpt", $type, $type, |x, v| x.shifted_right(v));
        both!($t, "div_rev", "div_cpt_rev", $type, $type, |x, v| v.divided_by(x));
        both!($t, "shr_rev", "shr_cpt_rev", $type, $type, |x, v| v.shifted_right(x));
    )* };
}

signed! {
    "fixed1", i8;
    "fixed2", i16;
    "fixed4", i32;
    "fixed8", i64;
}

unsigned! {
    "fixed1u", u8;
    "fixed2u", u16;
    "fixed4u", u32;
    "fixed8u", u64;
}
