//! A program that its control group stops, like a container that is paused.

use std::fs;
use std::path::{Path, PathBuf};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::{paths, suite};

use super::{Running, ask, build, findings, start};

/// A control group that is removed when the test is done.
struct Group {
    folder: PathBuf,
    /// The file that freezes the group, and the words that freeze and thaw it.
    file: &'static str,
    words: [&'static str; 2],
}

/// The folders of control groups, of either version, with the file and the words.
const PLACES: [(&str, &str, [&str; 2]); 3] = [
    ("/sys/fs/cgroup/freezer", "freezer.state", ["FROZEN", "THAWED"]),
    ("/sys/fs/cgroup/unified", "cgroup.freeze", ["1", "0"]),
    ("/sys/fs/cgroup", "cgroup.freeze", ["1", "0"]),
];

impl Group {
    /// Makes a group in each of the places where the system allows it; a user may make none.
    fn all() -> Vec<Group> {
        let make = |(place, file, words): (&str, &'static str, [&'static str; 2])| {
            let folder = Path::new(place).join(format!("omphalos-test-{}", std::process::id()));
            fs::create_dir(&folder).ok()?;
            let group = Group { folder, file, words };
            group.folder.join(file).exists().then_some(group)
        };
        PLACES.into_iter().filter_map(make).collect()
    }

    fn write(&self, file: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(file);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

pub fn frozen() -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let program = build(Compiler::Gcc, &paths::tests().join("hangs/healthy_compute.c"), "")?;
    for group in Group::all() {
        let running = start(&program, &[])?;
        let result = look(&group, &running);
        // A frozen process does not end, and a group that has a process cannot be removed.
        let thawed = group.write(group.file, group.words[1]);
        drop(running);
        result.and(thawed)?;
    }
    Ok(())
}

fn look(group: &Group, running: &Running) -> Result<(), String> {
    group.write("cgroup.procs", &running.subject.to_string())?;
    for (word, wanted) in group.words.iter().zip([&["frozen"][..], &[]]) {
        group.write(group.file, word)?;
        let (seen, text) = ask(running.subject)?;
        let kinds: Vec<&str> =
            findings(&seen).iter().filter_map(|one| one["kind"].as_str()).collect();
        if kinds != wanted {
            return Err(format!("{}: {word}: {kinds:?}\n{text}", group.folder.display()));
        }
    }
    Ok(())
}
