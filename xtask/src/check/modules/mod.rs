//! The module arrows: checks which of a crate's rooms may know which. They are to a crate what the
//! crate arrows (`arrows.rs`) are to the workspace: a room is a file or folder directly in the
//! crate's `src`. The files and folders in a large room have a table of their own. The tables are
//! in `rooms.txt`.

use super::sources::{self, Source};
use super::tables::{self, Table as Rooms};
use crate::Outcome;
use crate::tools::root;
use std::collections::BTreeSet;

/// Arrows that point up, and why they may.
const UP: &[(&str, &str, &str, &str)] = &[
    (
        "events",
        "subscribers",
        "tell_tools",
        "one table in two halves that change together: who wants a kind, what is called for it",
    ),
    (
        "engine",
        "records",
        "process",
        "whoever asks for the calling thread's record first meets the runtime: `Thread::current`",
    ),
    (
        "engine",
        "threads",
        "process",
        "a thread that is made has to be told what to run: a worker's life",
    ),
    (
        "engine::tasks",
        "execute",
        "scheduling_point",
        "the end of an undeferred task with an event is itself a task scheduling point",
    ),
];

/// Returns all tables: each with the name of the crate, or of the folder in it, whose rooms have an
/// order.
fn all() -> impl Iterator<Item = (&'static str, Rooms)> {
    let parts = include_str!("rooms.txt").split("\n[").skip(1);
    parts.filter_map(|part| part.split_once("]\n")).map(|(name, text)| (name, tables::read(text)))
}

/// Reads the sources.
pub fn check() -> Outcome {
    let mut faults = points_up();
    for source in sources::of_crates()?.iter().chain(&sources::under("xtask")?) {
        let folder = root().join(source.path.trim_end_matches(".rs"));
        if source.path.contains("/src/") && folder.is_dir() {
            faults.push(format!("{}: has a folder, so it is its `mod.rs`", source.path));
        }
    }
    for (name, rooms) in all() {
        for source in sources::under(&folder(name))?.iter().filter(|source| !source.is_test()) {
            faults.extend(faults_of(name, rooms, source));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

/// Returns the folder with the rooms of a table: that of a crate, or of a folder in one
/// (`crate::folder`).
fn folder(name: &str) -> String {
    match name.split_once("::") {
        Some((name, folder)) => {
            format!("{}/src/{}", sources::folder_of(name), folder.replace("::", "/"))
        }
        None => format!("{}/src", sources::folder_of(name)),
    }
}

/// Returns a fault for each arrow of the tables that points up and is not in `UP`.
fn points_up() -> Vec<String> {
    let mut faults = Vec::new();
    for (name, rooms) in all() {
        for (row, (room, allowed)) in rooms.iter().enumerate() {
            for other in *allowed {
                let below = rooms.iter().position(|(known, _)| known == other);
                let argued = UP.iter().any(|up| (up.0, up.1, up.2) == (name, *room, *other));
                if !argued && below.is_none_or(|below| below <= row) {
                    faults.push(format!("{name}: the table lets `{room}` know `{other}` above it"));
                }
            }
        }
    }
    faults
}

fn faults_of(name: &str, rooms: Rooms, source: &Source) -> Vec<String> {
    let inside = source.path.strip_prefix(&folder(name)).unwrap_or("").trim_start_matches('/');
    let mut path: Vec<&str> = inside.trim_end_matches(".rs").split('/').collect();
    if path.last() == Some(&"mod") {
        path.pop();
    }
    let Some(&room) = path.first().filter(|&&room| room != "lib") else { return Vec::new() };
    let Some((_, allowed)) = rooms.iter().find(|(known, _)| *known == room) else {
        let table = "xtask/src/check/modules/rooms.txt";
        return vec![format!("{}: `{room}` is not in {table}", source.path)];
    };
    let code: String = source.lines().map(|(_, line)| format!("{line}\n")).collect();
    let known = |other: &str| rooms.iter().any(|(room, _)| *room == other);
    let folder = name.split_once("::").map(|(_, folder)| folder);
    let root = folder.map_or(String::from("crate::"), |folder| format!("crate::{folder}::"));
    let fault = |other: String| {
        let path = &source.path;
        if !known(&other) {
            // An item that the folder's `mod.rs` re-exports would hide the room that it comes from.
            let is_item = folder.is_some() && !["super", "self", ""].contains(&other.as_str());
            return is_item.then(|| format!("{path}: `{room}` does not say where `{other}` is"));
        }
        let allows = other == room || allowed.contains(&other.as_str());
        (!allows).then(|| format!("{path}: `{room}` knows `{other}`, against the arrows of {name}"))
    };
    named(&code, root, path.len()).into_iter().filter_map(fault).collect()
}

/// Returns the names directly in `root` that the code of a module uses; `depth` is the module's
/// depth below `root`.
fn named(code: &str, root: String, depth: usize) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut names = BTreeSet::new();
    for root in [root, "super::".repeat(depth)] {
        for (at, _) in code.match_indices(&root) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || "_:$".contains(c)) {
                continue;
            }
            let rest = &code[at + root.len()..];
            match rest.strip_prefix('{') {
                Some(group) => names.extend(members(group).iter().map(|member| word(member))),
                None => drop(names.insert(word(rest))),
            }
        }
    }
    names
}

/// Returns the members of a group; `group` begins after the opening brace.
fn members(group: &str) -> Vec<String> {
    let (mut depth, mut members) = (1, vec![String::new()]);
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => members.push(String::new()),
            _ => {}
        }
        match members.last_mut() {
            Some(member) if depth > 0 => member.push(c),
            _ => break,
        }
    }
    members.iter().map(|member| member.trim_matches([',', ' ', '\n']).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOMS: Rooms = &[("top", &["low"]), ("low", &[])];

    fn faults_in(name: &str, path: &str, text: &str) -> usize {
        let path = format!("{}/{path}", folder(name));
        faults_of(name, ROOMS, &Source { path, text: String::from(text) }).len()
    }

    fn faults(path: &str, text: &str) -> usize {
        faults_in("x", path, text)
    }

    #[test]
    fn arrows_against_the_table_are_found() {
        assert_eq!(faults("top/a.rs", "use crate::low::Thing;"), 0);
        assert_eq!(faults("low.rs", "use crate::top::Thing;"), 1);
        assert_eq!(faults("low/a.rs", "use crate::{other, top::{Thing, More}};"), 1);
        assert_eq!(faults("low/a.rs", "use super::super::top::Thing;"), 1);
        assert_eq!(faults("low/a.rs", "use super::top::Thing;"), 0);
        assert_eq!(faults("low.rs", "// crate::top is above"), 0);
        assert_eq!(faults("new.rs", ""), 1);
    }

    #[test]
    fn a_folder_of_a_crate_has_rooms_too() {
        assert_eq!(faults_in("x::y", "top.rs", "use super::low::Thing;"), 0);
        assert_eq!(faults_in("x::y", "low.rs", "use super::top::Thing;"), 1);
        assert_eq!(faults_in("x::y", "low.rs", "use crate::y::top::Thing;"), 1);
        assert_eq!(faults_in("x::y", "low.rs", "use crate::top::Thing;"), 0);
        assert_eq!(faults_in("x::y", "low/a.rs", "use super::super::top::Thing;"), 1);
        assert_eq!(faults_in("x::y", "low.rs", "use super::passed_on;"), 1);
        assert_eq!(faults_in("x::y", "mod.rs", "mod top;"), 0);
        assert_eq!(faults_in("x::y::z", "low.rs", "use super::top::Thing;"), 1);
        assert_eq!(faults_in("x::y::z", "low.rs", "use crate::y::z::top::Thing;"), 1);
        assert_eq!(faults_in("x::y::z", "low.rs", "use super::super::top::Thing;"), 0);
    }

    #[test]
    fn the_table_points_down_but_for_what_is_argued() {
        assert_eq!(points_up(), Vec::<String>::new());
    }
}
