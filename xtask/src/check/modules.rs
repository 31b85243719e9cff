//! The module arrows: which of a crate's rooms may know which. As the crate arrows (`arrows.rs`),
//! one floor below: a room is a file or folder directly in the crate's `src`.

use super::sources::{self, Source};
use crate::Outcome;
use std::collections::BTreeSet;

/// A room with the rooms that it may know, the highest first.
type Rooms = &'static [(&'static str, &'static [&'static str])];

const CRATES: &[(&str, Rooms)] = &[
    (
        "capi",
        &[
            ("atomics", &["shared"]),
            ("critical", &["shared"]),
            ("locks", &["shared"]),
            // Interoperability waits for a list of dependences of LLVM's.
            ("tgt", &["kmpc", "shared"]),
            // What an `error` directive says, a strict `num_threads` clause says too.
            ("kmpc", &["routines", "shared"]),
            // Interoperability waits for a list of dependences of GCC's.
            ("routines", &["gomp"]),
            ("gomp", &["shared"]),
            ("shared", &[]),
            ("refused", &[]),
        ],
    ),
    (
        "memory",
        &[
            ("block", &["allocator", "device_block"]),
            ("space", &["allocator", "device"]),
            ("device_block", &["allocator", "device"]),
            ("allocator", &["device", "partition"]),
            ("partition", &[]),
            ("device", &[]),
            ("tracked", &[]),
        ],
    ),
    (
        "tools",
        &[
            ("find", &["ahead", "earlier", "ompt5", "search", "settings", "verbose"]),
            ("ahead", &["ompt5", "search", "settings"]),
            ("verbose", &["settings"]),
            ("settings", &["earlier"]),
            ("ompt5", &["compilers", "names", "search", "slot", "trace"]),
            ("earlier", &["names", "slot", "trace"]),
            ("collector", &[]),
            ("trace", &[]),
            ("compilers", &["dynamic"]),
            ("search", &["dynamic"]),
            ("dynamic", &[]),
            ("names", &[]),
            ("slot", &[]),
        ],
    ),
    (
        "engine",
        &[
            (
                "process",
                &[
                    "affinity",
                    "enable",
                    "hooks",
                    "inquire",
                    "mutex",
                    "records",
                    "target",
                    "tasks",
                    "team",
                    "threadprivate",
                    "threads",
                ],
            ),
            ("described", &["enable", "records", "tasks", "threads", "worksharing"]),
            ("inquire", &["affinity", "records", "target", "threads"]),
            ("teams", &["affinity", "barrier", "enable", "hooks", "icv", "records", "team"]),
            ("target", &["enable", "hooks", "records", "team"]),
            ("taskgraph", &["records", "tasks"]),
            ("threadprivate", &["records"]),
            ("icv", &["records", "tasks"]),
            (
                "team",
                &[
                    "affinity", "barrier", "call", "cancel", "enable", "hooks", "records", "tasks",
                    "threads", "waiting",
                ],
            ),
            ("barrier", &["call", "cancel", "records", "tasks", "waiting"]),
            ("cancel", &["records", "tasks", "waiting", "worksharing"]),
            (
                "tasks",
                &[
                    "affinity",
                    "call",
                    "enable",
                    "hooks",
                    "mutex",
                    "records",
                    "threads",
                    "waiting",
                    "worksharing",
                ],
            ),
            ("worksharing", &["call", "mutex", "records", "waiting"]),
            ("atomics", &["mutex"]),
            ("mutex", &["call", "records", "threads", "waiting"]),
            ("hooks", &["records"]),
            ("affinity", &["records"]),
            ("waiting", &["records"]),
            ("threads", &["process", "records"]),
            ("enable", &["records"]),
            ("call", &["records"]),
            ("records", &["process"]),
        ],
    ),
    (
        "agent",
        &[
            ("loaded", &["collector", "interpose", "life"]),
            ("collector", &["recording", "stream", "thread", "tool", "unwind"]),
            (
                "tool",
                &[
                    "accounting",
                    "clock",
                    "interpose",
                    "life",
                    "recording",
                    "sampling",
                    "stream",
                    "thread",
                    "totals",
                    "unwind",
                ],
            ),
            (
                "interpose",
                &[
                    "accounting",
                    "clock",
                    "life",
                    "mark",
                    "recording",
                    "sampling",
                    "stream",
                    "thread",
                    "unwind",
                ],
            ),
            (
                "life",
                &[
                    "accounting",
                    "clock",
                    "recording",
                    "sampling",
                    "stream",
                    "thread",
                    "totals",
                    "unwind",
                ],
            ),
            (
                "sampling",
                &[
                    "accounting",
                    "clock",
                    "mark",
                    "recording",
                    "sampler",
                    "stream",
                    "thread",
                    "totals",
                    "unwind",
                ],
            ),
            ("totals", &["accounting", "clock", "mark", "memory", "sched", "stream", "thread"]),
            ("thread", &["accounting", "clock", "mark", "recording", "sampler", "sched"]),
            ("sampler", &["clock", "memory", "recording", "sched", "stream", "unwind"]),
            ("accounting", &["clock", "memory"]),
            ("stream", &["clock", "recording", "unwind"]),
            ("mark", &["unwind"]),
            ("unwind", &["memory"]),
            ("recording", &["config"]),
            ("config", &[]),
            ("sched", &[]),
            ("clock", &[]),
            ("memory", &[]),
        ],
    ),
    (
        "events",
        &[
            ("lifecycle", &["subscribers"]),
            ("wishes", &["subscribers", "partner", "kinds"]),
            ("inquiry", &["quiet", "kinds"]),
            ("tell", &["subscribers", "event", "kinds"]),
            ("subscribers", &["tell", "partner", "event", "kinds"]),
            ("partner", &["kinds"]),
            ("event", &["kinds"]),
            ("quiet", &[]),
            ("kinds", &[]),
        ],
    ),
];

/// Arrows that point up, and why.
const UP: &[(&str, &str, &str, &str)] = &[
    (
        "events",
        "subscribers",
        "tell",
        "one table in two halves that change together: who hears of a kind, what is called for it",
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
];

/// Reads the sources.
pub fn check() -> Outcome {
    let mut faults = points_up();
    for (name, rooms) in CRATES {
        for source in sources::under(&format!("crates/{name}/src"))? {
            faults.extend(faults_of(name, rooms, &source));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

/// Arrows of the table that point up and are not argued.
fn points_up() -> Vec<String> {
    let mut faults = Vec::new();
    for (name, rooms) in CRATES {
        for (row, (room, allowed)) in rooms.iter().enumerate() {
            for other in *allowed {
                let below = rooms.iter().position(|(known, _)| known == other);
                let argued = UP.iter().any(|up| (up.0, up.1, up.2) == (*name, *room, *other));
                if !argued && below.is_none_or(|below| below <= row) {
                    faults.push(format!("{name}: the table lets `{room}` know `{other}` above it"));
                }
            }
        }
    }
    faults
}

fn faults_of(name: &str, rooms: Rooms, source: &Source) -> Vec<String> {
    let inside = source.path.split_once("/src/").map_or("", |(_, inside)| inside);
    let mut path: Vec<&str> = inside.trim_end_matches(".rs").split('/').collect();
    if path.last() == Some(&"mod") {
        path.pop();
    }
    let Some(&room) = path.first().filter(|&&room| room != "lib") else { return Vec::new() };
    let Some((_, allowed)) = rooms.iter().find(|(known, _)| *known == room) else {
        return vec![format!("{}: `{room}` is not in xtask/src/check/modules.rs", source.path)];
    };
    let code: String = source.lines().map(|(_, line)| format!("{line}\n")).collect();
    let known = |other: &str| rooms.iter().any(|(room, _)| *room == other);
    named(&code, path.len())
        .into_iter()
        .filter(|other| other != room && known(other) && !allowed.contains(&other.as_str()))
        .map(|other| {
            format!("{}: `{room}` knows `{other}`, against the arrows of {name}", source.path)
        })
        .collect()
}

/// The names directly in the crate's root that the code of a module at this depth uses.
fn named(code: &str, depth: usize) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut names = BTreeSet::new();
    for root in [String::from("crate::"), "super::".repeat(depth)] {
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

/// The members of a group whose opening brace is gone.
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

    fn faults(path: &str, text: &str) -> usize {
        let source = Source { path: format!("crates/x/src/{path}"), text: String::from(text) };
        faults_of("x", ROOMS, &source).len()
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
    fn the_table_points_down_but_for_what_is_argued() {
        assert_eq!(points_up(), Vec::<String>::new());
    }
}
