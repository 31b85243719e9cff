//! OMPT's promises, one row each: a small C program, the events that a tool must see of it by the
//! specification, and the section. [`run()`] checks them on any runtime.
//!
//! | module | what |
//! |---|---|
//! | `rows` | the promises, by family |
//! | `stream` | the recorder's lines, parsed, and questions about them |
//! | `runtime` | a folder's OpenMP runtime under all names that programs ask for |
//! | `run` | compiling, running, judging |
//! | `table` | the result as a table |
//! | `older` | the interfaces before OpenMP 5.0: `omphalos conform --generation` |
//! | `debug` | comparison of OMPD with OMPT: `omphalos conform --debug` |
//!
//! What must hold: a row requires what the text of OpenMP 5.0 to 6.0 says and nothing more. Where
//! the text leaves a choice, every choice passes.

pub mod debug;
pub mod older;
mod rows;
mod run;
mod runtime;
mod stream;
mod table;

pub use rows::{Row, rows};
pub use run::{Compiler, Outcome, Setup, Verdict, run};
pub use runtime::Runtime;
pub use stream::{Event, Stream};
pub use table::{Head, table};
