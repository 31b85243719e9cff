//! `--only REGION`: the calls in the program's files that make the regions of that name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use omphalos_program::{Construct, Mapped, Names};

use crate::elf::{self, Start};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::loader;

/// The room that each file gets in one range of addresses, so that no two files overlap.
const ROOM: u64 = 1 << 40;

/// Returns the text for the agent, a line for each file: the calls' return addresses, counted from
/// the file's begin in memory, and the file's path.
pub fn resolve(text: &str, program: &Path) -> Result<String, Failure> {
    let refused = |why: String| Failure::ours(format!("--only {text}: {why}"));
    let own = elf::read(program).map_err(|_| {
        refused(format!(
            "{} is no program with code of its own; a script may say by omp_control_tool what is \
             measured",
            program.display()
        ))
    })?;
    let files = files(program, &own.start);
    let base = |number: usize| (number as u64 + 1) * ROOM;
    let mapped = |(number, file): (usize, &PathBuf)| {
        let (base, file) = (base(number), file.to_string_lossy().into_owned());
        Mapped { base, end: base + ROOM, file, wanted: true }
    };
    let mapped: Vec<Mapped> = files.iter().enumerate().map(mapped).collect();
    let names = Names::open(&mapped, &mut Vec::new());
    let regions = names.regions();
    let mut found: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
    for (after, _) in regions.iter().filter(|(_, construct)| is_called(construct, text)) {
        let number = (after / ROOM - 1) as usize;
        found.entry(number).or_default().insert(after - base(number));
    }
    if found.is_empty() {
        let known = regions.iter().map(|(_, construct)| &**construct);
        return Err(refused(other_regions(program, known)));
    }
    let mut lines = String::new();
    for (number, offsets) in found {
        let offsets: Vec<String> = offsets.iter().map(|offset| format!("{offset:x}")).collect();
        let _ = writeln!(lines, "{} {}", offsets.join(","), files[number].display());
    }
    Ok(lines)
}

/// Returns the program and the libraries that it is linked with, by the names that the process will
/// have for them.
fn files(program: &Path, start: &Start) -> Vec<PathBuf> {
    let mut files = vec![program.canonicalize().unwrap_or_else(|_| program.to_owned())];
    if let Start::Dynamic(interpreter) = start {
        let libraries = loader::list(interpreter, program, &Environment::default());
        files.extend(libraries.into_iter().filter_map(|library| library.path));
    }
    files
}

/// Whether `text` is a region's name in a report, its place, or its function.
fn is_called(construct: &Construct, text: &str) -> bool {
    let place = construct.label.strip_prefix("region at ").unwrap_or(&construct.label);
    let function = &*construct.function;
    let plain = function.split('(').next().unwrap_or(function);
    let is_line = || {
        let (file, line) = text.rsplit_once(':')?;
        let path = Path::new(construct.file.as_deref()?);
        Some(line.parse() == Ok(construct.line) && !file.is_empty() && path.ends_with(file))
    };
    text == &*construct.label
        || text == place
        || text == function
        || text == plain
        || is_line().unwrap_or(false)
}

/// Returns the regions that the user may name instead, as a message.
fn other_regions<'a>(program: &Path, regions: impl Iterator<Item = &'a Construct>) -> String {
    const MOST: usize = 5;
    let labels: BTreeSet<&str> = regions.map(|construct| &*construct.label).collect();
    let program = program.display();
    if labels.is_empty() {
        return format!("no region is found in the code of {program} and its libraries");
    }
    let mut named: Vec<&str> = labels.iter().take(MOST).copied().collect();
    let more = format!("{} more", labels.len().saturating_sub(MOST));
    if labels.len() > MOST {
        named.push(&more);
    }
    format!("no region of {program} is called so; it has: {}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_called_by_place_or_function() {
        let construct = Construct {
            kind: omphalos_program::ConstructKind::Region,
            file: Some("/src/sub/a.cc".into()),
            line: 20,
            function: "solve(int)".into(),
            label: "region at a.cc:20 in solve(int)".into(),
            tail_called: false,
        };
        let known =
            ["a.cc:20", "sub/a.cc:20", "solve", "solve(int)", "region at a.cc:20 in solve(int)"];
        assert!(known.iter().all(|text| is_called(&construct, text)));
        let others = ["a.cc:2", "b.cc:20", "sol", "", ":20", "cc:20"];
        assert!(!others.iter().any(|text| is_called(&construct, text)));
    }
}
