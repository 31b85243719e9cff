//! OMPT, OpenMP 5.0 to 6.0: the union of their types, numbers and signatures.
//!
//! The numbers are those of `omp-tools.h` 6.0; an enumerator that 6.0 dropped keeps the number it
//! had. The older generations (2013, 2016) number the same things differently and are not this.
#![allow(non_camel_case_types, non_upper_case_globals)]

mod callbacks;
mod data;
mod entry_points;
mod enums;
mod quiet;
mod records;
mod sums;
mod trace;

pub use callbacks::*;
pub use data::*;
pub use entry_points::*;
pub use enums::*;
pub use quiet::*;
pub use records::*;
pub use sums::*;
pub use trace::*;

/// The name of the function that a tool defines.
pub const START_TOOL: &core::ffi::CStr = c"ompt_start_tool";
