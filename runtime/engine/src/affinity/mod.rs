//! Places and binding (OpenMP 5.2, section 10.1.3).
//!
//! No thread is bound unless the environment asks for it. If it does, `settings().places` is set.
//! When a region begins, the primary gives each member of the team a place ([`place_team`]), and
//! each thread whose place has changed binds itself ([`settle()`]).

mod assign;
pub mod format;
pub(crate) mod helpers;
mod inquire;
mod settle;

pub use inquire::{known_place, num_places, partition_place_nums, place_num, place_proc_ids};
pub use settle::{
    forget_place, league_origin, league_place, leave_league, place_team, region_over, settle,
    welcome,
};
