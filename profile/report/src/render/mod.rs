//! The forms of an [`Analysis`]. Each is a pure function of it, or of those of a command's
//! processes, the costliest first.

pub mod digest;
pub mod firefox;
pub mod flamegraph;
pub mod folded;
pub mod instructions;
pub mod json;
mod short;
pub mod source;
pub mod text;

use crate::Analysis;

/// Returns a process of several as a frame: the program's name and the process's id.
fn process(analysis: &Analysis) -> String {
    let summary = analysis.summary();
    format!("{} {}", program(analysis), summary.pid)
}

/// Returns the name of the program's file.
fn program(analysis: &Analysis) -> &str {
    analysis.summary().executable.rsplit('/').next().unwrap_or("program")
}
