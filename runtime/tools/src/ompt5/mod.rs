//! OMPT as OpenMP 5.0 to 6.0 define it (6.0: chapters 32 and 33).
//!
//! A tool lives through four phases, one after the other and never back: found (`start`),
//! initialising (it registers callbacks, is told nothing), active, ended (`finish` or its own
//! `ompt_finalize_tool`). Each has a slot of the subscriber table; since the entry points that a
//! tool gets carry no argument that names the tool, there is one set of them for each slot.

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
