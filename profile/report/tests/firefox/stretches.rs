//! The begins and ends of markers, and their lines.

use super::*;
use support::build;
use support::regions::BASE;

fn markers(recorder: &mut Recorder) -> Vec<(String, Value)> {
    recorder.end(900 * MS);
    let profile: Value = serde_json::from_str(&firefox::render(&recorder.analyse())).unwrap();
    let markers = &profile["threads"][0]["markers"];
    let strings = &profile["shared"]["stringArray"];
    let name = |at: &Value| strings[at.as_u64().unwrap() as usize].as_str().unwrap().to_owned();
    let names = list(&markers["name"]).iter().map(name);
    names.zip(list(&markers["data"]).clone()).collect()
}

/// One instance of a region is one marker, though its thread had no sample for a while.
#[test]
fn a_region_without_samples_for_a_while_goes_on() {
    let mut recorder = Recorder::new(&[(APP, 0x1000, "/nowhere/app", 0)]);
    for thread in 0..2 {
        recorder.thread(thread, 1 + thread);
    }
    for region in [1, 2] {
        recorder.fork(0, region, 0, SITE, &[SITE, APP + 0x101]);
        for _ in 0..3 {
            recorder.sample(0, state::PARALLEL, region, &[BODY, SITE, APP + 0x101]);
            for _ in 0..5 {
                recorder.sample(1, state::PARALLEL, region, &[BODY, SITE, APP + 0x101]);
            }
        }
    }
    let found = markers(&mut recorder);
    let instances: Vec<_> = found.iter().map(|(_, data)| data["instance"].as_u64()).collect();
    assert_eq!(instances, [Some(1), Some(2)], "{found:?}");
}

/// A wait in code without lines does not take the line from which its caller's caller called.
#[test]
fn a_wait_has_its_own_line_or_none() {
    let source =
        "void run(void);\nint main(void)\n{\n    run();\n    return 0;\n}\nvoid run(void) {}\n";
    let built = build("gcc", "main.c", source, &["-O0"]);
    let main = BASE + built.calls("main", "run")[0];
    let mut recorder =
        Recorder::new(&[(APP, 0x1000, "/nowhere/lib.so", 0), (BASE, 1 << 20, built.path(), 0)]);
    recorder.thread(0, 1);
    recorder.fork(0, 1, 0, SITE, &[SITE, main]);
    recorder.sample(0, state::PARALLEL, 1, &[BODY, SITE, main]);
    recorder.sample(0, state::IMPLICIT_BARRIER, 1, &[BODY, SITE, main]);
    recorder.sample(0, state::SERIAL, 0, &[main - 1]);
    recorder.push(0, SampleCall { thread: 0, blocked: MS, call: b"read" });
    let found = markers(&mut recorder);
    let of = |name: &str| &found.iter().find(|(own, _)| own.contains(name)).expect(name).1;
    assert_eq!(of("barrier")["line"], Value::Null, "{found:?}");
    assert_eq!(of("blocked in read")["line"], 4, "{found:?}");
}
