//! How a program scales: runs of several sizes in, what each more thread brought out, and what
//! limits it: `omphalos scale`.
//!
//! In go, for each number of threads, reports as `omphalos report --json` has them, what the
//! machine says of its CPUs, and how the outputs differ; out comes a [`Scaling`]. What must hold:
//! of each construct at each size, the work that the first size did too and all that is lost add
//! up to the elapsed time; sizes that the machine has no CPUs for decide nothing.

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
