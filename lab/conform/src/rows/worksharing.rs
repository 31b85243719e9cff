//! Worksharing: work, dispatch, masked.

use super::Row;
use crate::stream::{Stream, hold};

/// Checks that two threads each begin and end the construct, with this count.
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

/// Checks that the chunks of this kind cover 0 to `count` exactly once.
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
    row!(
        ("loop-static", "19.5.2.5"),
        "each thread's share begins and ends, with the loop's iterations as count",
        &["work"],
        &["gcc"],
        |stream| both(stream, &["Loop", "LoopStatic"], Some(10)),
    ),
    row!(
        ("loop-dynamic", "19.5.2.5"),
        "each thread's share begins and ends, with the loop's iterations as count",
        &["work"],
        |stream| both(stream, &["Loop", "LoopDynamic"], Some(10)),
    ),
    row!(
        ("loop-guided", "19.5.2.5"),
        "each thread's share begins and ends, with the loop's iterations as count",
        &["work"],
        |stream| both(stream, &["Loop", "LoopGuided"], Some(10)),
    ),
    row!(
        ("loop-chunks", "19.5.2.6"),
        "the chunks that are dispatched are all iterations, each once",
        &["dispatch"],
        |stream| covered(stream, "LoopChunk", 20),
    ),
    row!(
        ("loop-chunks-guided", "19.5.2.6"),
        "the chunks that are dispatched are all iterations, each once",
        &["dispatch"],
        |stream| covered(stream, "LoopChunk", 64),
    ),
    row!(
        ("sections", "19.5.2.5"),
        "each thread's share begins and ends, with the number of sections as count",
        &["work"],
        |stream| both(stream, &["Sections"], Some(3)),
    ),
    row!(
        ("sections-dispatch", "19.5.2.6"),
        "each section is dispatched once",
        &["dispatch"],
        &["clang"],
        |stream| stream.exactly(3, "dispatch", &[("kind", "Section")]).map(drop),
    ),
    row!(
        ("single", "19.5.2.5"),
        "one thread executes, the other does not, and both begin and end",
        &["work"],
        |stream| {
            both(stream, &["SingleExecutor", "SingleOther"], Some(1))?;
            let fields = [("kind", "SingleExecutor"), ("endpoint", "Begin")];
            stream.exactly(1, "work", &fields).map(drop)
        },
    ),
    row!(
        ("distribute", "19.5.2.5"),
        "each team's share begins and ends",
        &["work"],
        &["gcc"],
        |stream| {
            stream.nested("work")?;
            let fields = [("kind", "Distribute"), ("endpoint", "Begin")];
            stream.exactly(2, "work", &fields).map(drop)
        },
    ),
    row!(("scope", "19.5.2.5"), "each thread begins and ends", &["work"], &["gcc"], |stream| {
        both(stream, &["Scope"], None)
    },),
    row!(
        ("masked", "19.5.2.12"),
        "the primary begins and ends, nobody else",
        &["masked"],
        &["gcc"],
        |stream| {
            stream.nested("masked")?;
            stream.exactly(1, "masked", &[("endpoint", "Begin")]).map(drop)
        },
    ),
    row!(
        ("loop-chunks-static", "19.5.2.6"),
        "all chunks of a static loop are dispatched, not only the first of each thread",
        &["dispatch"],
        &["gcc"],
        |stream| covered(stream, "LoopChunk", 20),
    ),
    row!(
        ("loop-chunks-alone", "19.5.2.6"),
        "a loop that one thread executes alone is dispatched too",
        &["dispatch"],
        &["gcc"],
        |stream| covered(stream, "LoopChunk", 20),
    ),
    row!(
        ("taskloop-chunks", "19.5.2.6"),
        "the tasks of a taskloop dispatch all its iterations, each once",
        &["dispatch"],
        |stream| covered(stream, "TaskloopChunk", 20),
    ),
    row!(
        ("distribute-chunks", "19.5.2.6"),
        "the teams dispatch all iterations, each once",
        &["dispatch"],
        &["gcc"],
        |stream| covered(stream, "DistributeChunk", 20),
    ),
];
