//! The Firefox Profiler's format, by its types in version 61: every field that is not optional is
//! there with its type, and no other field is there.

mod format;
mod indices;
mod stretches;
#[path = "../support/mod.rs"]
mod support;

use format::{List, Number, Object, Text, Truth, has, is_table, list};
use omphalos_profile_format::{MutexSiteTotal, RegionSiteTotal, SampleCall, target};
use omphalos_report::firefox;
use serde_json::Value;
use support::{Recorder, region_total, state, target_event, target_total, thread_total};

const MS: u64 = 1_000_000;
const APP: u64 = 0x40_0000;
const SITE: u64 = APP + 0x201;
const BODY: u64 = APP + 0x300;

/// Serial time, a region in a region, a wait for a mutex, a barrier, a blocking call, idling, a
/// construct on a device.
fn profile() -> Value {
    let mut recorder = Recorder::new(&[(APP, 0x1000, "/nowhere/app", 0)]);
    for thread in 0..2 {
        recorder.thread(thread, 1 + thread);
        recorder.push(thread, thread_total(thread, 800 * MS, 100 * MS));
    }
    recorder.push(0, RegionSiteTotal { elapsed: 400 * MS, ..region_total(SITE, 1) });
    let (wait_id, mutex_kind, codeptr_ra) = (0, 5, BODY + 9);
    let waits = (10 * MS, 10 * MS);
    recorder.push(
        0,
        MutexSiteTotal {
            wait_id,
            mutex_kind,
            codeptr_ra,
            acquisitions: 3,
            contended: 1,
            wait: waits.0,
            longest_wait: waits.1,
            hold: 0,
        },
    );
    recorder.sample(0, state::SERIAL, 0, &[APP + 0x100]);
    recorder.push(0, SampleCall { thread: 0, blocked: MS, call: b"read" });
    recorder.fork(0, 1, 0, SITE, &[SITE, APP + 0x101]);
    recorder.fork(0, 2, 1, BODY + 1, &[BODY + 1, SITE, APP + 0x101]);
    for (thread, state, region) in [
        (0, state::PARALLEL, 1),
        (1, state::PARALLEL, 2),
        (1, state::CRITICAL, 2),
        (0, state::IMPLICIT_BARRIER, 1),
        (1, state::IDLE, 0),
    ] {
        recorder.sample(thread, state, region, &[BODY, SITE, APP + 0x101]);
    }
    recorder.push(0, target_total(SITE + 8, 1, 1));
    for (kind, time, bytes) in [
        (target::CONSTRUCT | 1, 10 * MS, 0),
        (target::OPERATION | 2, 11 * MS, 4096),
        (target::KERNEL, 12 * MS, 0),
        (target::OPERATION | 3, 14 * MS, 512),
    ] {
        recorder.push(0, target_event(SITE + 8, kind, time, bytes));
    }
    recorder.end(900 * MS);
    serde_json::from_str(&firefox::render(&recorder.analyse())).unwrap()
}

const COLORS: [&str; 13] = [
    "transparent", "purple", "green", "orange", "yellow", "lightblue", "blue", "brown", "magenta",
    "red", "lightred", "darkgrey", "grey",
];

#[test]
fn the_head_is_what_the_types_ask_for() {
    let profile = profile();
    let meta = &profile["meta"];
    has(
        &profile,
        "profile",
        &[("meta", Object), ("libs", List), ("shared", Object), ("threads", List)],
        &[("pages", List)],
    );
    let needed = [
        ("interval", Number),
        ("startTime", Number),
        ("processType", Number),
        ("product", Text),
        ("stackwalk", Number),
        ("version", Number),
        ("preprocessedProfileVersion", Number),
        ("markerSchema", List),
    ];
    let optional = [
        ("profilingStartTime", Number),
        ("profilingEndTime", Number),
        ("extensions", Object),
        ("categories", List),
        ("oscpu", Text),
        ("arguments", Text),
        ("logicalCPUs", Number),
        ("symbolicated", Truth),
        ("sampleUnits", Object),
        ("importedFrom", Text),
        ("usesOnlyOneStackType", Truth),
        ("sourceCodeIsNotOnSearchfox", Truth),
        ("keepProfileThreadOrder", Truth),
    ];
    has(meta, "meta", &needed, &optional);
    assert_eq!(meta["preprocessedProfileVersion"], 61);
    let categories = list(&meta["categories"]);
    assert!(categories.iter().any(|category| category["color"] == "grey"));
    for category in categories {
        let fields = [("name", Text), ("color", Text), ("subcategories", List)];
        has(category, "category", &fields, &[]);
        assert!(COLORS.iter().any(|color| category["color"] == *color), "{category}");
        assert_eq!(category["subcategories"][0], "Other");
    }
    let units = &meta["sampleUnits"];
    assert_eq!((&units["time"], &units["threadCPUDelta"]), (&"ms".into(), &"ns".into()));
    for lib in list(&profile["libs"]) {
        let needed = [
            ("arch", Text),
            ("name", Text),
            ("path", Text),
            ("debugName", Text),
            ("debugPath", Text),
            ("breakpadId", Text),
        ];
        has(lib, "lib", &needed, &[("codeId", Text)]);
        assert_eq!(lib["breakpadId"].as_str().unwrap().len(), 33);
    }
}

#[test]
fn the_shared_tables_are_what_the_types_ask_for() {
    let profile = profile();
    let shared = &profile["shared"];
    let tables: [(&str, &[&str]); 6] = [
        ("stackTable", &["frame", "prefix"]),
        (
            "frameTable",
            &[
                "address", "inlineDepth", "category", "subcategory", "func", "nativeSymbol",
                "innerWindowID", "line", "column",
            ],
        ),
        (
            "funcTable",
            &["name", "isJS", "relevantForJS", "resource", "source", "lineNumber", "columnNumber"],
        ),
        ("resourceTable", &["lib", "name", "host", "type"]),
        ("nativeSymbols", &["libIndex", "address", "name", "functionSize"]),
        ("sources", &["id", "filename", "startLine", "startColumn", "sourceMapURL"]),
    ];
    for (name, columns) in tables {
        is_table(&shared[name], name, columns);
    }
    assert_eq!(shared.as_object().unwrap().len(), tables.len() + 1);
    assert!(list(&shared["stringArray"]).iter().all(Value::is_string));
    // A frame with a category has a subcategory of it.
    for (category, sub) in list(&shared["frameTable"]["category"])
        .iter()
        .zip(list(&shared["frameTable"]["subcategory"]))
    {
        let subs = list(
            &profile["meta"]["categories"][category.as_u64().unwrap() as usize]["subcategories"],
        );
        assert!((sub.as_u64().unwrap() as usize) < subs.len());
    }
}

#[test]
fn threads_are_what_the_types_ask_for() {
    let profile = profile();
    let stacks = profile["shared"]["stackTable"]["length"].as_u64().unwrap();
    // Two threads and a device.
    assert_eq!(list(&profile["threads"]).len(), 3);
    for thread in list(&profile["threads"]) {
        let needed = [
            ("processType", Text),
            ("processStartupTime", Number),
            ("registerTime", Number),
            ("pausedRanges", List),
            ("name", Text),
            ("isMainThread", Truth),
            ("pid", Text),
            ("tid", Number),
            ("samples", Object),
            ("markers", Object),
        ];
        let optional = [
            ("processShutdownTime", Number),
            ("unregisterTime", Number),
            ("showMarkersInTimeline", Truth),
            ("processName", Text),
        ];
        has(thread, "thread", &needed, &optional);
        for name in ["processShutdownTime", "unregisterTime"] {
            assert!(thread.get(name).is_some(), "{name} may be null, and must be there");
        }
        let samples = &thread["samples"];
        is_table(samples, "samples", &["stack", "time", "weight", "threadCPUDelta"]);
        assert_eq!(samples["weightType"], "samples");
        let times: Vec<f64> = list(&samples["time"]).iter().map(|t| t.as_f64().unwrap()).collect();
        assert!(times.is_sorted() && times.iter().all(|time| *time >= 0.0), "{times:?}");
        for stack in list(&samples["stack"]) {
            assert!(stack.is_null() || stack.as_u64().unwrap() < stacks);
        }
    }
}

#[test]
fn markers_keep_to_their_schema() {
    let profile = profile();
    let formats = ["file-path", "integer", "string", "bytes"];
    let places = ["marker-chart", "marker-table", "timeline-overview"];
    let schemas = list(&profile["meta"]["markerSchema"]);
    for schema in schemas {
        let needed = [("name", Text), ("display", List), ("fields", List)];
        let optional = [
            ("tooltipLabel", Text),
            ("tableLabel", Text),
            ("chartLabel", Text),
            ("description", Text),
        ];
        has(schema, "schema", &needed, &optional);
        assert!(list(&schema["display"]).iter().all(|at| places.iter().any(|known| at == known)));
        for field in list(&schema["fields"]) {
            has(field, "field", &[("key", Text), ("format", Text)], &[("label", Text)]);
            assert!(formats.iter().any(|format| field["format"] == *format), "{field}");
        }
    }
    let (mut seen, strings) = (Vec::new(), list(&profile["shared"]["stringArray"]).len() as u64);
    let categories = list(&profile["meta"]["categories"]).len() as u64;
    for thread in list(&profile["threads"]) {
        let markers = &thread["markers"];
        let columns = ["name", "startTime", "endTime", "phase", "category", "data"];
        is_table(markers, "markers", &columns);
        for at in 0..markers["length"].as_u64().unwrap() as usize {
            let number = |column: &str| markers[column][at].as_f64().unwrap();
            // An interval has a begin and an end.
            assert_eq!(number("phase"), 1.0);
            assert!(0.0 <= number("startTime") && number("startTime") <= number("endTime"));
            assert!((number("name") as u64) < strings && (number("category") as u64) < categories);
            let data = &markers["data"][at];
            let schema = schemas.iter().find(|schema| schema["name"] == data["type"]);
            let fields = list(&schema.expect("a schema")["fields"]);
            for (key, value) in data.as_object().unwrap().iter().filter(|(key, _)| *key != "type") {
                let field = fields.iter().find(|field| field["key"] == key.as_str());
                let format = &field.expect("a field of the schema")["format"];
                let is_number = format == "integer" || format == "bytes";
                assert_eq!(value.is_number(), is_number, "{key}: {value}");
            }
            seen.push(data["type"].as_str().unwrap().to_owned());
        }
    }
    for name in ["OpenMPRegion", "OpenMPWait", "OpenMPTarget", "OpenMPDevice"] {
        assert!(seen.iter().any(|known| known == name), "{name} of {seen:?}");
    }
}

#[test]
fn a_device_has_a_track_of_its_kernels_and_copies() {
    let profile = profile();
    let threads = list(&profile["threads"]);
    let device = threads.iter().find(|thread| thread["name"] == "OpenMP device 0").unwrap();
    let strings = list(&profile["shared"]["stringArray"]);
    let of = |thread: &Value| -> Vec<(String, Value)> {
        let markers = &thread["markers"];
        let names = list(&markers["name"]).iter().map(|name| name.as_u64().unwrap() as usize);
        let names = names.map(|name| strings[name].as_str().unwrap().to_owned());
        let first_word = |name: String| name.split(" at ").next().unwrap().to_owned();
        names.map(first_word).zip(list(&markers["data"]).iter().cloned()).collect()
    };
    let found = of(device);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let [to, from] = ["copy to the device: target", "copy from the device: target"];
    assert_eq!(names, [to, "kernel: target", from]);
    assert_eq!((&found[0].1["bytes"], &found[2].1["bytes"]), (&4096.into(), &512.into()));
    let constructs = of(&threads[0]);
    let construct = constructs.iter().find(|(_, data)| data["type"] == "OpenMPTarget").unwrap();
    assert_eq!((construct.0.as_str(), &construct.1["device"]), ("target", &"0".into()));
}
