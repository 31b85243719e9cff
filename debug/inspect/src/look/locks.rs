//! Finds locks that the code around the frames of a stack takes, and functions that only take a
//! lock for their callers.

use std::cell::RefCell;
use std::collections::HashMap;

use omphalos_ompd_view::Target;
use omphalos_ompd_view::snapshot::{Frame, Snapshot, Taken, Thread, Wait};
use omphalos_program::{Call, Names, Owner};
use omphalos_why::words::{is_of_headers, is_system};

use super::semaphores::of_semaphore;
use super::{Stack, place};
use crate::unwind::Raw;

/// By kind of lock, parts of the names of functions: those that take such a lock, and those that
/// give it back.
pub(super) const KINDS: [(&[&str], &[&str]); 12] = [
    (&["omp_set_lock", "omp_test_lock"], &["omp_unset_lock"]),
    (&["omp_set_nest_lock", "omp_test_nest_lock"], &["omp_unset_nest_lock"]),
    (
        &["GOMP_critical_start", "GOMP_critical_name_start", "__kmpc_critical"],
        &["GOMP_critical_end", "GOMP_critical_name_end", "__kmpc_end_critical"],
    ),
    (
        &[
            "mutex_lock", "mutex_timedlock", "mutex_clocklock", "mutex_trylock", "flockfile",
            "mtx_lock", "mtx_timedlock", "mtx_trylock",
        ],
        &["mutex_unlock", "funlockfile", "mtx_unlock"],
    ),
    (&["rwlock_wrlock", "rwlock_timedwrlock", "rwlock_trywrlock"], &["rwlock_unlock"]),
    (&["rwlock_rdlock", "rwlock_timedrdlock", "rwlock_tryrdlock"], &["rwlock_unlock"]),
    (&[SPIN_LOCK, "pthread_spin_trylock"], &["pthread_spin_unlock"]),
    (&["sem_wait", "sem_timedwait", "sem_clockwait", "sem_trywait"], &["sem_post"]),
    // Fortran's units: from the beginning of a statement to its end.
    (
        &["_gfortran_st_read", "_gfortran_st_write", "_FortranAioBegin"],
        &["_gfortran_st_read_done", "_gfortran_st_write_done", "_FortranAioEndIoStatement"],
    ),
    // Files: the call's second argument says what it does. Closing a file gives its lock back.
    (&["flock", "lockf"], &["close", "fclose"]),
    // Windows of MPI: the ranks' processes have a lock together.
    (&["MPI_Win_lock"], &["MPI_Win_unlock"]),
    // This is not a lock, but similar: the second thread waits until the first one is done.
    (&["__cxa_guard_acquire"], &["__cxa_guard_release", "__cxa_guard_abort"]),
];
/// Semaphores.
const SEMAPHORE: usize = 7;
/// The kind of files' locks.
const FILE: usize = 9;
/// The kind of MPI's windows.
pub(super) const WINDOW: usize = 10;
/// The kind of static variables' guards, which comes last.
const STATIC: usize = KINDS.len() - 1;

/// The function in which threads spin for a lock of POSIX's.
pub(super) const SPIN_LOCK: &str = "pthread_spin_lock";

/// Places that are named for one lock.
const MOST_PLACES: usize = 8;
/// The depth to which functions that take a lock for their callers are followed.
pub(super) const DEEPEST: u32 = 4;
/// The depth through headers of the C++ library, whose guards call methods that call functions.
const DEEPEST_IN_HEADERS: u32 = 12;
/// The calls of one function. A function with more is not followed.
const MOST_CALLS: usize = 64;

/// The effect of a call on the locks of one kind.
#[derive(Clone)]
pub(super) enum Effect {
    /// The call takes a lock. In the end the function of this name does so.
    Takes(String),
    Gives,
}

/// A thread that performs an action that is done once: `pthread_once`, `call_once`, or the
/// initialisation of a static variable in C++.
struct Doer {
    lwp: u32,
    /// The address of the action's flag, if the code of the call shows it.
    flag: Option<u64>,
    /// The part of the stack in which the C library performs the action: it keeps the flag's
    /// address there.
    span: (u64, u64),
    of_static: bool,
    /// The return address of the call that began the action.
    after: u64,
}

fn is_one_of(name: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

/// Whether some word in a part of a stack has this value.
fn keeps(target: &dyn Target, (from, end): (u64, u64), value: u64) -> bool {
    const LONGEST: u64 = 1 << 12;
    if from == 0 || end < from {
        return false;
    }
    let mut bytes = vec![0; (end - from).min(LONGEST) as usize & !7];
    let words = target.read(from, &mut bytes).map(|()| bytes.chunks_exact(8));
    words.is_ok_and(|mut words| words.any(|word| *word == value.to_le_bytes()))
}

/// The effects of functions on locks, by the functions' starts.
pub struct Locks<'a> {
    pub(super) names: &'a Names,
    known: RefCell<HashMap<u64, [Option<Effect>; KINDS.len()]>>,
    /// Whether a way through the code leads from one call to another; kept because many threads are
    /// at the same call.
    pub(super) ways: RefCell<HashMap<(u64, u64), bool>>,
}

impl<'a> Locks<'a> {
    pub fn new(names: &'a Names) -> Locks<'a> {
        Locks { names, known: RefCell::default(), ways: RefCell::default() }
    }

    pub(super) fn of_call(&self, call: &Call, kind: usize, depth: u32) -> Option<Effect> {
        if kind == FILE && !call.callee.is_empty() {
            return self.of_file(call);
        }
        let (takes, gives) = KINDS[kind];
        if gives.iter().any(|name| call.callee.contains(name)) {
            return Some(Effect::Gives);
        }
        if takes.iter().any(|name| call.callee.contains(name)) {
            return Some(Effect::Takes(call.callee.clone()));
        }
        self.of_function(call.start?, depth)[kind].clone()
    }

    /// Returns the effect of a call on the locks of files.
    fn of_file(&self, call: &Call) -> Option<Effect> {
        // LOCK_SH and LOCK_EX; F_LOCK and F_TLOCK.
        const TAKES: [(&str, &[u64]); 2] = [("flock", &[1, 2, 5, 6]), ("lockf", &[1, 2])];
        let (takes, gives) = KINDS[FILE];
        let callee = call.callee.trim_end_matches("64");
        if gives.contains(&callee) {
            return Some(Effect::Gives);
        }
        let second =
            self.names.number_argument(call.after, 1).filter(|_| takes.contains(&callee))?;
        let is_take = TAKES.iter().any(|(name, how)| *name == callee && how.contains(&second));
        Some(if is_take { Effect::Takes(callee.to_owned()) } else { Effect::Gives })
    }

    /// Returns the effect of a function on each kind of lock. A function that takes a lock and
    /// gives none back takes it for its caller: a method of a class, the constructor of a guard.
    pub(super) fn of_function(&self, start: u64, depth: u32) -> [Option<Effect>; KINDS.len()] {
        const NOTHING: [Option<Effect>; KINDS.len()] = [const { None }; KINDS.len()];
        if let Some(known) = self.known.borrow().get(&start) {
            return known.clone();
        }
        let own = || self.names.functions(start).into_iter().next_back();
        let in_headers = || own().is_some_and(|own| is_of_headers(own.file.as_deref()));
        if depth >= DEEPEST && (depth >= DEEPEST_IN_HEADERS || !in_headers()) {
            return NOTHING;
        }
        // Ends the search in a function that calls itself.
        self.known.borrow_mut().insert(start, NOTHING);
        let calls = self.names.calls_of(start);
        let of_kind = |kind: usize| {
            let (mut takes, mut gives) = (None, false);
            for effect in calls.iter().filter_map(|call| self.of_call(call, kind, depth + 1)) {
                match effect {
                    Effect::Takes(by) => takes = takes.or(Some(by)),
                    Effect::Gives => gives = true,
                }
            }
            // These functions take several locks for their caller. They also have calls that give
            // locks back, for the case that another one is held.
            let parts =
                ["std::lock", "std::__detail::__lock_impl", "std::__detail::__try_lock_impl"];
            let takes_several = || own().is_some_and(|own| is_one_of(&own.name, &parts));
            let method = || own().and_then(|own| of_semaphore(&own.name));
            match (takes, gives) {
                _ if kind == SEMAPHORE && method().is_some() => method(),
                (Some(by), gives) if !gives || takes_several() => Some(Effect::Takes(by)),
                (None, true) => Some(Effect::Gives),
                _ => None,
            }
        };
        let found = match calls.len() <= MOST_CALLS {
            true => std::array::from_fn(of_kind),
            false => NOTHING,
        };
        self.known.borrow_mut().insert(start, found.clone());
        found
    }

    /// Whether the call that returns to `after` takes a lock.
    fn takes(&self, after: u64) -> bool {
        let calls = self.names.calls_before(after);
        let Some(call) = calls.last().filter(|call| call.after == after) else { return false };
        let takes = |kind| matches!(self.of_call(call, kind, 0), Some(Effect::Takes(_)));
        (0..KINDS.len()).filter(|kind| *kind != FILE).any(takes)
    }

    /// Returns the place in the user's own code of the call that returns to `after`. Headers of the
    /// compiler and functions that only make this call are passed over.
    pub(super) fn place(&self, after: u64) -> Option<String> {
        let functions = self.names.functions(after - 1);
        let is_own = |(level, function): &(usize, &omphalos_program::NamedFunction)| {
            let stands_for = || function.inlined && self.names.only_calls(after, *level);
            !is_of_headers(function.file.as_deref()) && !stands_for()
        };
        let own = functions.iter().enumerate().find(is_own).map(|(_, function)| function);
        own.or(functions.first()).and_then(|own| place(&own.file, own.line))
    }

    /// Finds for each thread that waits for an action that is done once the thread that performs
    /// it.
    pub fn find_doers(&self, target: &dyn Target, snapshot: &mut Snapshot, stacks: &[Stack]) {
        let waits = |thread: &Thread| matches!(thread.waits, Some(Wait::Once { .. }));
        if !snapshot.threads.iter().any(waits) {
            return;
        }
        let mut doers: Vec<Doer> = Vec::new();
        for stack in stacks {
            self.doers(stack, &mut doers);
        }
        for thread in &mut snapshot.threads {
            let Some(Wait::Once { flag, of_static, owner }) = &mut thread.waits else { continue };
            let alike = || doers.iter().filter(|doer| doer.of_static == *of_static);
            let unknown = || alike().filter(|doer| doer.flag.is_none());
            let known = alike().find(|doer| doer.flag == Some(*flag));
            let keeps = || unknown().find(|doer| keeps(target, doer.span, *flag));
            // A thread whose flag is unknown may perform this action, if there is only one such
            // thread.
            let only = || unknown().next().filter(|_| unknown().count() == 1);
            *owner = known.or_else(keeps).or_else(only).map(|doer| doer.lwp);
        }
        for Doer { lwp, after, of_static, .. } in doers {
            let thread = snapshot.threads.iter_mut().find(|thread| thread.lwp == lwp);
            if let (Some(thread), false) = (thread, of_static) {
                let by = "pthread_once".to_owned();
                thread.taken.extend(self.place(after).map(|place| Taken {
                    by,
                    place,
                    ..Taken::default()
                }));
            }
        }
    }

    fn doers(&self, stack: &Stack, found: &mut Vec<Doer>) {
        let mut inside = None;
        let is_own = |raw: &&Raw| self.names.owner(raw.lookup) == Owner::User;
        let own: Vec<&Raw> = stack.raw.iter().filter(is_own).collect();
        for (at, raw) in own.iter().enumerate() {
            let calls = self.names.calls_before(raw.address);
            let called = calls.last().filter(|call| call.after == raw.address);
            let does_once = called.is_some_and(|call| {
                ["pthread_once", "call_once"].iter().any(|name| call.callee.ends_with(name))
            });
            let begun = self.open(&calls, raw, STATIC).pop().map(|(after, _)| (after, true));
            // Frames of C++'s headers may be between the call and the user's own code.
            let is_by_user = |raw: &&&Raw| {
                let functions = self.names.functions(raw.lookup);
                functions.iter().any(|function| !is_of_headers(function.file.as_deref()))
            };
            let by = || own[at..].iter().find(is_by_user).unwrap_or(raw).address;
            let once = (inside.is_some() && does_once).then(|| (by(), false));
            for (after, of_static) in begun.into_iter().chain(once) {
                let call = if of_static { after } else { raw.address };
                let flag = self.names.first_argument(call);
                let span = (inside.unwrap_or(raw.cfa), raw.cfa);
                found.push(Doer { lwp: stack.lwp, flag, span, of_static, after });
            }
            inside = Some(raw.cfa);
        }
    }

    /// Returns the places in the code that take the lock at this address. Stacks are not
    /// considered: the lock's holder may have ended.
    pub fn all_takers(&self, address: u64) -> Vec<String> {
        // All kinds but the last, which is no lock but an action that is done once.
        self.takers(Some(address), &KINDS[..STATIC])
    }

    /// Returns the places in the code that take a lock of this kind (such as "lock") and do not
    /// show which lock.
    pub fn takers_of_kind(&self, kind: &str) -> Vec<String> {
        const OF_KINDS: [(&str, usize); 3] = [("lock", 0), ("nest lock", 1), ("pthread mutex", 3)];
        let of = OF_KINDS.iter().find(|(name, _)| *name == kind);
        of.map_or_else(Vec::new, |(_, of)| self.takers(None, &KINDS[*of..=*of]))
    }

    /// Returns the calls that take the lock at this address. Without an address: the calls whose
    /// lock the code does not show.
    pub(super) fn taking(&self, address: Option<u64>, kind: usize) -> Vec<u64> {
        self.taking_of(address, &KINDS[kind..=kind])
    }

    fn takers(&self, address: Option<u64>, kinds: &[(&[&str], &[&str])]) -> Vec<String> {
        let mut places = Vec::new();
        for after in self.taking_of(address, kinds) {
            places.extend(self.place(after).filter(|place| !places.contains(place)));
        }
        places.truncate(MOST_PLACES);
        places
    }

    fn taking_of(&self, address: Option<u64>, kinds: &[(&[&str], &[&str])]) -> Vec<u64> {
        let argument = |callee: &str| {
            let mut takes = kinds.iter().flat_map(|(takes, _)| takes.iter());
            let is_one = takes.any(|name| callee.contains(name));
            is_one.then_some(match callee {
                _ if callee.starts_with("__kmpc_critical") => 2,
                "MPI_Win_lock" => 3,
                _ => 0,
            })
        };
        self.names.calls_with(address, &argument)
    }

    /// Marks the innermost functions that only take a lock for their callers.
    pub fn mark(&self, stack: &mut [Frame]) {
        let mut inner = stack.iter().position(|frame| !frame.runtime && !is_system(frame));
        let Some(first) = inner else { return };
        if !self.takes(stack[first].address) {
            return;
        }
        while let Some(at) = inner {
            let frame = &stack[at];
            let level = stack[..at].iter().rev().take_while(|it| it.address == frame.address);
            let is_called = |by: &Frame| !by.runtime && !is_system(by) && !by.module.is_empty();
            if frame.construct.is_some() || !stack.get(at + 1).is_some_and(is_called) {
                return;
            }
            if !is_of_headers(frame.file.as_deref())
                && !self.names.only_calls(frame.address, level.count())
            {
                return;
            }
            stack[at].stands_for_call = true;
            inner = Some(at + 1);
        }
    }
}
