//! Finds ways through the code that leave a lock taken: from a call that takes the lock, past every
//! call that gives it back.

use omphalos_ompd_view::snapshot::{Bringing, Brings, Bypass, Lock, Snapshot, Thread, Wait};
use omphalos_program::{Answer, Call, NamedFunction, Ways};
use omphalos_why::words::is_of_headers;
use omphalos_why::words::messages::locks_window;

use super::super::locks::{Effect, Locks, WINDOW};
use super::super::{Stack, place};
use super::{DEEPEST, MOST, said, start};

/// Kinds of locks by their numbers in [`super::super::locks::KINDS`].
const OF_KINDS: [(&str, usize); 7] = [
    ("lock", 0),
    ("nest lock", 1),
    ("critical", 2),
    ("pthread mutex", 3),
    ("read-write lock", 4),
    ("spin lock", 6),
    (OF_STREAM, 3),
];
/// The kind of a stream's lock. `flockfile` takes it, and its argument is the stream, not the lock.
const OF_STREAM: &str = "lock of a stream";
/// Functions that destroy locks, by parts of their names.
const DESTROYS: [&str; 6] = [
    "omp_destroy_lock", "omp_destroy_nest_lock", "mutex_destroy", "mtx_destroy", "rwlock_destroy",
    "spin_destroy",
];
/// The lock that the ways are about.
#[derive(Clone, Copy)]
struct Wanted {
    /// The kind, by its number in [`super::super::locks::KINDS`].
    kind: usize,
    of_stream: bool,
    /// Whether other processes share it.
    shared: bool,
}

/// Locks that are looked at.
const MOST_LOCKS: usize = 8;

/// The thread that holds a lock.
fn holder<'a>(threads: &'a [Thread], lock: &Lock) -> Option<&'a Thread> {
    let owner = owner(threads, lock);
    let is_it = |thread: &&Thread| {
        owner == Some(thread.lwp) || lock.holder.is_some() && lock.holder == thread.number
    };
    threads.iter().find(is_it)
}

fn owner(threads: &[Thread], lock: &Lock) -> Option<u32> {
    threads.iter().find_map(|thread| match thread.waits {
        Some(Wait::Mutex { mutex, owner, .. }) if mutex == lock.address => owner,
        _ => None,
    })
}

fn is_wanted(threads: &[Thread], lock: &Lock) -> bool {
    threads.iter().any(|thread| match thread.waits {
        Some(Wait::Mutex { mutex: wanted, .. } | Wait::Lock { lock: wanted }) => {
            wanted == lock.address
        }
        _ => false,
    })
}

impl Locks<'_> {
    /// Adds the ways that leave a lock taken to each lock that one thread holds and another one
    /// waits for.
    pub fn find_bypasses(&self, snapshot: &mut Snapshot, stacks: &[Stack]) {
        // If the runtime does not tell who holds a lock, the lock may be held.
        let is_told = snapshot.tells();
        let threads = &snapshot.threads;
        let is_one = |lock: &&mut Lock| {
            let is_held =
                lock.holder.is_some() || lock.holder_gone || owner(threads, lock).is_some();
            (is_held || !is_told) && !lock.damaged && is_wanted(threads, lock)
        };
        for lock in snapshot.locks.iter_mut().filter(is_one).take(MOST_LOCKS) {
            let of_kind = OF_KINDS.iter().find(|(name, _)| *name == lock.kind);
            let Some(kind) = of_kind.map(|(_, kind)| *kind) else { continue };
            let holder = holder(threads, lock);
            let stack = stacks.iter().find(|one| holder.is_some_and(|it| it.lwp == one.lwp));
            let of_stream = lock.kind == OF_STREAM;
            let what = Wanted { kind, of_stream, shared: lock.shared };
            let ways = |address| self.bypasses(address, what, stack);
            let own = if of_stream { Vec::new() } else { ways(Some(lock.address)) };
            lock.bypasses = if own.is_empty() { ways(None) } else { own };
        }
    }

    /// Adds the ways that leave the lock of a window taken to threads that wait for such a lock:
    /// ranks of a job execute the same code, as a rule.
    pub fn find_bypasses_of_windows(&self, snapshot: &mut Snapshot) {
        for thread in &mut snapshot.threads {
            let Some(Wait::Call { what, .. }) = &thread.waits else { continue };
            if locks_window(what) {
                let wanted = Wanted { kind: WINDOW, of_stream: false, shared: false };
                let mut bypasses = self.bypasses(None, wanted, None);
                bypasses.iter_mut().for_each(|way| way.how = "kept".to_owned());
                let what = Bringing::Release;
                thread.brings = Some(Brings { what, bypasses, ..Brings::default() });
            }
        }
    }

    /// Returns the ways that leave the lock at this address taken. Without an address: the ways for
    /// all locks of this kind whose address the code does not show.
    fn bypasses(&self, lock: Option<u64>, wanted: Wanted, stack: Option<&Stack>) -> Vec<Bypass> {
        let Wanted { kind, of_stream, .. } = wanted;
        let mut takes: Vec<u64> = Vec::new();
        let is_it = |after: &u64| {
            let callee = self.names.callee(*after).unwrap_or_default();
            callee.contains("flockfile") == of_stream
        };
        for after in self.taking(lock, kind).into_iter().filter(is_it) {
            self.add_takes(after, kind, 0, &mut takes);
        }
        let mut found: Vec<Bypass> = Vec::new();
        for after in takes {
            let new = self.left_taken(after, lock, wanted, stack).unwrap_or_default();
            found.extend(new.into_iter().filter(|one| !found.contains(one)).collect::<Vec<_>>());
        }
        found.truncate(MOST);
        found
    }

    /// Adds the calls in the program's own code that take a lock by the call that returns to
    /// `after`: that call, or calls of functions that take the lock for their callers.
    fn add_takes(&self, after: u64, kind: usize, depth: u32, found: &mut Vec<u64>) {
        let functions = self.names.functions(after - 1);
        let Some(start) = functions.last().and_then(|own| own.start) else { return };
        let in_header = functions.iter().all(|one| is_of_headers(one.file.as_deref()));
        let for_caller = matches!(self.of_function(start, 0)[kind], Some(Effect::Takes(_)));
        let calls = match in_header || for_caller {
            true if depth < DEEPEST => self.names.calls_to(start),
            _ => Vec::new(),
        };
        if calls.is_empty() && !found.contains(&after) {
            found.push(after);
        }
        for call in calls {
            self.add_takes(call, kind, depth + 1, found);
        }
    }

    /// Returns the ways from behind the call that returns to `after`, which takes the lock, on
    /// which the lock stays taken. `None` if the function never gives such a lock back, or still
    /// comes to the call that does.
    fn left_taken(
        &self,
        after: u64,
        lock: Option<u64>,
        Wanted { kind, shared, .. }: Wanted,
        stack: Option<&Stack>,
    ) -> Option<Vec<Bypass>> {
        let start = start(self.names, after - 1)?;
        let calls = self.names.calls_of(start);
        let taker = calls.iter().find(|call| call.after == after)?;
        let is_other = |call: &Call| {
            lock.is_some_and(|lock| {
                self.names.first_argument(call.after).is_some_and(|known| known != lock)
            }) && !call.callee.contains("critical")
        };
        let (mut gives, mut takes) = (Vec::new(), Vec::new());
        for call in &calls {
            match self.of_call(call, kind, 0) {
                Some(Effect::Gives) if !is_other(call) => gives.push(call.after),
                Some(Effect::Takes(_)) => takes.push(call.after),
                _ => {}
            }
        }
        if gives.is_empty() {
            return None;
        }
        // If the lock's holder is still in this function, only a way to its place counts.
        let stands = stack.map_or(&[][..], |stack| &stack.raw[..]).iter();
        let stands = stands.filter(|raw| super::start(self.names, raw.lookup) == Some(start));
        let here: Vec<u64> = stands.map(|raw| raw.address).collect();
        let stands: Vec<u64> = here.iter().copied().filter(|at| !takes.contains(at)).collect();
        // The call that gives the lock back is still to come.
        let gives_yet = |at: &u64| {
            gives.iter().any(|give| self.names.leads_to(*at, *give, &takes) != Some(false))
        };
        if stands.iter().any(gives_yet) || self.is_for_caller(start, kind, stack) {
            return None;
        }
        let ways = Ways {
            from: Some(after),
            to: &gives,
            ends: if stands.is_empty() { &takes } else { &stands },
            only_to_ends: !stands.is_empty(),
            failed: failed(taker, self.of_call(taker, kind, 0)),
        };
        let place = self.place(after)?;
        let own = self.own(after).map_or_else(String::new, |own| own.name);
        let partings = self.names.partings(after - 1, &ways);
        let mut found = said(self.names, &partings, (&own, &place), &gives);
        if found.is_empty() && stands.is_empty() {
            found.extend(self.thrown(after, &calls, &gives, &place));
        }
        if found.is_empty() && shared {
            found.extend(self.ended(after, &calls, &gives, &place));
        }
        // A holder that wants another lock of the kind is on its way.
        if found.is_empty() && stands.is_empty() && here.iter().all(|at| *at == after) {
            found.extend(self.never_given(after, &calls, (&gives, &takes), lock));
        }
        Some(found)
    }

    /// Returns the call that takes the lock as a bypass, if no way behind it gives the lock back
    /// although the function has calls that do: the compiler knew the way and left no branch. If a
    /// call destroys the lock behind it, or a single statement of the source leaves between taking
    /// and giving back, the bypass names that place.
    fn never_given(
        &self,
        after: u64,
        calls: &[Call],
        (gives, takes): (&[u64], &[u64]),
        lock: Option<u64>,
    ) -> Option<Bypass> {
        let names = self.names;
        if gives.iter().any(|give| names.leads_to(after, *give, takes) != Some(false)) {
            return None;
        }
        let own = self.own(after)?;
        let of = self.place(after)?;
        let destroys = |call: &&Call| {
            let is_it = || {
                let known = names.first_argument(call.after);
                known.is_none() || lock.is_none() || known == lock
            };
            DESTROYS.iter().any(|name| call.callee.contains(name))
                && is_it()
                && names.leads_to(after, call.after, takes) == Some(true)
        };
        let destroyed = calls.iter().find(destroys).and_then(|call| self.place(call.after));
        let line = |give: &u64| {
            let functions = names.functions(give - 1).into_iter();
            let mut alike = functions.filter(|one| one.file == own.file && one.name == own.name);
            alike.next().map(|one| one.line).filter(|line| *line > own.line)
        };
        let leaves = || {
            let next = gives.iter().filter_map(line).min()?;
            let left = names.leaves_between(own.file.as_deref()?, own.line, next)?;
            place(&own.file, left)
        };
        let (at, how) = match destroyed {
            Some(at) => (at, "destroyed"),
            None => leaves().map_or_else(|| (of.clone(), "never"), |at| (at, "side")),
        };
        Some(Bypass { function: own.name.clone(), at, of, how: how.to_owned(), thrown: None })
    }

    /// Whether the holder is in a caller of this function that still gives such a lock back: then
    /// this function took the lock for that caller.
    fn is_for_caller(&self, start: u64, kind: usize, stack: Option<&Stack>) -> bool {
        let raw = stack.map_or(&[][..], |stack| &stack.raw[..]);
        raw.iter().any(|raw| {
            let Some(around) = super::start(self.names, raw.lookup).filter(|it| *it != start)
            else {
                return false;
            };
            let calls = self.names.calls_of(around);
            // A function that takes a read-write lock for reading gives back the lock that it took
            // itself.
            let reads = |call: &&Call| {
                let within =
                    || call.start.map_or_else(Vec::new, |start| self.names.calls_of(start));
                let is_one = |call: &Call| call.callee.contains("rdlock");
                is_one(call) || within().iter().any(is_one)
            };
            let takes_one = |call: &&Call| {
                let effect = || self.of_call(call, kind, 0);
                call.start == Some(start)
                    || reads(call)
                    || matches!(effect(), Some(Effect::Takes(_)))
            };
            let is_called = calls.iter().any(|call| call.start == Some(start));
            let takes: Vec<u64> = calls.iter().filter(takes_one).map(|call| call.after).collect();
            let gives = |call: &&Call| {
                !reads(call) && matches!(self.of_call(call, kind, 0), Some(Effect::Gives))
            };
            let is_ahead =
                |give: &Call| self.names.leads_to(raw.address, give.after, &takes) != Some(false);
            is_called && calls.iter().filter(gives).any(is_ahead)
        })
    }

    /// Returns the first call between taking the lock and giving it back that may throw, or leave
    /// by `longjmp`. `None` if there is no such call, or if code for exceptions gives the lock
    /// back.
    fn thrown(&self, after: u64, calls: &[Call], gives: &[u64], of: &str) -> Option<Bypass> {
        let leads = |to: u64, without: &[u64]| self.names.leads_to(after, to, without);
        if !gives.iter().all(|give| leads(*give, &[]) == Some(true)) {
            return None;
        }
        calls.iter().filter(|call| leads(call.after, gives) == Some(true)).find_map(|call| {
            let thrown = self.throws(call, 0)?;
            let jumps = self.names.callee(thrown).is_some_and(|callee| is_jump(&callee));
            Some(Bypass {
                function: self.own(after)?.name,
                at: self.place(call.after)?,
                of: of.to_owned(),
                how: if jumps { "jump" } else { "exception" }.to_owned(),
                thrown: self.place(thrown),
            })
        })
    }

    /// Returns the first call between taking the lock and giving it back that may end the process,
    /// which keeps a lock that other processes share.
    fn ended(&self, after: u64, calls: &[Call], gives: &[u64], of: &str) -> Option<Bypass> {
        let leads = |call: &&Call| self.names.leads_to(after, call.after, gives) == Some(true);
        let call = calls.iter().filter(leads).find(|call| self.ends_process(call, 0))?;
        let (function, at) = (self.own(after)?.name, self.place(call.after)?);
        Some(Bypass { function, at, of: of.to_owned(), how: "exit".to_owned(), thrown: None })
    }

    fn ends_process(&self, call: &Call, depth: u32) -> bool {
        const ENDS: [&str; 4] = ["_exit", "_Exit", "exit", "quick_exit"];
        let own = call.start.filter(|_| depth < DEEPEST);
        let calls = || own.map_or_else(Vec::new, |start| self.names.calls_of(start));
        ENDS.contains(&&*call.callee)
            || calls().iter().any(|call| self.ends_process(call, depth + 1))
    }

    /// The program's own function that contains the call.
    fn own(&self, after: u64) -> Option<NamedFunction> {
        let mut functions = self.names.functions(after - 1).into_iter();
        functions.find(|one| !is_of_headers(one.file.as_deref()))
    }

    /// Returns the return address of the call that throws, or of `longjmp`: this call, or one in
    /// the functions that it calls.
    fn throws(&self, call: &Call, depth: u32) -> Option<u64> {
        // Exceptions for lack of memory, and the like, are not the program's plan.
        let is_throw = call.callee.starts_with("__cxa_throw")
            || is_jump(&call.callee)
            || call.callee.contains("__throw_")
                && ![
                    "__throw_length_error", "__throw_bad_", "__throw_system_error", "__throw_logic",
                ]
                .iter()
                .any(|other| call.callee.contains(other));
        if is_throw {
            return Some(call.after);
        }
        let start = call.start.filter(|_| depth < DEEPEST)?;
        self.names.calls_of(start).iter().find_map(|call| self.throws(call, depth + 1))
    }
}

/// Whether the function leaves its callers by a jump.
fn is_jump(callee: &str) -> bool {
    ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"].contains(&callee)
}

/// Returns the result of a call that has not taken the lock.
fn failed(call: &Call, effect: Option<Effect>) -> Option<Answer> {
    let name = &call.callee;
    if name.contains("omp_test_") {
        return Some(Answer::Zero);
    }
    if name.contains("pthread_") || name.starts_with("mtx_") {
        return Some(Answer::Other);
    }
    // A method of the C++ library returns whether it has the lock.
    let Some(Effect::Takes(by)) = effect else { return None };
    by.contains("try").then_some(Answer::Zero)
}
