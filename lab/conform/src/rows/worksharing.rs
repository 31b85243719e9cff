//! Worksharing: work, dispatch, masked.

use super::Row;
use crate::stream::{Stream, hold};

/// Two threads each begin and end the construct, with this count.
fn both(stream: &Stream, kinds: &[&str], count: Option<u64>) -> Result<(), String> {
    stream.nested("work")?;
    for endpoint in ["Begin", "End"] {
        let found: Vec<_> = stream
            .named("work")
            .filter(|event| event.is("endpoint", endpoint) && kinds.contains(&event.get("kind")))
            .collect();
        if found.len() != 2 {
            return Err(format!("{} of {kinds:?} {endpoint}, not 2", found.len()));
        }
        for event in found {
            hold(event.get("region") != "?" && event.get("task") != "?", "lost words", event)?;
            hold(event.number("code") != 0, "no place", event)?;
            let fits =
                endpoint == "End" || count.is_none_or(|count| event.number("count") == count);
            hold(fits, "count", event)?;
        }
    }
    Ok(())
}

/// The chunks of these kinds cover 0 to `count` exactly once.
fn covered(stream: &Stream, kind: &str, count: u64) -> Result<(), String> {
    let mut seen = vec![0; count as usize];
    for event in stream.with("dispatch", &[("kind", kind)]) {
        for at in event.number("start")..event.number("start") + event.number("count") {
            let place = seen.get_mut(at as usize).ok_or(format!("outside the loop: {event}"))?;
            *place += 1;
        }
    }
    match seen.iter().position(|times| *times != 1) {
        Some(at) => Err(format!("iteration {at} was dispatched {} times", seen[at])),
        None => Ok(()),
    }
}

pub const ROWS: &[Row] = &[
    Row {
        name: "loop-static",
        section: "19.5.2.5",
        says: "each thread's share begins and ends, with the loop's iterations as count",
        events: &["work"],
        inlined: &["gcc"],
        program: include_str!("programs/loop-static.c"),
        status: 0,
        check: |stream| both(stream, &["Loop", "LoopStatic"], Some(10)),
    },
    Row {
        name: "loop-dynamic",
        section: "19.5.2.5",
        says: "each thread's share begins and ends, with the loop's iterations as count",
        events: &["work"],
        inlined: &[],
        program: include_str!("programs/loop-dynamic.c"),
        status: 0,
        check: |stream| both(stream, &["Loop", "LoopDynamic"], Some(10)),
    },
    Row {
        name: "loop-guided",
        section: "19.5.2.5",
        says: "each thread's share begins and ends, with the loop's iterations as count",
        events: &["work"],
        inlined: &[],
        program: include_str!("programs/loop-guided.c"),
        status: 0,
        check: |stream| both(stream, &["Loop", "LoopGuided"], Some(10)),
    },
    Row {
        name: "loop-chunks",
        section: "19.5.2.6",
        says: "the chunks that are dispatched are all iterations, each once",
        events: &["dispatch"],
        inlined: &[],
        program: include_str!("programs/loop-chunks.c"),
        status: 0,
        check: |stream| covered(stream, "LoopChunk", 20),
    },
    Row {
        name: "loop-chunks-guided",
        section: "19.5.2.6",
        says: "the chunks that are dispatched are all iterations, each once",
        events: &["dispatch"],
        inlined: &[],
        program: include_str!("programs/loop-chunks-guided.c"),
        status: 0,
        check: |stream| covered(stream, "LoopChunk", 64),
    },
    Row {
        name: "sections",
        section: "19.5.2.5",
        says: "each thread's share begins and ends, with the number of sections as count",
        events: &["work"],
        inlined: &[],
        program: include_str!("programs/sections.c"),
        status: 0,
        check: |stream| both(stream, &["Sections"], Some(3)),
    },
    Row {
        name: "sections-dispatch",
        section: "19.5.2.6",
        says: "each section is dispatched once",
        events: &["dispatch"],
        inlined: &["clang"],
        program: include_str!("programs/sections-dispatch.c"),
        status: 0,
        check: |stream| stream.exactly(3, "dispatch", &[("kind", "Section")]).map(drop),
    },
    Row {
        name: "single",
        section: "19.5.2.5",
        says: "one thread executes, the other does not, and both begin and end",
        events: &["work"],
        inlined: &[],
        program: include_str!("programs/single.c"),
        status: 0,
        check: |stream| {
            both(stream, &["SingleExecutor", "SingleOther"], Some(1))?;
            let fields = [("kind", "SingleExecutor"), ("endpoint", "Begin")];
            stream.exactly(1, "work", &fields).map(drop)
        },
    },
    Row {
        name: "distribute",
        section: "19.5.2.5",
        says: "each team's share begins and ends",
        events: &["work"],
        inlined: &["gcc"],
        program: include_str!("programs/distribute.c"),
        status: 0,
        check: |stream| {
            stream.nested("work")?;
            let fields = [("kind", "Distribute"), ("endpoint", "Begin")];
            stream.exactly(2, "work", &fields).map(drop)
        },
    },
    Row {
        name: "scope",
        section: "19.5.2.5",
        says: "each thread begins and ends",
        events: &["work"],
        inlined: &["gcc"],
        program: include_str!("programs/scope.c"),
        status: 0,
        check: |stream| both(stream, &["Scope"], None),
    },
    Row {
        name: "masked",
        section: "19.5.2.12",
        says: "the primary begins and ends, nobody else",
        events: &["masked"],
        inlined: &["gcc"],
        program: include_str!("programs/masked.c"),
        status: 0,
        check: |stream| {
            stream.nested("masked")?;
            stream.exactly(1, "masked", &[("endpoint", "Begin")]).map(drop)
        },
    },
    Row {
        name: "loop-chunks-static",
        section: "19.5.2.6",
        says: "all chunks of a static loop are dispatched, not only the first of each thread",
        events: &["dispatch"],
        inlined: &["gcc"],
        program: include_str!("programs/loop-chunks-static.c"),
        status: 0,
        check: |stream| covered(stream, "LoopChunk", 20),
    },
    Row {
        name: "loop-chunks-alone",
        section: "19.5.2.6",
        says: "a loop that one thread executes alone is dispatched too",
        events: &["dispatch"],
        inlined: &["gcc"],
        program: include_str!("programs/loop-chunks-alone.c"),
        status: 0,
        check: |stream| covered(stream, "LoopChunk", 20),
    },
    Row {
        name: "taskloop-chunks",
        section: "19.5.2.6",
        says: "the tasks of a taskloop dispatch all its iterations, each once",
        events: &["dispatch"],
        inlined: &[],
        program: include_str!("programs/taskloop-chunks.c"),
        status: 0,
        check: |stream| covered(stream, "TaskloopChunk", 20),
    },
    Row {
        name: "distribute-chunks",
        section: "19.5.2.6",
        says: "the teams dispatch all iterations, each once",
        events: &["dispatch"],
        inlined: &["gcc"],
        program: include_str!("programs/distribute-chunks.c"),
        status: 0,
        check: |stream| covered(stream, "DistributeChunk", 20),
    },
];
