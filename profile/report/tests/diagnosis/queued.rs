//! On a busy machine, threads' waits for a processor count for no function.

use std::collections::HashMap;

use omphalos_report::text::TextOptions;
use omphalos_report::{firefox, folded, json, text};
use serde_json::Value;

use super::*;

const ALONE: u64 = APP + 0x400;
const BODY: u64 = APP + 0x300;
const BESIDE: u64 = APP + 0x500;
const RUNTIME: u64 = 0x7f00_0000_0000;
const WITHOUT: &str = "<without a CPU>";

fn runtime(r: &mut Recorder) {
    let (base, end) = (RUNTIME, RUNTIME + 0x1000);
    let (path, flags) = (&b"/nowhere/libsome.so"[..], module_flag::RUNTIME);
    r.push(PROCESS_CHUNK, Module { base, end, file_offset: 0, path, build_id: b"", flags });
}

fn times(analysis: &Analysis) -> HashMap<String, u64> {
    let folded = folded::render(analysis);
    let lines = folded.lines().filter_map(|line| line.rsplit_once(' '));
    let last = |path: &str| path.rsplit(';').next().unwrap_or("").to_owned();
    lines.map(|(path, time)| (last(path), time.parse().unwrap())).collect()
}

/// Two functions that compute alike; while the second one runs, the thread has a processor for half
/// of the time.
fn beside_a_spinner(says_so: bool) -> Analysis {
    let mut total = thread_total(0, 3000 * MS, 0);
    (total.time, total.samples) = (START + 3000 * MS, 2000);
    run(&[total], 3000 * MS, |r| {
        runtime(r);
        r.push(0, scheduling(0, 2000 * MS, 1000 * MS));
        r.push(0, RegionSiteTotal { team_size_sum: 10, ..region(3000 * MS, 0) });
        if says_so {
            r.push(0, ThreadQueued { thread: 0, work: 1000 * MS, serial: 0 });
            r.push(0, queued_region(1000 * MS));
        }
        r.fork(0, 1, 0, SITE, &[SITE]);
        for _ in 0..1000 {
            r.sample(0, state::PARALLEL, 1, &[ALONE, BODY + 1, RUNTIME + 9, SITE]);
        }
        for _ in 0..500 {
            r.heavy_sample(0, state::PARALLEL, 1, &[BESIDE, BODY + 1, RUNTIME + 9, SITE], 4);
            if says_so {
                r.push(0, SampleQueued { thread: 0, queued: 2 * PERIOD });
            }
        }
    })
}

#[test]
fn functions_have_the_time_that_they_ran() {
    let analysis = beside_a_spinner(true);
    let times = times(&analysis);
    let of = |name: &str| times.get(name).copied().unwrap_or(0);
    let found = ["app+0x400", "app+0x500", WITHOUT].map(of);
    assert_eq!(found, [1_000_000, 1_000_000, 1_000_000], "{times:?}");
    // Work is the time that ran.
    let (thread, region) = (analysis.threads()[0], &analysis.regions()[0]);
    assert_eq!((thread.work, thread.without_cpu), (2000 * MS, 1000 * MS));
    assert_eq!((region.work, region.without_cpu), (2000 * MS, 1000 * MS));
    assert_eq!(analysis.callers(&region.construct.label)[0].time, 2000 * MS);
    let shown = text::render(&analysis, &TextOptions { width: 200, ..TextOptions::default() });
    let own = shown.split_once("by their own time").unwrap().1;
    for row in ["1.00 s  app+0x400", "1.00 s  app+0x500", "1.00 s  <without a CPU>"] {
        assert_eq!(own.matches(row).count(), 1, "{shown}");
    }
    assert!(shown.contains("a CPU only 67 % of the time"), "{shown}");
    assert!(!shown.contains("count what was lost where it was lost"), "{shown}");
    let json: Value = serde_json::from_str(&json::render(&analysis)).unwrap();
    assert_eq!(json["summary"]["without_cpu_ns"], 1000 * MS);
}

#[test]
fn timelines_tell_it_apart_too() {
    let analysis = beside_a_spinner(true);
    let profile: Value = serde_json::from_str(&firefox::render(&analysis)).unwrap();
    let (shared, samples) = (&profile["shared"], &profile["threads"][0]["samples"]);
    let at = |list: &Value, number: &Value| list[number.as_u64().unwrap() as usize].clone();
    let mut weights: HashMap<String, u64> = HashMap::new();
    for (stack, weight) in
        samples["stack"].as_array().unwrap().iter().zip(samples["weight"].as_array().unwrap())
    {
        let frame = at(&shared["stackTable"]["frame"], stack);
        let func = at(&shared["frameTable"]["func"], &frame);
        let name = at(&shared["stringArray"], &at(&shared["funcTable"]["name"], &func));
        *weights.entry(name.as_str().unwrap().to_owned()).or_default() += weight.as_u64().unwrap();
    }
    assert_eq!(["app+0x400", "app+0x500", WITHOUT].map(|name| weights[name]), [1000; 3]);
}

/// A profile of an agent without these records is as right as before, and names what it lacks.
#[test]
fn older_profiles_say_what_they_lack() {
    let analysis = beside_a_spinner(false);
    let times = times(&analysis);
    assert_eq!((times["app+0x500"], times.get(WITHOUT)), (2_000_000, None));
    let shown = text::render(&analysis, &TextOptions { width: 200, ..TextOptions::default() });
    assert!(shown.contains("count what was lost where it was lost"), "{shown}");
}

/// A thread that waits at a barrier loses nothing; a loss before the wait is a loss at work.
#[test]
fn waits_keep_what_they_lost() {
    let threads = [thread_total(0, 40 * PERIOD, 80 * PERIOD)];
    let analysis = run(&threads, 120 * PERIOD, |r| {
        runtime(r);
        r.push(0, region(40 * PERIOD, 80 * PERIOD));
        r.push(0, ThreadQueued { thread: 0, work: 19 * PERIOD / 4, serial: 0 });
        r.fork(0, 1, 0, SITE, &[SITE]);
        for _ in 0..20 {
            r.sample(0, state::PARALLEL, 1, &[ALONE, BODY + 1, RUNTIME + 9, SITE]);
            // As long as the time since the sample before.
            r.sample(0, state::IMPLICIT_BARRIER, 1, &[SITE + 4, SITE]);
            r.push(0, SampleQueued { thread: 0, queued: PERIOD / 2 });
            // Half of that; another thread's sample takes the time before it.
            r.sample(0, state::PARALLEL, 1, &[ALONE, BODY + 1, RUNTIME + 9, SITE]);
            r.sample(1, state::IDLE, 0, &[]);
            r.heavy_sample(0, state::IMPLICIT_BARRIER, 1, &[SITE + 4, SITE], 2);
            r.push(0, SampleQueued { thread: 0, queued: PERIOD / 4 });
            r.sample(1, state::IDLE, 0, &[]);
            r.sample(0, state::IMPLICIT_BARRIER, 1, &[SITE + 4, SITE]);
            r.push(0, SampleQueued { thread: 0, queued: PERIOD / 2 });
        }
    });
    let found = times(&analysis);
    // 20 times a quarter of a period, for those that work followed.
    assert_eq!(found.get(WITHOUT), Some(&(19 * PERIOD / 4 / 1000)), "{found:?}");
    let work = 40 * PERIOD / 1000;
    assert_eq!(found["app+0x400"], work - 19 * PERIOD / 4 / 1000, "{found:?}");
}

/// A loss before the first sample of a region is not subtracted from that region's code.
#[test]
fn what_is_lost_before_a_region_is_lost_there() {
    let mut total = thread_total(0, 100 * MS, 0);
    (total.serial_work, total.alive, total.time) = (900 * MS, 1000 * MS, START + 1000 * MS);
    let analysis = run(&[total], 1000 * MS, |r| {
        runtime(r);
        r.push(0, RegionSiteTotal { instances: 1, ..region(100 * MS, 0) });
        r.push(0, ThreadQueued { thread: 0, work: 0, serial: 800 * MS });
        r.fork(0, 1, 0, SITE, &[SITE]);
        r.heavy_sample(0, state::PARALLEL, 1, &[ALONE, BODY + 1, RUNTIME + 9, SITE], 901);
        r.push(0, SampleQueued { thread: 0, queued: 800 * MS });
        for _ in 0..99 {
            r.sample(0, state::PARALLEL, 1, &[ALONE, BODY + 1, RUNTIME + 9, SITE]);
        }
    });
    let found = times(&analysis);
    assert!(found["app+0x400"] > 95_000 && found["<not sampled>"] > 95_000, "{found:?}");
    assert!((795_000..=805_000).contains(&found[WITHOUT]), "{found:?}");
}

/// Code without a processor during the whole time of its sample took no time.
#[test]
fn what_did_not_run_has_no_row() {
    let analysis = run(&[thread_total(0, 20 * PERIOD, 0)], 20 * PERIOD, |r| {
        runtime(r);
        r.push(0, region(20 * PERIOD, 0));
        r.push(0, ThreadQueued { thread: 0, work: 10 * PERIOD, serial: 0 });
        r.fork(0, 1, 0, SITE, &[SITE]);
        for _ in 0..10 {
            r.sample(0, state::PARALLEL, 1, &[ALONE, BODY + 1, RUNTIME + 9, SITE]);
        }
        r.heavy_sample(0, state::PARALLEL, 1, &[BESIDE, BODY + 1, RUNTIME + 9, SITE], 10);
        r.push(0, SampleQueued { thread: 0, queued: 10 * PERIOD });
    });
    let mut todo = vec![analysis.tree()];
    while let Some(node) = todo.pop() {
        assert!(node.total > 0 && !node.text.contains("0x500"), "{node:?}");
        todo.extend(&node.children);
    }
    assert!(analysis.hot_lines().iter().all(|line| line.time > 0));
}
