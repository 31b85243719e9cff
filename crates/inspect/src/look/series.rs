//! Looks at one process from one moment to another.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use omphalos_ompd_view::Fault;
use omphalos_ompd_view::snapshot::Thread;
use omphalos_why::is_try;

use super::glance::{Glimpse, glance};
use super::{Look, asking_again};
use crate::Way;
use crate::foreign::Ompd;

/// Several looks at one process: the first one, and the last one, with what the looks between saw.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The first look.
    pub first: Look,
    /// The last.
    pub last: Look,
    /// Looks in all.
    pub count: u32,
    /// The prints of each thread so far, as long as it runs.
    prints: HashMap<u32, Vec<u64>>,
}

impl Series {
    /// Adds a look.
    pub fn add(&mut self, mut look: Look) {
        for thread in &mut look.snapshot.threads {
            let old = self.last.snapshot.threads.iter().find(|old| old.lwp == thread.lwp);
            let before = old.map_or(0, |old| old.unchanged);
            let now = unchanged(&mut self.prints, (thread.lwp, thread.print), before);
            // In this look it is known that it runs.
            thread.unchanged = if now > before { now } else { 0 };
            let tries = thread.calls.iter().any(|call| is_try(call));
            thread.tried = old.map_or(0, |old| old.tried) + u32::from(tries);
            let old = old.map_or(&[][..], |old| &old.calls[..]);
            let new: Vec<String> =
                old.iter().filter(|call| !thread.calls.contains(call)).cloned().collect();
            thread.calls.extend(new);
            let before = self.last.snapshot.threads.iter().find(|old| old.lwp == thread.lwp);
            if let Some(awaits) = &mut thread.awaits {
                awaits.follow(before.and_then(|before| before.awaits.as_ref()));
            }
            if let Some(round) = &mut thread.round {
                round.follow(before.and_then(|before| before.round.as_ref()));
            }
        }
        if self.count == 0 {
            self.first = look.clone();
        }
        self.last = look;
        self.count += 1;
    }

    /// Adds a short look: the look behind it finds what was seen so far in [`Series::last`].
    fn add_glance(&mut self, seen: Vec<Glimpse>) {
        let threads = &mut self.last.snapshot.threads;
        for old in threads.iter_mut() {
            if seen.iter().all(|glimpse| glimpse.lwp != old.lwp) {
                old.unchanged = unchanged(&mut self.prints, (old.lwp, 0), 0);
            }
        }
        for Glimpse { lwp, call, print, awaits, round } in seen {
            let at = threads.iter().position(|old| old.lwp == lwp).unwrap_or_else(|| {
                threads.push(Thread { lwp, ..Thread::default() });
                threads.len() - 1
            });
            let thread = &mut threads[at];
            thread.unchanged = unchanged(&mut self.prints, (lwp, print), thread.unchanged);
            let before = std::mem::replace(&mut thread.awaits, awaits);
            if let Some(awaits) = &mut thread.awaits {
                awaits.follow(before.as_ref());
            }
            let before = std::mem::replace(&mut thread.round, round);
            if let Some(round) = &mut thread.round {
                round.follow(before.as_ref());
            }
            thread.tried += u32::from(call.as_ref().is_some_and(|call| is_try(call)));
            thread.calls.extend(call.filter(|call| !thread.calls.contains(call)));
        }
        self.count += 1;
    }
}

/// In how many looks a thread was as in one before, this one included: `before` without it. A
/// thread that computes is never twice the same.
fn unchanged(prints: &mut HashMap<u32, Vec<u64>>, (lwp, print): (u32, u64), before: u32) -> u32 {
    let known = prints.entry(lwp).or_default();
    if print == 0 {
        known.clear();
        return 0;
    }
    if known.contains(&print) {
        return before + 1;
    }
    known.push(print);
    before
}

/// Looks at a process for as long as `apart`: at all of it at the beginning and at the end, and
/// between that only at what its threads call and change.
pub fn twice(pid: u32, way: Way, apart: Duration, ompd: &Ompd) -> Result<Series, Fault> {
    let begun = Instant::now();
    let mut series = Series::default();
    let wait_for = |number: u32| {
        let end = begun + apart * number / LOOKS;
        std::thread::sleep(end.saturating_duration_since(Instant::now()));
    };
    let (first, pages) = asking_again(pid, way, ompd, None)?;
    series.add(first);
    for number in 1..LOOKS {
        wait_for(number);
        let threads = series.last.snapshot.threads.iter();
        let awaits = |thread: &&Thread| thread.awaits.is_some() || thread.round.is_some();
        let awaiting = threads.filter(awaits).map(|thread| thread.lwp).collect();
        series.add_glance(glance(pid, way, awaiting)?);
    }
    wait_for(LOOKS);
    series.add(asking_again(pid, way, ompd, Some(pages))?.0);
    Ok(series)
}

/// Looks after the first of those that are compared.
pub const LOOKS: u32 = 8;
