//! Profiles of released versions stay readable: one of each is stored, without its program.

use std::path::{Path, PathBuf};

use omphalos_report::{Analysis, NoProgress, Profile, json};
use serde_json::Value;

/// The stored profiles, `MAJOR.MINOR.omph`.
fn stored() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stored");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "omph")).collect();
    paths.sort();
    paths
}

#[test]
fn each_release_has_one() {
    let this =
        concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"), ".omph");
    for name in ["0.1.omph", this] {
        let is_there = stored().iter().any(|path| path.ends_with(name));
        assert!(is_there, "{name} is not stored: tests/stored/README.md says how it is made");
    }
}

/// One region of two threads; in it a dynamic loop of eight iterations, four tasks, and a critical
/// region that both enter.
#[test]
fn they_say_what_they_said() {
    for path in stored() {
        let profile = Profile::open(&path).unwrap();
        let analysis = Analysis::new(&profile, &mut NoProgress);
        let report: Value = serde_json::from_str(&json::render(&analysis)).unwrap();
        let name = path.display();
        let warnings = report["warnings"].as_array().unwrap();
        let of_program = |warning: &Value| warning.as_str().unwrap().contains("cannot be read");
        assert!(warnings.iter().all(of_program), "{name}: {warnings:?}");
        assert_eq!(report["threads"].as_array().unwrap().len(), 2, "{name}");
        let region = &report["regions"][0];
        assert_eq!(region["instances"], 1, "{name}");
        assert_eq!(region["team_size"], 2.0, "{name}");
        assert!(region["work_ns"].as_u64().unwrap() > 0, "{name}");
        let constructs = region["constructs"].as_array().unwrap();
        let of_loop = constructs.iter().find(|row| row["iterations"] == 8);
        assert_eq!(of_loop.unwrap()["chunks"], 8, "{name}");
        let task = &report["tasks"][0];
        assert_eq!((&task["created"], &task["executed"]), (&4.into(), &4.into()), "{name}");
        let mutex = &report["mutexes"][0];
        assert_eq!((&mutex["kind"], &mutex["acquisitions"]), (&"critical".into(), &2.into()));
        assert!(report["summary"]["samples"].as_u64().unwrap() > 0, "{name}");
    }
}
