//! Adds names and places in the source to the locks, tasks, regions and barriers that a snapshot
//! knows by their addresses. The full look (`mod.rs`) calls it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use omphalos_ompd_view::snapshot::{Lock, Snapshot, Taken, Team, Thread, Wait};
use omphalos_program::ConstructKind;
use omphalos_why::words;

use super::locks::Locks;
use super::spin_locks::is_spin_lock;
use super::{IMPLICIT, tails};
use crate::names::Named;
use crate::unwind::Raw;

/// The kernel's greatest number for a thread is below this (PID_MAX_LIMIT).
const LAST_LWP: u32 = 1 << 22;

/// Gives locks, tasks and constructs their names and places in the source.
pub fn name_all(snapshot: &mut Snapshot, named: &Named<'_>) {
    let names = named.names();
    for lock in &mut snapshot.locks {
        // gcc leaves the lock of the critical section without a name to the runtime.
        if lock.kind == "critical" && named.is_runtimes(lock.address) {
            lock.name = Some(String::new());
        }
        if lock.name.is_none() {
            lock.name = names.datum(lock.address).map(|name| plain_name(&name));
        }
    }
    for thread in &mut snapshot.threads {
        if let Some(Wait::Unknown { what } | Wait::Call { what, .. }) = &mut thread.waits {
            name_word(what, named);
        }
    }
    let mut mutexes: Vec<Lock> = Vec::new();
    for thread in &snapshot.threads {
        let (address, kind) = match thread.waits {
            Some(Wait::Mutex { mutex, read_write: true, .. }) => (mutex, "read-write lock"),
            Some(Wait::Mutex { mutex, .. }) if is_spinning(thread) => (mutex, "spin lock"),
            Some(Wait::Mutex { mutex, .. }) if is_of_unit(thread) => {
                (mutex, "lock of a Fortran unit")
            }
            Some(Wait::Mutex { mutex, .. }) => (mutex, "pthread mutex"),
            Some(Wait::Condition { condition }) => (condition, "condition variable"),
            Some(Wait::Once { flag, .. }) => (flag, "once flag"),
            _ => continue,
        };
        let known = snapshot.locks.iter().chain(&mutexes);
        if known.into_iter().all(|lock| lock.address != address) {
            let name = names.datum(address).map(|name| plain_name(&name));
            let damaged = matches!(thread.waits, Some(Wait::Mutex { owner: Some(owner), .. })
                if owner > LAST_LWP);
            mutexes.push(Lock { address, kind: kind.to_owned(), name, damaged, ..Lock::default() });
        }
    }
    snapshot.locks.append(&mut mutexes);
    // A program may have a hundred thousand tasks of few constructs: each construct is looked up
    // once.
    let mut places: HashMap<(u64, u64), String> = HashMap::new();
    for task in snapshot.tasks.iter_mut().filter(|task| task.location.is_none()) {
        if task.flags & IMPLICIT != 0 || task.codeptr == 0 && task.function == 0 {
            continue;
        }
        let place = places.entry((task.codeptr, task.function));
        let find = || match task.codeptr {
            0 => names.construct_of_body(task.function, ConstructKind::Task).label.to_string(),
            code => names.construct(code, ConstructKind::Task).label.to_string(),
        };
        // gcc's target constructs with nowait are tasks of the runtime's own.
        let is_target = task.codeptr == 0 && named.is_runtimes(task.function);
        let find = || if is_target { "target task".to_owned() } else { find() };
        task.location = Some(place.or_insert_with(find).clone());
    }
    places.clear();
    for team in snapshot.teams.iter_mut().filter(|team| team.location.is_none()) {
        if team.parent.is_none() || team.codeptr == 0 && team.function == 0 {
            continue;
        }
        let place = places.entry((team.codeptr, team.function));
        team.location =
            Some(place.or_insert_with(|| tails::region(names, team).label.to_string()).clone());
    }
    name_leagues(snapshot);
    snapshot.teams.iter_mut().for_each(|team| name_sites(team, named));
    // gcc's name of a body does not tell a region from a task.
    let explicit = snapshot.tasks.iter().filter(|task| task.flags & IMPLICIT == 0);
    let tasks: HashSet<u64> = explicit.map(|task| task.function).collect();
    for frame in snapshot.threads.iter_mut().flat_map(|thread| &mut thread.stack) {
        if frame.construct.as_deref() != Some("construct") {
            continue;
        }
        let functions = names.functions(frame.address.wrapping_sub(1));
        let start = functions.last().and_then(|function| function.start);
        let is_task = start.is_some_and(|start| tasks.contains(&start));
        frame.construct = Some(if is_task { "task" } else { "parallel" }.to_owned());
    }
}

/// Adds the places from which members came to barriers.
fn name_sites(team: &mut Team, named: &Named<'_>) {
    let sites: BTreeSet<u64> = team.sites.iter().flatten().copied().collect();
    let place = |site: u64| {
        let call = Raw { address: site, lookup: site.checked_sub(1)?, cfa: 0, signal: false };
        // The body of the region ended in a jump to the barrier.
        let by_jump = named.is_runtimes(call.lookup);
        let stack =
            if by_jump { tails::jump_to_barrier(named, team) } else { named.frames(&[call]) };
        let caller = Thread { stack, ..Thread::default() };
        let Some(place) = words::standing(&caller) else {
            let region = team.location.as_ref().filter(|_| by_jump)?;
            return Some((site, format!("the last call of the {region}")));
        };
        // Without a line, only the address tells two calls of one function apart.
        let has_line = words::own_frame(&caller).is_some_and(|own| words::place(own).is_some());
        Some((site, if has_line { place } else { format!("{site:#x} in {place}") }))
    };
    team.places = sites.iter().copied().filter_map(place).collect();
    join_copies(&mut team.places, named);
}

/// Gives several sites that may be copies of one barrier in the source the same place: "place 1 or
/// place 2".
fn join_copies(places: &mut BTreeMap<u64, String>, named: &Named<'_>) {
    let mut groups: Vec<Vec<u64>> = Vec::new();
    for site in places.keys().copied() {
        let is_copy = |group: &Vec<u64>| {
            group.iter().any(|other| {
                places[other] == places[&site] || named.names().may_be_copies(*other, site)
            })
        };
        let (mut same, others) = groups.into_iter().partition::<Vec<_>, _>(is_copy);
        same.push(vec![site]);
        groups = others;
        groups.push(same.concat());
    }
    for group in groups {
        let each: BTreeSet<&str> = group.iter().map(|site| &*places[site]).collect();
        let joined = each.into_iter().collect::<Vec<_>>().join(" or ");
        for site in group {
            places.insert(site, joined.clone());
        }
    }
}

/// Whether the Fortran library waits for the lock. The library has a lock for each unit, and one
/// for all units.
fn is_of_unit(thread: &Thread) -> bool {
    let mut inner = thread.stack.iter().take_while(|frame| words::is_system(frame));
    inner.any(|frame| ["libgfortran", "libflang"].iter().any(|it| frame.module.starts_with(it)))
}

/// Whether a thread that waits for a lock is awake.
fn is_spinning(thread: &Thread) -> bool {
    thread.stack.first().is_some_and(|frame| is_spin_lock(&frame.function))
}

/// Gives the teams of a league the place of its construct. With clang's calls, only the league's
/// region tells the place.
fn name_leagues(snapshot: &mut Snapshot) {
    let leagues: HashSet<u64> = snapshot.teams.iter().filter_map(|team| team.league).collect();
    let mut places: HashMap<u64, String> = HashMap::new();
    for team in snapshot.teams.iter().filter(|team| leagues.contains(&team.address)) {
        let place = team.location.as_deref().and_then(|place| place.strip_prefix("region"));
        places.extend(place.map(|place| (team.address, format!("teams construct{place}"))));
    }
    for team in &mut snapshot.teams {
        let league = team.league.unwrap_or(team.address);
        team.location = places.get(&league).cloned().or(team.location.take());
    }
}

/// Adds the places in the code that take a lock, for held locks that no stack shows to be taken.
/// The holder of such a lock has ended, or its code does not show the lock.
pub fn find_takers(snapshot: &mut Snapshot, locks: &Locks<'_>) {
    let threads = &snapshot.threads;
    let is_unknown = |lock: &&mut Lock| {
        let owner = threads.iter().find_map(|thread| match thread.waits {
            Some(Wait::Mutex { mutex, owner, .. }) if mutex == lock.address => owner,
            _ => None,
        });
        let is_held = lock.holder.is_some() || owner.is_some() || lock.holder_gone;
        let is_holder = |thread: &&Thread| {
            owner == Some(thread.lwp) || lock.holder.is_some() && lock.holder == thread.number
        };
        let holder = threads.iter().find(is_holder);
        // The stack may only show that other locks were taken.
        let may_be = |taken: &Taken| taken.lock == 0 || taken.lock == lock.address;
        let shows = |holder: &Thread| holder.taken.iter().any(may_be);
        is_held && (lock.holder_gone || !holder.is_some_and(shows))
    };
    for lock in snapshot.locks.iter_mut().filter(is_unknown) {
        lock.taken_at = locks.all_takers(lock.address);
        if lock.taken_at.is_empty() {
            lock.alike_taken_at = locks.takers_of_kind(&lock.kind);
        }
    }
}

/// Makes "the pthread barrier 'name'" out of "a pthread barrier at 0x1234", if the name is known.
fn name_word(what: &mut String, named: &Named<'_>) {
    let Some((object, rest)) = what.rsplit_once(" at 0x") else { return };
    let is_behind = |letter: char| !letter.is_ascii_hexdigit();
    let (address, behind) = rest.split_at(rest.find(is_behind).unwrap_or(rest.len()));
    let Ok(address) = u64::from_str_radix(address, 16) else { return };
    let Some(name) = named.names().datum(address) else { return };
    // The object's name suffices: the word inside it at which threads wait is left out.
    let name = name.split_once('+').map_or(&*name, |(name, _)| name);
    let object =
        object.strip_prefix("a ").or_else(|| object.strip_prefix("the ")).unwrap_or(object);
    *what = format!("the {object} '{}'{behind}", plain_name(name));
}

/// The name without the parts that gcc and clang add for a critical section's word.
fn plain_name(name: &str) -> String {
    let name = name.strip_prefix(".gomp_critical_user_").unwrap_or(name);
    name.strip_suffix(".var").unwrap_or(name).to_owned()
}
