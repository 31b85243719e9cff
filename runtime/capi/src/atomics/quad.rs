//! `__kmpc_atomic_float16*` and `cmplx16*`: 128-bit numbers (`__float128`, Intel's `_Quad`) and
//! complex numbers of two of them, with the arithmetic of the compiler's support library.

// `__m128i` is passed and returned as C's 128-bit types are.
#![allow(improper_ctypes_definitions)]

use super::update::{access_locked, both_locked, captured, update_locked};
use crate::shared::location::Ident;
use omphalos_sys::quad::{self, QuadComplex as Complex};
use omphalos_sys::x87::Quad;

both_locked!("float16", "add", "add_cpt", Quad, |x, v| quad::add(x, v));
both_locked!("float16", "sub", "sub_cpt", Quad, |x, v| quad::sub(x, v));
both_locked!("float16", "mul", "mul_cpt", Quad, |x, v| quad::mul(x, v));
both_locked!("float16", "div", "div_cpt", Quad, |x, v| quad::div(x, v));
both_locked!("float16", "max", "max_cpt", Quad, |x, v| if quad::less(x, v) { v } else { x });
both_locked!("float16", "min", "min_cpt", Quad, |x, v| if quad::less(v, x) { v } else { x });
both_locked!("float16", "sub_rev", "sub_cpt_rev", Quad, |x, v| quad::sub(v, x));
both_locked!("float16", "div_rev", "div_cpt_rev", Quad, |x, v| quad::div(v, x));
access_locked!("float16", Quad);

both_locked!("cmplx16", "add", "add_cpt", Complex, |x, v| quad::sum(x, v));
both_locked!("cmplx16", "sub", "sub_cpt", Complex, |x, v| quad::difference(x, v));
both_locked!("cmplx16", "mul", "mul_cpt", Complex, |x, v| quad::product(x, v));
both_locked!("cmplx16", "div", "div_cpt", Complex, |x, v| quad::quotient(x, v));
both_locked!("cmplx16", "sub_rev", "sub_cpt_rev", Complex, |x, v| quad::difference(v, x));
both_locked!("cmplx16", "div_rev", "div_cpt_rev", Complex, |x, v| quad::quotient(v, x));
access_locked!("cmplx16", Complex);
