//! A report's figures in the formats of other programs. README.md describes how each is made.
//!
//! What must hold: each export is a pure function of the analyses of a command's processes, the
//! costliest first. Its sums are those of the report, to the nanosecond. `docs/exporting.md` names
//! what a format cannot express.

pub mod callgrind;
pub mod csv;
pub mod perfetto;
pub mod pprof;
pub mod speedscope;
pub mod sqlite;
mod stacks;
mod tables;
