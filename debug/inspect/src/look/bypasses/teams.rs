//! Finds ways past the barriers of teams: code that a member may have taken instead of coming to
//! the barrier at which others wait.

use omphalos_ompd_view::asleep::mpi_function;
use omphalos_ompd_view::snapshot::{
    Address, Bringing, Brings, Bypass, Snapshot, Team, Thread, Wait,
};
use omphalos_program::entries;
use omphalos_program::{Call, Names};
use omphalos_why::{parting_sites, words};

use super::super::place;
use super::{DEEPEST, MOST, is_loop, past_calls};
use crate::names::Named;

/// Adds these ways to teams in which some members wait at a barrier for others.
pub fn find(snapshot: &mut Snapshot, named: &Named<'_>) {
    let mut found: Vec<(usize, Vec<Bypass>)> = Vec::new();
    for (at, team) in snapshot.teams.iter().enumerate() {
        let waits = waiting(snapshot, team);
        if waits.len() < 2 || !waits.iter().any(|thread| misses_one(thread)) {
            continue;
        }
        // The barrier at which most members arrived is the one that the others went past.
        let mut sites = parting_sites(snapshot, team);
        if sites.is_empty() {
            let own = waits.iter().filter_map(|thread| words::own_frame(thread));
            sites = own.map(|frame| frame.address).filter(|address| *address != 0).collect();
            sites.dedup();
        }
        let mut each = sites.into_iter().map(|site| past_site(named.names(), site, 0));
        found.extend(each.find(|ways| !ways.is_empty()).map(|ways| (at, ways)));
    }
    for (at, ways) in found {
        snapshot.teams[at].bypasses = ways;
    }
    if !snapshot.tells() {
        find_untold(snapshot, named);
    }
}

/// Adds the ways past the barrier at which a thread waits to the thread itself, for a runtime that
/// tells of no team. A thread in a call of MPI may be the missing member: other ranks hold it up.
fn find_untold(snapshot: &mut Snapshot, named: &Named<'_>) {
    let is_in_mpi =
        |thread: &Thread| thread.stack.iter().any(|frame| mpi_function(frame).is_some());
    if snapshot.threads.iter().any(is_in_mpi) {
        return;
    }
    let mut known: Vec<(Address, Vec<Bypass>)> = Vec::new();
    for thread in &mut snapshot.threads {
        let waits = matches!(&thread.waits, Some(Wait::Barrier { kind, .. }) if kind != "region");
        let site = words::own_frame(thread).map(|frame| frame.address);
        let Some(site) = site.filter(|_| waits && thread.brings.is_none()) else { continue };
        if known.iter().all(|(of, _)| *of != site) {
            known.push((site, past_site(named.names(), site, 0)));
        }
        let ways = known.iter().find(|(of, ways)| *of == site && !ways.is_empty());
        thread.brings = ways.map(|(_, ways)| {
            let (what, bypasses) = (Bringing::Arrive, ways.clone());
            Brings { what, bypasses, ..Brings::default() }
        });
    }
}

/// The members that wait at barriers.
fn waiting<'a>(snapshot: &'a Snapshot, team: &Team) -> Vec<&'a Thread> {
    let waits = |thread: &&Thread| {
        thread.team == Some(team.address) && matches!(thread.waits, Some(Wait::Barrier { .. }))
    };
    snapshot.threads.iter().filter(waits).collect()
}

fn misses_one(thread: &Thread) -> bool {
    matches!(&thread.waits, Some(Wait::Barrier { missing, for_tasks: false, .. })
        if !missing.is_empty())
}

/// Returns the ways past the barrier whose call returns to `site`. If each way through the function
/// around this call comes to the barrier, these are the ways past the calls of that function.
fn past_site(names: &Names, site: u64, depth: u32) -> Vec<Bypass> {
    let Some(pc) = site.checked_sub(1) else { return Vec::new() };
    let functions = names.functions(pc);
    let Some(start) = functions.last().and_then(|own| own.start) else { return Vec::new() };
    let calls = names.calls_of(start);
    let arrivals: Vec<u64> =
        calls.iter().filter(|call| arrives(names, call, 0)).map(|call| call.after).collect();
    let line = names.directive_of_barrier(site).map(|(line, _)| line);
    let own = &functions[0];
    let of = place(&own.file, line.unwrap_or(own.line)).unwrap_or_default();
    if !arrivals.contains(&site) {
        return Vec::new();
    }
    let mut found = past_calls(names, pc, &arrivals, (&own.name, &of), &[]);
    if found.iter().all(is_loop) {
        // A way past this barrier alone may lead to another barrier.
        let line = |after: u64| names.functions(after - 1).first().map(|one| one.line);
        let copies = arrivals.iter().copied().filter(|after| line(*after) == line(site));
        let alone = past_calls(names, pc, &copies.collect::<Vec<_>>(), (&own.name, &of), &[]);
        if !alone.iter().all(is_loop) {
            found = alone;
        }
    }
    let is_body = functions.iter().any(|one| one.construct.is_some());
    if found.is_empty() && !is_body && depth < DEEPEST {
        let callers = names.calls_to(start).into_iter();
        found = callers.flat_map(|call| past_site(names, call, depth + 1)).collect();
    }
    found.truncate(MOST);
    found
}

/// Whether a call, or a function that it calls, comes to a barrier of its team.
fn arrives(names: &Names, call: &Call, depth: u32) -> bool {
    if let Some(part) = entries::part(&call.callee) {
        return part.is_meeting();
    }
    let Some(start) = call.start.filter(|_| depth < DEEPEST) else { return false };
    names.calls_of(start).iter().any(|call| arrives(names, call, depth + 1))
}
