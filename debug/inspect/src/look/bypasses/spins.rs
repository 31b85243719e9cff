//! Finds ways that leave a spin lock of the program's own taken. Such a lock is a variable that one
//! instruction exchanges in a loop, to take the lock, and that other instructions write, to give it
//! back.

use omphalos_program::{Names, Ways};

use super::super::place;
use super::{Bypass, DEEPEST, MOST, said, start};

/// Returns these ways, if the loop at the line `spins_at` takes the lock. `writers`: the
/// instructions that write the variable, each by the address one past it.
pub fn kept(names: &Names, writers: &[u64], spins_at: &str) -> Vec<Bypass> {
    let is_at = |after: &u64| {
        let functions = names.functions(after - 1);
        functions.iter().any(|one| place(&one.file, one.line).as_deref() == Some(spins_at))
    };
    let takes = writers.iter().copied().filter(|after| names.exchanges(*after));
    let takes: Vec<u64> = takes.collect();
    if !takes.iter().any(is_at) {
        return Vec::new();
    }
    let gives: Vec<u64> = writers.iter().copied().filter(|it| !takes.contains(it)).collect();
    let (takes, gives) = (with_callers(names, takes), with_callers(names, gives));
    let mut found: Vec<Bypass> = Vec::new();
    for after in &takes {
        let new = kept_behind(names, *after, &takes, &gives).unwrap_or_default();
        found.extend(new.into_iter().filter(|one| !found.contains(one)).collect::<Vec<_>>());
    }
    found.truncate(MOST);
    found
}

/// Returns the ways on which a function does not give a turn on, behind the call in which the
/// thread waits for its own turn. Code gives a turn on by adding to the variable that the thread
/// waits for. `writers`: the address behind each instruction that writes it; `stack`: where the
/// thread goes on in its functions, the innermost first.
pub fn turn_kept(names: &Names, stack: &[u64], writers: &[u64]) -> Vec<Bypass> {
    let adds = writers.iter().copied().filter(|after| names.adds(*after));
    let gives = with_callers(names, adds.collect());
    let ways = stack.iter().find_map(|at| kept_behind(names, *at, &[*at], &gives));
    let mut ways = ways.unwrap_or_default();
    ways.iter_mut().for_each(|way| way.how = "turn".to_owned());
    ways.truncate(MOST);
    ways
}

/// Returns the places, and the return addresses of all calls of the functions that contain them.
pub fn with_callers(names: &Names, places: Vec<u64>) -> Vec<u64> {
    let mut all = places;
    let mut from = 0;
    for _ in 0..DEEPEST {
        let starts = all[from..].iter().filter_map(|after| start(names, after - 1));
        let calls: Vec<u64> = starts.flat_map(|start| names.calls_to(start)).collect();
        from = all.len();
        for call in calls {
            if !all.contains(&call) {
                all.push(call);
            }
        }
    }
    all
}

/// Returns the ways on which the lock stays taken, from behind the instruction in front of `after`,
/// which takes the lock. `None` if its function has no instruction that gives the lock back.
fn kept_behind(names: &Names, after: u64, takes: &[u64], gives: &[u64]) -> Option<Vec<Bypass>> {
    let around = start(names, after - 1)?;
    let here = |all: &[u64]| -> Vec<u64> {
        let same = |it: &&u64| start(names, **it - 1) == Some(around);
        all.iter().filter(same).copied().collect()
    };
    let (takes, gives) = (here(takes), here(gives));
    let chains = gives.iter().flat_map(|after| names.functions(after - 1));
    let names_of: Vec<String> = chains.map(|one| one.name).collect();
    // Inlined code takes the lock for the function that has both instructions.
    let functions = names.functions(after - 1);
    let own = functions.iter().find(|one| names_of.contains(&one.name))?;
    let of = place(&own.file, own.line)?;
    let ways = Ways { from: Some(after), to: &gives, ends: &takes, ..Ways::default() };
    let partings = names.partings(after - 1, &ways);
    let mut found = said(names, &partings, (&own.name, &of), &gives);
    found.retain(|way| way.how == "side");
    found.iter_mut().for_each(|way| way.how = "kept".to_owned());
    Some(found)
}
