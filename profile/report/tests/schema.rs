//! The JSON and its description in docs/report-json.md agree, both ways: each field of a report is
//! described, and each described field occurs in a report.

mod support;

use std::collections::BTreeSet;

use omphalos_profile_format::*;
use omphalos_report::json;
use serde_json::Value;
use support::{Recorder, build, construct_total, region_total, state, target_total, thread_total};

const BASE: u64 = 0x5555_5555_0000;
const RUNTIME: u64 = 0x7f00_0000_0000;
const MS: u64 = 1_000_000;

const SOURCE: &str = r#"
static volatile double s;
int main(void)
{
    #pragma omp parallel
    s += 1;
    return 0;
}
"#;

/// A report with a row in each table.
fn report() -> Value {
    let built = build("gcc", "test.c", SOURCE, &[]);
    let mut recorder = Recorder::new(&[
        (BASE, 1 << 20, built.path(), 0),
        (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
    ]);
    let site = BASE + built.calls("main", "GOMP_parallel@plt")[0];
    let body = BASE + built.function("main._omp_fn.0").0 + 8;
    recorder.fork(0, 1, 0, site, &[RUNTIME + 1, site]);
    for thread in [0, 1] {
        recorder.thread(thread, 1 + thread);
        for _ in 0..20 {
            recorder.sample(thread, state::PARALLEL, 1, &[body, RUNTIME + 32, site]);
        }
        recorder.sample(thread, state::SERIAL, 0, &[site]);
        let (work, wait) = if thread == 0 { (900 * MS, 100 * MS) } else { (100 * MS, 900 * MS) };
        recorder.push(thread, thread_total(thread, work, wait));
    }
    let (imbalance, gain) = (800 * MS, 400 * MS);
    let (elapsed, work) = (1000 * MS, 1000 * MS);
    let outer = region_total(site, 1);
    let outer = RegionSiteTotal { elapsed, work, imbalance, gain, ..outer };
    recorder.push(0, outer);
    let inner = region_total(site + 1, 1);
    recorder.push(0, RegionSiteTotal { parent_codeptr: site, level: 2, ..inner });
    recorder.push(0, construct_total(site, site + 2, construct_kind::WORK | 11, 1));
    let (created, executed, stolen, shortest, longest) = (1, 1, 0, 1, 1);
    let codeptr_ra = site + 3;
    let task = TaskSiteTotal { codeptr_ra, created, executed, stolen, work: 1, shortest, longest };
    recorder.push(0, task);
    let of_mpi = MpiCallTotal { call: 3, codeptr_ra: site + 5, count: 1, ..Default::default() };
    recorder.push(0, MpiCallTotal { elapsed: 1, longest: 1, ..of_mpi });
    recorder.push(
        0,
        MutexSiteTotal {
            wait_id: 1,
            mutex_kind: 3,
            codeptr_ra: site + 4,
            acquisitions: 1,
            contended: 1,
            wait: 1,
            longest_wait: 1,
            hold: 1,
        },
    );
    counted(&mut recorder, site);
    recorder.push(0, target_total(site + 5, 1, 1));
    for codeptr_ra in [0, site] {
        let (count, blocked, elapsed, longest) = (1, 2, 3, 3);
        recorder.push(0, CallTotal { codeptr_ra, count, blocked, elapsed, longest, call: b"poll" });
    }
    recorder.end(1000 * MS);
    serde_json::from_str(&json::render(&recorder.analyse())).unwrap()
}

/// The counts of a region.
fn counted(recorder: &mut Recorder, region_codeptr: u64) {
    let missing = ByteStrings::default();
    let events = u32::MAX;
    recorder.push(PROCESS_CHUNK, CounterSources { events, user_only: 0, missing });
    let (state, enabled, counting, slots) = (state::PARALLEL, 2, 1, 100);
    let of_region = CounterDifference { state, region_codeptr, running: 5, ..Default::default() };
    recorder.push(0, CounterDifference { enabled, counting, slots, ..of_region });
    let (domain, energy, elapsed): (&[u8], _, _) = (b"package-0", 1, 1);
    recorder.push(PROCESS_CHUNK, Energy { domain, energy, elapsed, why: b"" });
}

/// Returns the words in backticks of a text, without those in parentheses, which are values.
fn fields(text: &str) -> BTreeSet<String> {
    let mut depth = 0;
    let outside: String = text
        .chars()
        .filter(|c| {
            depth += i32::from(*c == '(');
            let is_outside = depth == 0;
            depth -= i32::from(*c == ')');
            is_outside
        })
        .collect();
    outside.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The fields of an object, or of all objects of a list.
fn keys(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(all) => all.iter().flat_map(keys).collect(),
        Value::Object(map) => map.keys().cloned().collect(),
        _ => BTreeSet::new(),
    }
}

/// Returns a frame and all frames below it.
fn frames(frame: &Value) -> Vec<&Value> {
    let below = frame["children"].as_array().expect("a frame's children").iter();
    std::iter::once(frame).chain(below.flat_map(frames)).collect()
}

#[test]
fn each_frame_has_all_fields_of_a_frame() {
    let report = report();
    let frames = frames(&report["call_tree"]);
    assert!(frames.len() > 2, "{frames:?}");
    assert!(frames.iter().all(|frame| keys(frame) == keys(frames[0])), "{frames:?}");
}

#[test]
fn the_json_is_as_described() {
    let section = include_str!("../../../docs/report-json.md");
    let report = report();
    let mut described = BTreeSet::from(["format".to_owned()]);
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').splitn(2, " | ").collect();
        let tables = fields(cells[0]);
        described.extend(tables.iter().cloned());
        for table in &tables {
            let value = &report[table];
            let is_there = report.get(table).is_some();
            assert!(is_there, "{table} is described, and not there");
            if value.is_object() || value.get(0).is_some_and(Value::is_object) {
                assert_eq!(keys(value), fields(cells[1]), "{table}");
            }
        }
        // Texts, numbers.
        let plain = [
            "inconclusive", "looked_for", "untimed_ns", "warnings", "notes", "other_processes",
            "runs", "job",
        ];
        let is_plain = tables.iter().all(|table| plain.contains(&table.as_str()));
        let has_rows = tables.iter().all(|table| !keys(&report[table]).is_empty());
        assert!(is_plain || has_rows, "{tables:?} is empty in the report of this test");
    }
    assert_eq!(keys(&report), described);
    // The fields within the rows.
    let text = |begin: &str| section.split(begin).nth(1).unwrap().split(". ").next().unwrap();
    let within = |table: &str, field: &str| {
        keys(&Value::Array(
            report[table].as_array().unwrap().iter().map(|row| row[field].clone()).collect(),
        ))
    };
    let row = "A row of `constructs` has ";
    let inner = report["regions"].as_array().unwrap().iter().find(|r| r["level"] == 1).unwrap();
    assert_eq!(keys(&inner["constructs"]), fields(text(row).split(';').next().unwrap()));
    let construct = "A `construct` has ";
    let construct = text(construct).split(';').next().unwrap();
    for table in ["regions", "tasks", "targets"] {
        assert_eq!(within(table, "construct"), fields(construct), "{table}");
    }
    let copies = fields(text("Each of these is an object of "));
    for table in ["to_device", "from_device", "within", "blocks"] {
        assert_eq!(within("targets", table), copies, "{table}");
    }
    let counters = &report["counters"];
    assert_eq!(keys(&counters["rows"]), fields(text("a row of `rows` has ")));
    assert_eq!(keys(&counters["functions"]), fields(text("A row of `functions` has ")));
    assert_eq!(keys(&counters["total"]), fields(text("over `rows`. `counts`\nare ")));
    assert_eq!(
        keys(&counters["total"]["slots"]),
        fields(
            "`all`, `retiring`, `bad_speculation`, \
        `frontend_bound`, `backend_bound`"
        )
    );
    assert_eq!(keys(&counters["energy"]), fields(text("A row of `energy` has ")));
    let call = fields(text("A call of `calls` and `serial_calls` has "));
    assert_eq!(keys(&inner["calls"]), call);
    assert_eq!(keys(&report["summary"]["serial_calls"]), call);
}
