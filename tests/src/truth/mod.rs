//! Comparison of a report with what a program knows of itself. `cargo xtask truth` and the tests of
//! reports use it.
//!
//! A program times itself by its own clock and prints lines `TRUTH FIGURE VALUE` (`figures` lists
//! them). Its source names its constructs by marks (`source`). The sweep builds it in several ways,
//! profiles it, and compares the report's JSON with both. Differences are printed: a timing decides
//! no test.

pub mod figures;
pub mod pairs;
pub mod schema;
pub mod source;
pub mod sums;
pub mod sweep;
