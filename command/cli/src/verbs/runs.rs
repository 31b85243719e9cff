//! The places of runs: a profile, a report as JSON, or a folder with the profiles of several runs,
//! in the form of `omphalos profile --repeat`: `run-1.omph`, and `run-1.omph.PID` for its other
//! processes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use omphalos_report::{Profile, json};
use serde_json::Value;

use crate::failure::Failure;
use crate::verbs::report;

/// The begin of the name of a run's profile; a number and the end follow.
const BEGIN: &str = "run-";
const END: &str = ".omph";

/// Returns the name of the profile of a run, numbered from 1.
pub fn name(number: u32) -> String {
    format!("{BEGIN}{number}{END}")
}

/// Whether a file of this name is a run's profile, or that of a further process of the run.
pub fn is_name(name: &str) -> bool {
    is_numbered(name, BEGIN)
}

/// Whether a profile's name is this begin and a number.
pub fn is_numbered(name: &str, begin: &str) -> bool {
    let number = name.strip_prefix(begin).and_then(|rest| rest.split_once(END));
    number.is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}

/// Returns the profiles in a folder by run, those of one run together.
///
/// # Errors
/// If the folder cannot be read, or has no profiles.
pub fn in_folder(folder: &Path) -> Result<Vec<Vec<PathBuf>>, Failure> {
    let cannot = |why: &dyn std::fmt::Display| {
        Failure::ours(format!("{} holds no runs: {why}", folder.display()))
    };
    let mut runs: BTreeMap<(u32, String), Vec<PathBuf>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(|error| cannot(&error))? {
        let path = entry.map_err(|error| cannot(&error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(end) = name.find(END) else { continue };
        // All ranks of a job are one run.
        let own = if report::job::is_name(&name) { "" } else { &name[..end] };
        let number = own.strip_prefix(BEGIN).and_then(|number| number.parse().ok());
        runs.entry((number.unwrap_or(0), own.to_owned())).or_default().push(path);
    }
    if runs.is_empty() {
        return Err(cannot(&"there is no profile in it (omphalos profile --repeat makes such)"));
    }
    let mut runs: Vec<_> = runs.into_values().collect();
    runs.iter_mut().for_each(|files| files.sort());
    Ok(runs)
}

/// Returns the reports at `path`, one for each run.
///
/// # Errors
/// If something there cannot be read, or is no run of an OpenMP program.
pub fn reports(path: &Path) -> Result<Vec<Value>, Failure> {
    if path.is_dir() {
        return in_folder(path)?.iter().map(|files| of_run(files)).collect();
    }
    if let Some(report) = as_json(path)? {
        return Ok(vec![report]);
    }
    of_run(&[path.to_owned()]).map(|report| vec![report])
}

/// Returns the report of a run: of its processes, that of the one with the most work.
///
/// # Errors
/// As [`reports`].
pub fn of_run(files: &[PathBuf]) -> Result<Value, Failure> {
    let mut found = Vec::new();
    let mut failed = None;
    for file in files {
        match of_profile(file) {
            Ok(report) => found.push(report),
            Err(failure) => failed = failed.or(Some(failure)),
        }
    }
    let work = |report: &Value| report["summary"]["openmp_work_ns"].as_u64().unwrap_or(0);
    let none = || Failure::ours("there is no profile");
    found.into_iter().rev().max_by_key(work).ok_or_else(|| failed.unwrap_or_else(none))
}

/// Returns a profile's report: the one that was kept at the program's end, which has the names of
/// the program that ran, or else a new one.
fn of_profile(file: &Path) -> Result<Value, Failure> {
    let profile = Profile::open(file).map_err(|error| Failure::ours(error.to_string()))?;
    if let Some(report) = profile.kept_report().and_then(|text| parse(&text).ok()) {
        return Ok(report);
    }
    match report::analyse(file)? {
        Some(analysis) => Ok(json::to_value(&analysis)),
        None => Err(Failure::ours(format!(
            "no OpenMP was used by the program that wrote {}: there is nothing to compare",
            file.display()
        ))),
    }
}

/// Reads a file that begins like JSON; `None` if it does not.
fn as_json(path: &Path) -> Result<Option<Value>, Failure> {
    let cannot = |why: &dyn std::fmt::Display| {
        Failure::ours(format!("cannot read {}: {why}", path.display()))
    };
    let mut start = [0; 64];
    let read = std::fs::File::open(path)
        .and_then(|mut file| std::io::Read::read(&mut file, &mut start))
        .map_err(|error| cannot(&error))?;
    if !start[..read].trim_ascii_start().starts_with(b"{") {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(|error| cannot(&error))?;
    parse(&text).map(Some).map_err(|error| cannot(&error))
}

/// The most levels to which values may be nested. Call trees are as deep as the program's stacks
/// were, but a damaged text may have any depth.
const DEEPEST: usize = 4096;
/// The most bytes of stack that reading one level may take.
const LEVEL: usize = 4096;

fn parse(text: &str) -> Result<Value, String> {
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest > DEEPEST {
        return Err(format!("it is {deepest} levels deep"));
    }
    let read = || {
        let mut reader = serde_json::Deserializer::from_str(text);
        reader.disable_recursion_limit();
        serde::Deserialize::deserialize(&mut reader).map_err(|error| error.to_string())
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEPEST * LEVEL);
        let reading = thread.spawn_scoped(scope, read).map_err(|error| error.to_string())?;
        reading.join().unwrap_or_else(|_| Err("it cannot be read".to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_in_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["run-10.omph", "run-2.omph", "run-2.omph.77", "run-1.omph", "notes.txt"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let runs = in_folder(folder.path()).unwrap();
        let names: Vec<Vec<_>> = runs
            .iter()
            .map(|files| files.iter().map(|f| f.file_name().unwrap().to_str().unwrap()).collect())
            .collect();
        let wanted: [&[&str]; 3] =
            [&["run-1.omph"], &["run-2.omph", "run-2.omph.77"], &["run-10.omph"]];
        assert_eq!(names, wanted);
        assert!(in_folder(&folder.path().join("absent")).is_err());
    }
}
