//! Many regions that each wait a little.

use super::*;

/// Regions of so many constructs, each with this work and this wait of two threads.
fn regions(count: u64, work: u64, wait: u64) -> Analysis {
    let (work_of_one, wait_of_one) = (count * work / 2, count * wait / 2);
    let threads = [0, 1].map(|thread| thread_total(thread, work_of_one * MS, wait_of_one * MS));
    run(&threads, (work_of_one + wait_of_one) * MS, |recorder| {
        for at in 0..count {
            let total = region_total(SITE + 0x10 * at, 10);
            let (work, wait) = (work * MS, wait * MS);
            let elapsed = (work + wait) / 2;
            recorder.push(0, RegionSiteTotal { elapsed, work, barrier_wait: wait, ..total });
        }
    })
}

#[test]
fn waits_in_many_regions_are_summed_up() {
    let analysis = regions(20, 85, 15);
    let found = diseases(&analysis);
    assert_eq!(found, [(Disease::ScatteredWaits, "region at app+0x201".to_owned())]);
    let finding = &analysis.findings()[0];
    assert_eq!(finding.cost, 20 * 15 * MS / 2);
    assert!(finding.evidence.starts_with("threads wait 300.0 ms in 20 regions, 15 % of all"));
    // Little in each is little in sum, and two regions are looked at one by one.
    assert_eq!(diseases(&regions(20, 95, 5)), []);
    assert_eq!(diseases(&regions(2, 850, 150)), []);
}

/// The end of the report names what is not there, and what it cannot see.
#[test]
fn what_was_looked_for_is_said() {
    let text = omphalos_report::text::render(&regions(20, 85, 15), &Default::default());
    let end: String = text.split("Looked for").nth(1).unwrap().split_whitespace().collect();
    assert!(end.contains("notfound:loadimbalance,contention,serialtime,"), "{text}");
    assert!(
        end.contains("Notseen,andcountedasWork:falsesharing,contendedvariables,pagefaults,memory")
            && !end.contains("waitsinmany")
    );
    let healthy = omphalos_report::text::render(&regions(20, 95, 5), &Default::default());
    assert!(healthy.split("Looked for").nth(1).unwrap().contains("waits in many"), "{healthy}");
}
