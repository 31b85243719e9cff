//! `omphalos mcp`: the answers of `report`, `diff`, `why` and `doctor` for coding agents,
//! over the Model Context Protocol on standard input and output.
//!
//! What must hold: no tool changes anything, runs a program or writes a file. Each answer has at
//! most [`MOST_CHARACTERS`], whatever is asked. The name of each number ends in its unit. An
//! argument that cannot be used leads to an answer that says what to do, and never ends the
//! session.

mod arguments;
mod bounds;
mod server;
mod tools;

use std::path::Path;

use omphalos_inspect::Ompd;
use omphalos_report::Analysis;
use serde_json::Value;

pub use bounds::MOST_CHARACTERS;
pub use tools::definitions;

/// The knowledge of the program around this crate: how to read files, and the facts about the
/// machine.
pub trait Host: Send + Sync + 'static {
    /// A profile's analysis.
    ///
    /// # Errors
    /// Where it cannot be read, or is of no OpenMP program.
    fn analysis(&self, profile: &Path) -> Result<Analysis, String>;

    /// The reports of what lies at a path, one a run, as `omphalos diff` takes them.
    ///
    /// # Errors
    /// Where something there cannot be read.
    fn reports(&self, path: &Path) -> Result<Vec<Value>, String>;

    /// What `omphalos doctor` finds: its lines, and the problems.
    ///
    /// # Errors
    /// Where there is no such program.
    fn doctor(&self, program: Option<&str>) -> Result<(Vec<String>, Vec<String>), String>;

    /// How a runtime's libompd is asked.
    fn ompd(&self) -> Ompd;
}

/// Serves one client until it closes standard input.
///
/// # Errors
/// Where the client does not begin as the protocol has it, or the streams fail.
pub fn serve(host: impl Host) -> Result<(), String> {
    server::serve(std::sync::Arc::new(host))
}
