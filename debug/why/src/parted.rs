//! Finds where the members of a team parted. The n-th barrier of one member is the n-th barrier of
//! every member. So their ways parted at the first barrier to which some came from another place
//! than the others. The places where the members are in the end may be elsewhere.

use std::collections::BTreeSet;

use omphalos_ompd_view::snapshot::{Address, Snapshot, Team, Thread, Wait};

use crate::{Finding, words};

/// "They parted at barrier 2 of the region: there thread 0 was at a.c:7 in solve; thread 1 at
/// a.c:9 in main."
pub fn where_parted(snapshot: &Snapshot, team: Address) -> Option<String> {
    let team = snapshot.teams.iter().find(|known| known.address == team)?;
    // For each member only its last few barriers are known. In a damaged process the counts may be
    // any numbers.
    let known: BTreeSet<u64> = barriers(team).collect();
    let (barrier, groups) = known.into_iter().find_map(|barrier| {
        let groups = groups(snapshot, team, barrier);
        (groups.len() > 1).then_some((barrier, groups))
    })?;
    let each: Vec<String> = groups
        .iter()
        .enumerate()
        .map(|(at, (place, threads))| {
            let were = match (at, threads.len()) {
                (0, 1) => " was",
                (0, _) => " were",
                _ => "",
            };
            format!("{}{were} at {place}", words::threads(threads))
        })
        .collect();
    // Nobody knows where a member came from before its first known barrier.
    let before = (0..team.sites.len()).map(|member| known_from(team, member)).max()?;
    let parted = match barrier > 1 && barrier <= before {
        true => format!("had parted by barrier {barrier} of the region, the first still known"),
        false => format!("parted at barrier {barrier} of the region"),
    };
    Some(format!("They {parted}: there {}.", each.join("; ")))
}

/// Returns the return addresses of the calls by which the members came to the barrier at which they
/// parted. The addresses of the largest group of members come first.
pub fn sites(snapshot: &Snapshot, team: &Team) -> Vec<Address> {
    let known: BTreeSet<u64> = barriers(team).collect();
    let parted = known.into_iter().find(|barrier| groups(snapshot, team, *barrier).len() > 1);
    let Some(barrier) = parted else { return Vec::new() };
    let mut groups = groups(snapshot, team, barrier);
    groups.sort_by_key(|(_, threads)| std::cmp::Reverse(threads.len()));
    let of_place = |(place, _): &(String, Vec<&Thread>)| {
        let same = |site: &&Address| team.places.get(*site).is_some_and(|known| known == place);
        let found: Vec<Address> = team.sites.iter().flatten().filter(same).copied().collect();
        found
    };
    let mut found: Vec<Address> = groups.iter().flat_map(of_place).collect();
    let mut seen = BTreeSet::new();
    found.retain(|site| seen.insert(*site));
    found
}

/// The barriers for which a member's place is known.
fn barriers(team: &Team) -> impl Iterator<Item = u64> {
    team.sites.iter().enumerate().flat_map(move |(member, sites)| {
        let from = known_from(team, member);
        (0..sites.len() as u64).map(move |at| from.saturating_add(at))
    })
}

/// Adds the sentence to findings about threads that wait at a barrier of a team that has parted.
pub fn add(snapshot: &Snapshot, findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| finding.kind != "barrier-not-met") {
        let is_about = |thread: &&Thread| finding.threads.contains(&thread.lwp);
        let teams = snapshot.threads.iter().filter(is_about).filter_map(|thread| {
            matches!(thread.waits, Some(Wait::Barrier { .. })).then_some(thread.team).flatten()
        });
        let mut teams: Vec<Address> = teams.collect();
        teams.sort_unstable();
        teams.dedup();
        let parted = teams.into_iter().filter_map(|team| where_parted(snapshot, team));
        let parted = parted.map(|said| format!("The members of a team pair its barriers. {said}"));
        finding.details.extend(parted);
    }
}

/// The first barrier for which the member's place is known.
fn known_from(team: &Team, member: usize) -> u64 {
    let arrived = team.arrived.get(member).copied().unwrap_or(0);
    arrived.saturating_add(1).saturating_sub(team.sites[member].len() as u64)
}

/// Returns the threads that came to a barrier, grouped by their places in the source. A compiler
/// may make several calls of one place.
fn groups<'a>(snapshot: &'a Snapshot, team: &Team, barrier: u64) -> Vec<(String, Vec<&'a Thread>)> {
    let mut groups: Vec<(String, Vec<&Thread>)> = Vec::new();
    for (member, sites) in team.sites.iter().enumerate() {
        let at = barrier.checked_sub(known_from(team, member));
        let site = at.and_then(|at| sites.get(usize::try_from(at).ok()?)).copied();
        let Some(site) = site.filter(|site| *site != 0) else { continue };
        let record = team.members.get(member).copied().unwrap_or(0);
        let thread = snapshot.threads.iter().find(|thread| thread.record == record && record != 0);
        let Some(thread) = thread else { continue };
        let place = team.places.get(&site).cloned().unwrap_or_else(|| format!("{site:#x}"));
        match groups.iter_mut().find(|(known, _)| *known == place) {
            Some((_, threads)) => threads.push(thread),
            None => groups.push((place, vec![thread])),
        }
    }
    groups
}
