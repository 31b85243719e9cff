//! Finds ways through the program's code that leave out an operation that others wait for: a lock
//! stays taken, a barrier is not reached, nobody is signalled. The ways are facts about the code,
//! whether a thread took them or not; other rooms find out that nothing goes on.

mod counts;
mod locks;
mod spins;
mod teams;
mod waits;

use omphalos_ompd_view::snapshot::Bypass;
use omphalos_program::{Leaving, Names, Parting, Ways};
use omphalos_why::words::is_of_headers;

use super::place;

pub use counts::find_counts;
pub use spins::{kept, turn_kept, with_callers};
pub use teams::find as find_of_teams;
pub use waits::{find_there, find_unchecked, past, past_others, past_sources};

/// Ways that are named.
const MOST: usize = 4;
/// The depth to which functions that call each other are followed.
const DEEPEST: u32 = 4;

/// Whether the way leaves where a loop ends. Such a way tells little if others leave in the middle
/// of the loop.
fn is_loop(bypass: &Bypass) -> bool {
    bypass.how == "loop"
}

/// Returns the ways past the calls `to` in the function around `address`: ways within one round of
/// a loop, and ways through the whole function. Ways that lead to a call that returns to one of
/// `stands` do not count. `of`: the function and the place of the operation that is left out.
fn past_calls(
    names: &Names,
    address: u64,
    to: &[u64],
    of: (&str, &str),
    stands: &[u64],
) -> Vec<Bypass> {
    let ways = Ways { to, ..Ways::default() };
    let mut partings = names.partings_of_rounds(address, &ways);
    partings.extend(names.partings(address, &ways));
    let is_call = |at: u64, after: u64| at < after && after - at <= LONGEST_CALL;
    let leads = |at: &u64| stands.iter().any(|after| is_call(*at, *after));
    partings.retain(|parting| !parting.side.iter().any(leads));
    said(names, &partings, of, to)
}

/// The longest call, in bytes.
const LONGEST_CALL: u64 = 7;

/// Returns the bypasses for these partings, each line once, and ends of loops only if there is
/// nothing else. `of`: see [`past_calls`]. `to`: the calls that the ways never reach.
fn said(names: &Names, partings: &[Parting], of: (&str, &str), to: &[u64]) -> Vec<Bypass> {
    let mut found: Vec<Bypass> = Vec::new();
    for bypass in partings.iter().filter_map(|parting| bypass(names, parting, of, to)) {
        // The condition right in front of the operation explains itself.
        if bypass.at != of.1 && !found.iter().any(|known| known.at == bypass.at) {
            found.push(bypass);
        }
    }
    match found.iter().all(is_loop) {
        true => found.truncate(1),
        false => found.retain(|bypass| !is_loop(bypass)),
    }
    found.truncate(MOST);
    found
}

fn bypass(names: &Names, parting: &Parting, of: (&str, &str), to: &[u64]) -> Option<Bypass> {
    let mut functions = names.functions(parting.branch);
    let home = functions.iter().position(|one| one.name == of.0).unwrap_or(0);
    // A branch in an inlined function may belong to its caller, unless the calls are in the inlined
    // function too.
    let has_call = |name: &str| {
        to.iter().any(|after| names.functions(after - 1).iter().any(|one| one.name == name))
    };
    let inner = functions[..home].iter().position(|one| has_call(&one.name));
    let function = functions[home].name.clone();
    let own = functions.swap_remove(inner.unwrap_or(home));
    // Branches in a header's code are not the program's affair.
    let path = own.file.as_deref().filter(|path| own.line > 0 && !is_of_headers(Some(path)))?;
    let line = |at: &u64| {
        let functions = names.functions(*at);
        let mut here = functions.iter().filter(|one| one.name == own.name && one.line > 0);
        here.find(|one| one.file == own.file).map(|one| one.line)
    };
    let mut side: Vec<u32> = parting.side.iter().filter_map(line).collect();
    side.dedup();
    let (line, how) = match names.leaving(path, own.line, &side, inner.is_none() && home > 0) {
        Leaving::Side(line) => (line, "side"),
        Leaving::Loop(line) => (line, "loop"),
    };
    let at = place(&own.file, line)?;
    Some(Bypass {
        at: if inner.is_some() { format!("{at} in {}", own.name) } else { at },
        function,
        of: of.1.to_owned(),
        how: how.to_owned(),
        thrown: None,
    })
}

/// The start of the machine function around an address.
fn start(names: &Names, address: u64) -> Option<u64> {
    names.functions(address).last()?.start
}
