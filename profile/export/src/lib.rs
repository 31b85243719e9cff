//! A report's figures in the formats of other programs. README.md has how they are made.
//!
//! What must hold: each is a pure function of the analyses of a command's processes, the costliest
//! first; its sums are those of the report, to the nanosecond; what a format cannot say stands in
//! `docs/exporting.md`.

pub mod callgrind;
pub mod csv;
pub mod perfetto;
pub mod pprof;
pub mod speedscope;
pub mod sqlite;
mod stacks;
mod tables;
