//! The verbs of the `omphalos` program: each has a file or a folder, and `main` calls it.

pub mod attach;
pub mod check;
pub mod conform;
pub mod diff;
pub mod doctor;
mod formats;
pub mod generate;
pub mod inspect;
pub mod install;
pub mod mcp;
mod output;
pub mod profile;
pub mod report;
pub mod run;
mod runs;
pub mod scale;
pub mod top;
pub mod uninstall;
