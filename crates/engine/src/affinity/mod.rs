//! Places and binding (OpenMP 5.2, section 10.1.3).
//!
//! Nobody is bound unless the environment asks for it: then `settings().places` is set, the primary
//! gives each member of a team a place ([`place_team`], when a region begins), and each thread binds
//! itself when its place is another than before ([`settle()`]).

mod assign;
pub mod format;
pub(crate) mod helpers;
mod inquire;
mod kmp;
mod list;
mod places;
mod settle;
mod subset;
mod topology;
mod words;

pub use assign::SPREAD;
pub(crate) use format::{DEFAULT as DEFAULT_FORMAT, SHOWN as SHOWN_FORMAT};
pub use helpers::{HelperPlaces, helper_places};
pub use inquire::{num_places, partition_place_nums, place_num, place_proc_ids};
pub use kmp::{Ignored, Kmp, kmp};
pub use list::{cpu_list, nearest_name, places};
pub use places::{Places, Wish};
pub use settle::{
    Before, league_origin, league_place, leave_league, place_team, region_over, settle, welcome,
};
pub use subset::subset;

/// Whether `KMP_AFFINITY` asks for the primary thread to be free between outermost regions.
pub fn kmp_resets(text: &str) -> bool {
    text.split(',').any(|word| word.trim().eq_ignore_ascii_case("reset"))
}

/// The places of the abstract name `cores`, cut down to `own`.
pub fn cores(own: &[usize]) -> Vec<Vec<usize>> {
    topology::group(topology::Level::Cores, own)
}
