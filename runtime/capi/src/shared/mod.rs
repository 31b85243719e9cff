//! The parts that GCC's and LLVM's interface have in common. Both rooms may use it, and it knows
//! neither.
//!
//! Who calls: `gomp`, `kmpc`, and the entries that serve both (`critical`, `atomics`, `locks`).
//! What must hold: nothing here is exported, and nothing here reads a structure that only one of
//! the two interfaces has. The one exception is [`location`], which every entry of LLVM's takes.

pub mod dependences;
pub mod device;
pub mod interop;
pub mod location;
pub mod region;
pub mod schedule;
pub mod waiting;
