//! Whether a report says what a program knows of itself.
//!
//! A program times itself by its own clock and prints lines `TRUTH FIGURE VALUE` (`figures` says
//! which). Its source names its constructs by marks (`source`). The sweep builds it in several
//! ways, profiles it, and holds the report's JSON against both. What is off is printed: a timing
//! decides no test.

pub mod figures;
pub mod pairs;
pub mod schema;
pub mod source;
pub mod sums;
pub mod sweep;
