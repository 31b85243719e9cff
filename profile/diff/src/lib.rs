//! Compares two runs of a program, or two series of them: `omphalos diff`.
//!
//! It reads reports in the form of `omphalos report --json`, one or several of each side. It makes
//! a [`Comparison`], and its forms for people and programs.
//!
//! What must hold: rows are matched by what the program's author wrote (`matching`); the rows of
//! [`Comparison::parts`] add up to the elapsed time; a change that may be chance is not named.

mod change;
mod circumstances;
mod compared_row;
mod comparison;
mod counted;
mod inner;
mod items;
mod matching;
mod noise;
pub mod render;
mod run;
mod sentence;
mod side;
mod spread;

pub use change::Change;
pub use circumstances::Circumstance;
pub use compared_row::{Kind, Row, Status};
pub use comparison::{Comparison, Verdict};
pub use run::{Construct, Finding, Mutex, Program, Region, Run, Summary};
pub use side::Side;
pub use spread::{median_run, spread};
