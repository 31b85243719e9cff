//! Code whose calls have another order than the source: loops that gcc turned.

#[path = "support/mod.rs"]
mod support;

use std::collections::BTreeMap;

use omphalos_profile_format::construct_kind::BARRIER;
use support::{Recorder, all_calls, build, construct_total, region_total};

const BASE: u64 = 0x5555_5555_4000;

const TURNED_LOOP: &str = r#"
void work(int);
int omp_get_thread_num(void);
int main(void)
{
    int taken[2] = {0};
    #pragma omp parallel num_threads(2)
    for (int step = 0; step < 40; step++) {
        int me = omp_get_thread_num();
        work(taken[me] = step % 2 == me ? 14 : 3);
        #pragma omp barrier
        #pragma omp master
        work(taken[0] > taken[1] ? taken[0] - taken[1] : taken[1] - taken[0]);
        #pragma omp barrier
    }
    return 0;
}
void __attribute__((noinline)) work(int x) { __asm__ volatile("" : : "r"(x)); }
"#;

/// gcc -O1 puts a round's last lines before its first ones, so the order of the calls is not that
/// of the source. The line of each barrier's call holds.
#[test]
fn barriers_of_a_turned_loop_keep_their_lines() {
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let built = build("gcc", "turned.c", TURNED_LOOP, &[level]);
        let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
        let region = BASE + built.calls("main", "GOMP_parallel@plt")[0];
        recorder.push(0, region_total(region, 1));
        let barriers = all_calls(&built, &["GOMP_barrier@plt"]);
        let mut lines = BTreeMap::new();
        for (call, line) in barriers.iter().zip(built.lines_of(&barriers)) {
            recorder.push(0, construct_total(region, BASE + call, BARRIER | 3, line.into()));
            *lines.entry(line).or_insert(0) += u64::from(line);
        }
        let analysis = recorder.analyse();
        let rows = analysis.regions()[0].constructs.iter().filter(|row| row.name == "barrier");
        let found: BTreeMap<_, _> = rows.map(|row| (row.construct.line, row.instances)).collect();
        assert_eq!(found, lines, "{level}");
        assert_eq!(found.into_keys().collect::<Vec<_>>(), [11, 14], "{level}");
    }
}
