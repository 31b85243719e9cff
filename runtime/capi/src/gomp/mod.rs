//! GCC's interface (libgomp): the functions that gcc, g++ and gfortran call.

pub mod cancel;
pub mod doacross;
pub mod kinds;
pub mod loops;
pub mod parallel;
pub mod parallel_loops;
pub mod plugins;
pub mod schedule;
pub mod sections;
pub mod static_loop;
pub mod sync;
pub mod target;
pub mod task;
pub mod teams;
