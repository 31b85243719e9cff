//! Places and binding (OpenMP 5.2, section 10.1.3).
//!
//! Nobody is bound unless the environment asks for it: then `settings().places` is set, the primary
//! gives each member of a team a place ([`place_team`], when a region begins), and each thread
//! binds itself when its place is another than before ([`settle()`]).

mod assign;
pub mod format;
pub(crate) mod helpers;
mod inquire;
mod settle;

pub use inquire::{num_places, partition_place_nums, place_num, place_proc_ids};
pub use settle::{
    league_origin, league_place, leave_league, place_team, region_over, settle, welcome,
};
