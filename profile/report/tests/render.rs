//! The report's forms: the text as a whole, and that programs can read the others.

mod support;

use omphalos_profile_format::*;
use omphalos_report::text::TextOptions;
use omphalos_report::{flamegraph, folded, json, text};
use serde_json::Value;
use support::imbalanced::{APP, BODY, MS, RUNTIME, SITE, imbalanced};
use support::{Recorder, region_total, state, thread_total};

const EXPECTED: &str = "\
Omphalos profile of ./app --fast
  runtime    a runtime
  elapsed    900.0 ms with 2 threads on 2 CPUs; 0 ns serial, outside of regions
  profiling  cost 1.0 ms of all threads' time (0.1 %)
  samples    1,800, 1000 a second of each thread (threads that wait are not sampled; --hz was 1000);
             0 missed

Diagnosis
  1. load imbalance: region at app+0x201
     the busiest thread works 900.0 ms where the mean is 600.0 ms: perfect balance would give back
     300.0 ms of the region's 900.0 ms (33 %)
     to do, to gain up to 300.0 ms of 900.0 ms elapsed: give each thread the same work:
     schedule(dynamic) or (guided), smaller chunks, or tasks

OpenMP Work and OpenMP Wait by thread (ms)
  thread      alive    Work      %   Wait     %  barrier
  0 initial   900.0   300.0   33.3  600.0  66.7    600.0
  1 worker    900.0   900.0  100.0    0.0   0.0      0.0
  all 2      1800.0  1200.0   66.7  600.0  33.3    600.0
  Work + Wait = 1800.0 ms, 100 % of threads x elapsed (2 x 900.0 ms)

Parallel regions by source line (ms; all but elapsed and gain summed over threads)
  region     entered  threads  elapsed    work  barrier  imbalance   gain
  app+0x201    1,234      2.0    900.0  1200.0    600.0      600.0  300.0
  imbalance: what the other threads worked less than the busiest, or waited for each other at
  barriers inside; gain: the elapsed time that perfect balance would give back

Hottest call paths (percent of all threads' time, from samples)
   100 %  app+0x200 (2 functions without names)
   100 %   region at app+0x201
    43 %     app+0x400
    14 %     <omp implicit barrier>

Functions and constructs by their own time (from samples)
    43 %    3.0 ms  app+0x400
    43 %    3.0 ms  region at app+0x201
    14 %    1.0 ms  <omp implicit barrier>

Looked for
  not found: contention, serial time, tasks too small, too few tasks at a time, task too long,
  region of one thread, too many tiny regions, loops too small, blocked in calls, runtime overhead,
  waits in many regions, nested parallelism, oversubscription. Not seen, and counted as Work: false
  sharing, contended variables, page faults, memory bandwidth, denormal numbers, pages that lie at
  another processor

Notes
  warning: '/nowhere/app' cannot be read: no names from it
  warning: the timer was refused
";

#[test]
fn the_text_is_what_it_should_be() {
    let shown = text::render(&imbalanced(), &TextOptions::default());
    let mut warnings: Vec<&str> =
        shown.lines().filter(|line| line.starts_with("  warning")).collect();
    warnings.sort_unstable();
    let mut lines: Vec<&str> =
        shown.lines().filter(|line| !line.starts_with("  warning")).collect();
    lines.extend(warnings);
    assert_eq!(lines.join("\n") + "\n", EXPECTED);
}

#[test]
fn text_keeps_to_its_width() {
    for width in [60, 80, 100, 200] {
        let options = TextOptions { width, color: false, whole_names: false, all: true, top: 20 };
        let shown = text::render(&imbalanced(), &options);
        for line in shown.lines() {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn colours_only_add_escapes() {
    let analysis = imbalanced();
    let plain = text::render(&analysis, &TextOptions::default());
    let colored = text::render(&analysis, &TextOptions { color: true, ..TextOptions::default() });
    let mut stripped = String::new();
    let mut rest = colored.as_str();
    while let Some((before, after)) = rest.split_once('\x1b') {
        stripped.push_str(before);
        rest = after.split_once('m').expect("an escape ends with m").1;
    }
    assert_eq!(stripped + rest, plain);
}

#[test]
fn json_has_the_figures() {
    let value: Value = serde_json::from_str(&json::render(&imbalanced())).unwrap();
    assert_eq!(value["format"], 1);
    assert_eq!(value["summary"]["openmp_work_ns"], 1200 * MS);
    assert_eq!(value["summary"]["threads_alive_ns"], 1800 * MS);
    assert_eq!(value["diagnosis"][0]["disease"], "imbalance");
    assert_eq!(value["diagnosis"][0]["cost_ns"], 300 * MS);
    assert_eq!(value["regions"][0]["instances"], 1234);
    assert_eq!(value["regions"][0]["perfect_balance_gain_ns"], 300 * MS);
    assert_eq!(value["call_tree"]["children"][0]["name"], "app+0x100");
    assert_eq!(value["warnings"].as_array().unwrap().len(), 2);
}

#[test]
fn folded_stacks_are_sorted_lines_with_microseconds() {
    let base = "app+0x100;app+0x200;region at app+0x201";
    assert_eq!(
        folded::render(&imbalanced()),
        format!("{base} 3000\n{base};<omp implicit barrier> 1000\n{base};app+0x400 3000\n")
    );
}

#[test]
fn the_flame_graph_is_well_formed_and_complete() {
    let svg = flamegraph::render(&imbalanced()).unwrap();
    assert!(svg.starts_with("<?xml") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<g class=\"f\">").count(), 6);
    for tag in ["g", "svg", "title", "text", "script", "style", "foreignObject"] {
        let opened = svg.matches(&format!("<{tag}>")).count()
            + svg.matches(&format!("<{tag} ")).count()
            - svg.matches(&format!("<{tag} id=\"found\"")).count();
        assert_eq!(opened, svg.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    assert!(svg.contains("&lt;omp implicit barrier&gt;") && !svg.contains("<omp"));
    assert!(svg.contains("region at app+0x201\n7.0 ms, 100 %; itself 3.0 ms, 43 %"));
    let legend = svg.split("id=\"legend\"").nth(1).unwrap().split("</g>").next().unwrap();
    let named: Vec<_> = legend.matches("</text>").collect();
    assert_eq!(named.len(), 3, "functions, regions and waits: {legend}");
    // The file needs nothing outside it.
    assert!(!svg.replace("http://www.w3.org/", "").contains("http"));
}

/// Names are cut to fit a terminal, but whole in a file, which is searched.
#[test]
fn names_in_files_are_whole() {
    let name = "x".repeat(150);
    let path = format!("/nowhere/{name}");
    let mut recorder = Recorder::new(&[(0x40_0000, 0x1000, &path, 0)]);
    recorder.thread(0, 1);
    recorder.push(0, support::thread_total(0, 1_000_000_000, 0));
    recorder.push(0, support::region_total(0x40_0100, 1));
    recorder.end(1_000_000_000);
    let shown = |whole_names| {
        let options = TextOptions { width: 80, color: false, whole_names, all: true, top: 10 };
        text::render(&recorder.analyse(), &options)
    };
    let table = |text: String| text.split("Parallel regions").nth(1).unwrap().to_owned();
    let table = |whole| table(shown(whole)).split("Notes").next().unwrap().to_owned();
    assert!(table(true).contains(&name));
    assert!(!table(false).contains(&name));
}

/// A region's callers are shown, with each path's share.
#[test]
fn the_region_table_names_callers() {
    let mut recorder = Recorder::new(&[
        (APP, 0x1000, "/nowhere/app", 0),
        (RUNTIME, 0x1000, "/nowhere/libsome.so", module_flag::RUNTIME),
        // Two functions that are known by their libraries: nothing has names here.
        (0x50_0000, 0x1000, "/nowhere/libpython3.11.so.1.0", 0),
        (0x60_0000, 0x1000, "/nowhere/libR.so", 0),
    ]);
    recorder.thread(0, 1);
    recorder.push(0, thread_total(0, 900 * MS, 0));
    recorder.push(0, RegionSiteTotal { elapsed: 900 * MS, ..region_total(SITE, 4) });
    for (region, caller, samples) in [(1, 0x50_0101, 3), (2, 0x60_0101, 1)] {
        // The interpreter's functions call each other: they are one frame.
        let outside = [SITE, caller, caller + 0x80, caller + 0x40];
        let pcs = [&[RUNTIME + 1], &outside[..]].concat();
        recorder.fork(0, region, 0, SITE, &pcs);
        for _ in 0..samples {
            recorder.sample(0, state::PARALLEL, region, &[&[BODY], &pcs[..]].concat());
        }
    }
    recorder.end(900 * MS);
    let shown = text::render(&recorder.analyse(), &TextOptions::default());
    let expected = "  called from (outermost first, with the lines of the calls and shares of the \
                    region's samples)\n    \
                    app+0x201: <Python interpreter> > app+0x200 (75 %)\n        \
                    <R interpreter> > app+0x200 (25 %)\n";
    assert!(shown.contains(expected), "{shown}");
    let narrow = TextOptions { width: 60, whole_names: false, ..TextOptions::default() };
    let shown = text::render(&recorder.analyse(), &narrow);
    assert!(shown.lines().all(|line| line.chars().count() <= 60), "{shown}");
}

/// A sample's time before its region's fork does not belong to the region.
#[test]
fn time_before_a_fork_is_none_of_the_region() {
    let mut recorder = Recorder::new(&[(APP, 0x1000, "/nowhere/app", 0)]);
    recorder.thread(0, 1);
    recorder.push(0, thread_total(0, 900 * MS, 0));
    recorder.push(0, RegionSiteTotal { elapsed: 100 * MS, ..region_total(SITE, 1) });
    recorder.fork(0, 1, 0, SITE, &[SITE, APP + 0x101]);
    recorder.sample(0, state::PARALLEL, 1, &[BODY, SITE, APP + 0x101]);
    recorder.heavy_sample(0, state::PARALLEL, 1, &[BODY, SITE, APP + 0x101], 700);
    recorder.end(900 * MS);
    let analysis = recorder.analyse();
    let of = |name: &str| {
        let child = analysis.tree().children.iter().find(|child| *child.text == *name);
        child.map_or(0, |child| child.total / MS)
    };
    assert_eq!((of("<not sampled>"), of("app+0x100")), (698, 3));
}

/// A lone thread waits for no other: if its acquisitions look long, it had no processor.
#[test]
fn a_program_of_one_thread_has_no_contention() {
    let mut recorder = Recorder::new(&[(APP, 0x1000, "/nowhere/app", 0)]);
    recorder.thread(0, 1);
    recorder.push(0, ThreadTotal { mutex_wait: 100 * MS, ..thread_total(0, 800 * MS, 0) });
    recorder.push(0, region_total(SITE, 1));
    let (wait_id, mutex_kind, codeptr_ra) = (0x1234, 2, APP + 0x501);
    recorder.push(
        0,
        MutexSiteTotal {
            wait_id,
            mutex_kind,
            codeptr_ra,
            acquisitions: 1_000_000,
            contended: 400,
            wait: 700 * MS,
            longest_wait: 4 * MS,
            hold: 0,
        },
    );
    recorder.push(0, MutexSiteSampling { wait_id, mutex_kind, codeptr_ra, timed: 1000 });
    recorder.end(900 * MS);
    let analysis = recorder.analyse();
    assert_eq!(analysis.mutexes()[0].wait, 100 * MS, "what threads waited, and no more");
    assert!(analysis.findings().is_empty(), "{:?}", analysis.findings());
}

/// Of 64 threads, the one that does something else is among those that are shown.
#[test]
fn the_odd_one_of_many_threads_is_shown() {
    let mut recorder = Recorder::new(&[(APP, 0x1000, "/nowhere/app", 0)]);
    for thread in 0..64 {
        recorder.thread(thread, if thread == 0 { 1 } else { 2 });
        let work = if thread == 47 { 90 * MS } else { (500 + u64::from(thread)) * MS };
        recorder.push(thread, thread_total(thread, work, 900 * MS - work));
    }
    recorder.end(900 * MS);
    let shown = text::render(&recorder.analyse(), &TextOptions::default());
    let rows = |kind: &str| shown.lines().filter(|line| line.contains(kind)).count();
    assert!(shown.contains("\n  0 initial ") && shown.contains("\n  47 worker "), "{shown}");
    let count = rows(" worker ") + rows(" initial ");
    assert!(shown.contains(&format!("all 64 ({} not shown)", 64 - count)), "{shown}");
}
