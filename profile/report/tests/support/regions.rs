//! The regions of a built program, one total for each call that begins one.

use super::{Built, Recorder, all_calls, region_total};

/// The address where the program is mapped.
pub const BASE: u64 = 0x5555_5555_0000;
pub const FORKS: [&str; 3] =
    ["GOMP_parallel@plt", "GOMP_parallel_loop_nonmonotonic_dynamic@plt", "__kmpc_fork_call@plt"];

/// Returns the report's name of each region.
pub fn labels(built: &Built) -> Vec<String> {
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
    for call in all_calls(built, &FORKS) {
        recorder.push(0, region_total(BASE + call, 1));
    }
    let analysis = recorder.analyse();
    analysis.regions().iter().map(|row| row.construct.label.to_string()).collect()
}
