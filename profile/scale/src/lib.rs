//! Measures how a program scales: from runs of several sizes it finds the gain of more threads, and
//! the limit of that gain: `omphalos scale`.
//!
//! What must hold: for each construct at each size, the work that the first size did too and all
//! losses add up to the elapsed time; sizes for which the machine has too few CPUs decide nothing.

mod causes;
mod classes;
mod factors;
mod forecast;
mod limit;
mod machine;
mod output;
pub mod render;
mod rows;
mod scaling;
mod sentence;
mod size;

pub use causes::Cause;
pub use classes::{Class, Losses};
pub use factors::Factors;
pub use forecast::Forecast;
pub use limit::Limit;
pub use machine::{Cpu, Machine};
pub use output::{Difference, Ended, Outputs, compare};
pub use rows::{Construct, Row};
pub use scaling::{Runs, Scaling};
pub use size::Size;
