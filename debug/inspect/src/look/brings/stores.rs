//! Finds the code that writes the memory that a thread's loop reads, and the ways past that code.

use omphalos_ompd_view::snapshot::{Awaits, Bringing, Brings, Bypass, Thread};
use omphalos_program::Owner;

use super::super::{Stack, bypasses, place};
use super::{MOST_PLACES, brings};
use crate::names::Named;

/// Functions of a thread whose ways are looked at.
const INNERMOST: usize = 4;

/// Returns the code that writes the memory that the thread's loop reads: code that names the
/// variable, or else lines of the source that write a member of the same name.
pub fn written(thread: &Thread, named: &Named<'_>, stack: Option<&Stack>) -> Option<Brings> {
    let circle = || thread.circle.as_ref().map(|circle| &circle.of);
    let awaits = thread.awaits.as_ref().or_else(circle)?;
    let writers = |(at, length): &(u64, usize)| named.names().writers(*at, *length as u64);
    let reads = awaits.reads.iter().chain(&awaits.read_once);
    let found: Vec<u64> = reads.flat_map(writers).collect();
    let spins_at = awaits.place.as_deref().unwrap_or_default();
    let kept = bypasses::kept(named.names(), &found, spins_at);
    let turn_kept = |writers: &[u64]| match &awaits.reads[..] {
        [_] => bypasses::turn_kept(named.names(), &own_calls(named, stack), writers),
        _ => Vec::new(),
    };
    let kept = if kept.is_empty() { turn_kept(&found) } else { kept };
    let kept = if kept.is_empty() { bypasses::past_others(named.names(), &found) } else { kept };
    // A loop that waits for memory without a name also reads the pointer that leads there. Code
    // that writes the pointer does not end the wait.
    let is_named = !awaits.what.contains(" at 0x");
    let by_name = || {
        let brings = brings(named, Bringing::Write, false, found.clone(), None);
        brings.filter(|_| is_named).map(|brings| Brings { bypasses: kept.clone(), ..brings })
    };
    let ways = |writers: &[u64]| {
        let kept = turn_kept(writers);
        if kept.is_empty() { bypasses::past_others(named.names(), writers) } else { kept }
    };
    let by_source = || in_source(awaits, named, &ways);
    // Code that names an element's own address mostly clears all of its array.
    match array_in(&awaits.what) {
        Some(_) => by_source().or_else(by_name),
        None => by_name().or_else(by_source),
    }
}

/// Returns the code that writes the memory that an exit of a loop reads, with the ways past that
/// code in the functions that the thread is in.
pub fn polled(polls: &Awaits, named: &Named<'_>, stack: Option<&Stack>) -> Option<Brings> {
    let writers = |(at, length): &(u64, usize)| named.names().writers(*at, *length as u64);
    let found: Vec<u64> = polls.reads.iter().flat_map(writers).collect();
    let start = |at: u64| named.names().functions(at).last().and_then(|one| one.start);
    let raw = stack.map_or(&[][..], |stack| &stack.raw[..]);
    let ways = |stores: &[u64]| {
        let is_in = |after: &u64| raw.iter().any(|raw| start(raw.lookup) == start(after - 1));
        let own: Vec<u64> = stores.iter().copied().filter(is_in).collect();
        bypasses::past(named.names(), &own, stack)
    };
    let by_name = brings(named, Bringing::Write, false, found.clone(), None);
    let by_name = by_name.map(|brings| Brings { bypasses: ways(&found), ..brings });
    by_name.or_else(|| in_source(polls, named, &ways))
}

/// Where the source writes the member, or an element of the array, that a loop reads; with the ways
/// past these places.
fn in_source(
    awaits: &Awaits,
    named: &Named<'_>,
    ways: &dyn Fn(&[u64]) -> Vec<Bypass>,
) -> Option<Brings> {
    let (path, line) = awaits.source.as_ref().filter(|_| !awaits.reads.is_empty())?;
    let lines = match array_in(&awaits.what) {
        Some(array) => named.names().writers_of_elements(path, array),
        None => named.names().writers_of_member(path, *line),
    };
    let file = Some(path.clone());
    let after = named.names().code_of(path, &lines);
    let places = lines.into_iter().filter_map(|line| place(&file, line));
    let places: Vec<String> = places.take(MOST_PLACES).collect();
    let (what, bypasses) = (Bringing::Write, ways(&after));
    let brings = Brings { what, places, alike: true, after, bypasses, ..Brings::default() };
    (!brings.places.is_empty()).then_some(brings)
}

/// The array of which a variable is an element: "flags" of "the variable 'wave::flags(3)'".
fn array_in(what: &str) -> Option<&str> {
    let name = what.split('\'').nth(1)?;
    let array = &name[..name.find(['[', '('])?];
    array.rsplit([':', '.', '>']).next()
}

/// Where a thread goes on in the innermost of its functions that are the program's.
fn own_calls(named: &Named<'_>, stack: Option<&Stack>) -> Vec<u64> {
    let raw = stack.map_or(&[][..], |stack| &stack.raw[..]).iter();
    let own = raw.filter(|raw| named.names().owner(raw.lookup) == Owner::User);
    own.take(INNERMOST).map(|raw| raw.lookup.wrapping_add(1)).collect()
}
