//! Mutual exclusion.

use super::Row;
use crate::stream::{Stream, hold};

/// Checks that a mutex of this kind is asked for, acquired and released `count` times, in that
/// order on each thread, with one wait id.
fn cycles(stream: &Stream, kind: &str, count: usize) -> Result<(), String> {
    let asked = stream.exactly(count, "mutex_acquire", &[("kind", kind)])?;
    let acquired = stream.exactly(count, "mutex_acquired", &[("kind", kind)])?;
    let released = stream.exactly(count, "mutex_released", &[("kind", kind)])?;
    let wait = asked[0].get("wait");
    for event in asked.iter().chain(&acquired).chain(&released) {
        hold(event.is("wait", wait), "another wait id", event)?;
        hold(event.number("wait") != 0, "no wait id", event)?;
    }
    // No thread acquires it while another one holds it.
    let mut holder = None;
    for event in &stream.events {
        if !event.is("kind", kind) || !event.is("wait", wait) {
            continue;
        }
        match event.name.as_str() {
            "mutex_acquired" => {
                hold(holder.is_none(), "acquired while it is held", event)?;
                holder = Some(event.get("on"));
            }
            "mutex_released" => {
                hold(
                    holder == Some(event.get("on")),
                    "released by a thread that does not hold it",
                    event,
                )?;
                holder = None;
            }
            _ => {}
        }
    }
    Ok(())
}

pub const ROWS: &[Row] = &[
    row!(
        ("critical", "19.5.2.14"),
        "asked for, acquired, released, with the construct's place",
        &["mutex_acquire", "mutex_acquired", "mutex_released"],
        |stream| {
            let asked = stream.with("mutex_acquire", &[("kind", "Critical")]);
            asked
                .iter()
                .try_for_each(|event| hold(event.number("code") != 0, "no place", event))?;
            // The event of a release may come after the next thread's acquisition: only the counts
            // are certain.
            stream.exactly(2, "mutex_acquired", &[("kind", "Critical")])?;
            stream.exactly(2, "mutex_released", &[("kind", "Critical")]).map(drop)
        },
    ),
    row!(
        ("lock", "19.5.2.14"),
        "initialised, asked for, acquired, released, destroyed, under one wait id",
        &["lock_init", "lock_destroy", "mutex_acquire", "mutex_acquired", "mutex_released"],
        |stream| {
            cycles(stream, "Lock", 3)?;
            let made = stream.exactly(1, "lock_init", &[("kind", "Lock")])?[0];
            let gone = stream.exactly(1, "lock_destroy", &[("kind", "Lock")])?[0];
            let asked = stream.with("mutex_acquire", &[("kind", "Lock")]);
            hold(made.is("wait", asked[0].get("wait")), "another lock", made)?;
            hold(gone.is("wait", asked[0].get("wait")), "another lock", gone)
        },
    ),
    row!(
        ("lock-test", "19.5.2.14"),
        "a test is asked for; only one that succeeds acquires",
        &["mutex_acquire", "mutex_acquired"],
        |stream| {
            stream.exactly(2, "mutex_acquire", &[("kind", "TestLock")])?;
            stream.exactly(1, "mutex_acquired", &[("kind", "TestLock")]).map(drop)
        },
    ),
    row!(
        ("lock-nest", "19.5.2.16"),
        "taking it again and giving it back but not for the last time are nest_lock events",
        &["mutex_acquired", "mutex_released", "nest_lock"],
        |stream| {
            stream.exactly(1, "mutex_acquired", &[("kind", "NestLock")])?;
            stream.exactly(1, "mutex_released", &[("kind", "NestLock")])?;
            stream.exactly(1, "nest_lock", &[("endpoint", "Begin")])?;
            stream.exactly(1, "nest_lock", &[("endpoint", "End")]).map(drop)
        },
    ),
    row!(
        ("ordered", "19.5.2.14"),
        "each iteration's region is asked for, acquired and released",
        &["mutex_acquire", "mutex_acquired", "mutex_released"],
        |stream| {
            stream.exactly(4, "mutex_acquire", &[("kind", "Ordered")])?;
            stream.exactly(4, "mutex_acquired", &[("kind", "Ordered")])?;
            stream.exactly(4, "mutex_released", &[("kind", "Ordered")]).map(drop)
        },
    ),
    row!(
        ("lock-test-nest", "19.5.2.14"),
        "a nest lock that is tested is asked for as such",
        &["mutex_acquire", "mutex_acquired"],
        |stream| {
            stream.exactly(1, "mutex_acquire", &[("kind", "TestNestLock")])?;
            stream.exactly(1, "mutex_acquired", &[("kind", "TestNestLock")]).map(drop)
        },
    ),
    row!(
        ("lock-hint", "19.5.2.14"),
        "a lock's hint is told where it is made",
        &["lock_init"],
        |stream| stream.exactly(1, "lock_init", &[("hint", "2")]).map(drop),
    ),
    row!(
        ("atomic-locking", "19.5.2.14"),
        "an atomic construct for which the runtime takes a lock is asked for, acquired, \
            released",
        &["mutex_acquire", "mutex_acquired", "mutex_released"],
        &["clang"],
        |stream| {
            stream.exactly(2, "mutex_acquire", &[("kind", "Atomic")])?;
            stream.exactly(2, "mutex_acquired", &[("kind", "Atomic")])?;
            stream.exactly(2, "mutex_released", &[("kind", "Atomic")]).map(drop)
        },
    ),
];
