//! `__kmpc_atomic_float4*` and `float8*`: `float` and `double`.

use super::update::{access, both, captured, exchange, plain, read, update};
use crate::shared::location::Ident;

macro_rules! real {
    ($($t:literal, $type:ty;)*) => { $(
        both!($t, "add", "add_cpt", $type, $type, |x, v| x + v);
        both!($t, "sub", "sub_cpt", $type, $type, |x, v| x - v);
        both!($t, "mul", "mul_cpt", $type, $type, |x, v| x * v);
        both!($t, "div", "div_cpt", $type, $type, |x, v| x / v);
        both!($t, "max", "max_cpt", $type, $type, |x, v| if x < v { v } else { x });
        both!($t, "min", "min_cpt", $type, $type, |x, v| if x > v { v } else { x });
        both!($t, "sub_rev", "sub_cpt_rev", $type, $type, |x, v| v - x);
        both!($t, "div_rev", "div_cpt_rev", $type, $type, |x, v| v / x);
        access!($t, $type);
    )* };
}

real! {
    "float4", f32;
    "float8", f64;
}

plain!("float4", "add_float8", f32, f64, |x, v| (f64::from(x) + v) as f32);
plain!("float4", "sub_float8", f32, f64, |x, v| (f64::from(x) - v) as f32);
plain!("float4", "mul_float8", f32, f64, |x, v| (f64::from(x) * v) as f32);
plain!("float4", "div_float8", f32, f64, |x, v| (f64::from(x) / v) as f32);
