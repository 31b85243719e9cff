//! OMPT as OpenMP 5.0 to 6.0 define it (6.0: chapters 32 and 33).
//!
//! A tool goes through four phases, never back: found (`start`), initialising (it registers
//! callbacks, is told nothing), active, ended (`finish` or its own `ompt_finalize_tool`). Each tool
//! has a slot of the subscriber table. The entry points that a tool gets have no argument that
//! names the tool, so there is one set of them for each slot.

mod callbacks;
mod device;
mod direct;
mod entry_points;
mod own_symbol;
mod start;
mod states;
mod target;
mod tool;
mod translate;

pub use own_symbol::own_address;
pub use start::{
    Wish, ask_tool, begin_late, end_late, finish, forget_in_child, initialize, slot_again,
};
