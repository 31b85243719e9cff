//! Finds the places where the program's code would end a wait that no particular thread is to end:
//! calls that signal, release or fulfil, and instructions that write. The full look calls [`find`].

mod comers;
mod doers;
mod made;
mod openings;
mod other_signals;
mod stores;

use omphalos_ompd_view::asleep::is_lock_of_python;
use omphalos_ompd_view::snapshot::{Address, Bringing, Brings, Lock, Snapshot, Thread, Wait};
use omphalos_why::words::{is_interpreter_file, is_of_headers};

use super::{Stack, bypasses, place};
use crate::names::Named;
use crate::space::Space;
use doers::{Doers, doers};
use stores::{polled, written};

/// Places that are named.
const MOST_PLACES: usize = 4;
/// The memory that a loop reads, and the code that writes it.
type OfLoop = (Vec<(u64, usize)>, Option<Brings>);

/// Adds these places to the waiting threads of a snapshot.
pub fn find(space: &dyn Space, snapshot: &mut Snapshot, stacks: &[Stack], named: &Named<'_>) {
    let has_ended = |thread: &Thread| thread.os.as_ref().is_some_and(|os| os.state == "X");
    let lost = snapshot.threads.iter().any(has_ended);
    // For a runtime that tells of no task, the code is the only sign of events.
    let events = snapshot.tasks.iter().any(|task| task.state == EVENT) || !snapshot.tells();
    let has_holder = |lock: &Lock| lock.holder.is_some() || lock.holder_task.is_some();
    let free: Vec<Address> =
        snapshot.locks.iter().filter(|lock| !has_holder(lock)).map(|lock| lock.address).collect();
    let mut known: Vec<(Bringing, Option<Address>, Option<Brings>)> = Vec::new();
    let mut of_loops: Vec<OfLoop> = Vec::new();
    for thread in &mut snapshot.threads {
        let stack = stacks.iter().find(|stack| stack.lwp == thread.lwp);
        let of_lock = match thread.waits {
            Some(Wait::Lock { lock }) if free.contains(&lock) => {
                Some((Bringing::Destroy, Some(lock)))
            }
            _ => None,
        };
        thread.brings =
            of_lock.or_else(|| wanted(thread, stack, lost, events)).and_then(|(what, object)| {
                // Threads that wait for the same thing share one answer.
                let is_own = matches!(what, Bringing::WriteTo | Bringing::ReadFrom);
                let is_it = |known: &&(Bringing, Option<Address>, Option<Brings>)| {
                    !is_own && (known.0, known.1) == (what, object)
                };
                if let Some(known) = known.iter().find(is_it) {
                    return known.2.clone();
                }
                let mut found = places(named, what, object, stack);
                if let Some(found) = &mut found {
                    found.made_at = made::places(named, what, object);
                }
                known.push((what, object, found.clone()));
                found
            });
        if let (None, Some(wait), Some(stack)) = (&thread.brings, &thread.waits, stack) {
            thread.brings = openings::find(space, named, wait, stack);
        }
        if thread.brings.is_none() {
            let word = stack.and_then(|stack| slept_at(thread, stack));
            let of_word = || {
                let writers = named.names().writers(word?, WORD_BYTES);
                brings(named, Bringing::Write, false, writers, None)
            };
            let of_loop = || {
                let reads = &thread.stays_in.iter().rfind(|it| !it.polls.reads.is_empty())?.polls;
                if let Some((_, known)) = of_loops.iter().find(|(known, _)| *known == reads.reads) {
                    return known.clone();
                }
                let found = polled(reads, named, stack);
                of_loops.push((reads.reads.clone(), found.clone()));
                found
            };
            thread.brings = written(thread, named, stack).or_else(of_word).or_else(of_loop);
        }
        if let (Some(Wait::Sink { .. }), Some(stack)) = (&thread.waits, stack) {
            thread.brings = bypasses::past_sources(named, stack);
        }
    }
    // A task that waits for the task of a thread that polls may be the one that writes.
    if snapshot.tasks.iter().any(|task| !task.depends_on.is_empty()) {
        let polls = |it: &&mut Thread| it.task.is_some() && it.awaits.is_some();
        for thread in snapshot.threads.iter_mut().filter(polls) {
            if let Some(brings) = thread.brings.as_mut().filter(|it| it.what == Bringing::Write) {
                brings.bodies = bodies(named, &brings.after);
            }
        }
    }
    for at in 0..snapshot.threads.len() {
        let comers = comers::find(snapshot, stacks, named, &snapshot.threads[at]);
        if let Some(brings) = &mut snapshot.threads[at].brings {
            brings.comers = comers;
        }
    }
}

/// Returns the word at which the thread sleeps, if the program itself calls `futex`.
fn slept_at(thread: &Thread, stack: &Stack) -> Option<Address> {
    let own = matches!(&thread.waits, Some(Wait::Call { name, .. }) if name == "futex");
    own.then_some(stack.registers.call[2])
}

/// The bytes of such a word that the kernel compares.
const WORD_BYTES: u64 = 4;
/// The state of a task whose body has ended, and whose event is outstanding.
const EVENT: &str = "detached";

/// Returns the operation that would end the thread's wait, and the object of that operation, if
/// known.
fn wanted(
    thread: &Thread,
    stack: Option<&Stack>,
    lost: bool,
    events: bool,
) -> Option<(Bringing, Option<Address>)> {
    if thread.unsent.is_some() {
        return Some((Bringing::Flush, None));
    }
    Some(match thread.waits.as_ref()? {
        Wait::Condition { condition } => (Bringing::Signal, Some(*condition)),
        Wait::Barrier { .. } if lost => (Bringing::End, None),
        Wait::Taskwait { .. }
        | Wait::Taskgroup { .. }
        | Wait::Dependences { .. }
        | Wait::Event { .. }
        | Wait::Barrier { .. }
            if events =>
        {
            (Bringing::Fulfil, None)
        }
        // Python code releases such a lock, not the interpreter's code.
        Wait::Unknown { what } if is_lock_of_python(what) => return None,
        Wait::Unknown { .. } if thread.calls.iter().any(|call| call.starts_with("sem_")) => {
            (Bringing::Post, stack.map(|stack| stack.registers.call[2]))
        }
        Wait::Unknown { what } if what.contains("a pthread barrier") => {
            // Threads sleep at its second word.
            let object = stack.map(|stack| stack.registers.call[2].wrapping_sub(4));
            (Bringing::Arrive, object)
        }
        Wait::Unknown { what } => (doers::of_object(what)?, None),
        Wait::Call { name, what } => (doers::of_call(name, what)?, None),
        _ => return None,
    })
}

/// Returns the calls that do the operation to the object. If there are none: the calls that do it
/// to an object that the code does not show.
fn places(
    named: &Named<'_>,
    what: Bringing,
    object: Option<Address>,
    stack: Option<&Stack>,
) -> Option<Brings> {
    let Doers { functions, methods, headers } = doers(what);
    let is_function = |callee: &str| functions.iter().any(|begin| callee.starts_with(begin));
    let calls =
        |object| named.names().calls_with(object, &|callee| is_function(callee).then_some(0));
    let own = object.map_or_else(Vec::new, |object| calls(Some(object)));
    let alike = own.is_empty();
    if let (true, Bringing::Signal, Some(object), Some(stack)) = (alike, what, object, stack)
        && let Some(others) = other_signals::find(named, object, stack)
    {
        return Some(others);
    }
    let is_it = |name: &str| {
        is_function(name)
            || methods.iter().any(|(of, method)| name.contains(of) && name.contains(method))
    };
    // A thread may end with any value.
    let found = match (alike, what) {
        (false, _) => own,
        (true, Bringing::End) => [calls(Some(0)), calls(None)].concat(),
        (true, _) if object.is_some() => {
            let mut all = calls(None);
            all.retain(|after| is_of_stack(named, *after, stack));
            if let (Bringing::Signal, Some(object), Some(stack)) = (what, object, stack) {
                other_signals::retain_own(named, object, stack, &mut all);
            }
            all
        }
        (true, _) => named.names().callers(&is_it, headers),
    };
    let (alike, found) = match what {
        Bringing::Post if alike => {
            of_word(named, found, stack.map(|stack| stack.registers.call[2]))
        }
        _ => (alike, found),
    };
    match (brings(named, what, alike, found, stack), what) {
        (None, Bringing::Notify) => places(named, Bringing::Store, None, stack),
        (found, _) => found,
    }
}

/// Whether an address is in one of the files whose code is on the stack. If the code does not show
/// the object of an operation, only the files that use the object matter.
fn is_of_stack(named: &Named<'_>, after: u64, stack: Option<&Stack>) -> bool {
    let base = |at: u64| named.module(at).map(|module| module.base);
    let own = base(after - 1);
    stack.is_none_or(|stack| stack.raw.iter().any(|raw| own.is_some() && base(raw.lookup) == own))
}

/// Returns the names of the functions that a thread is in. If these functions write to or read from
/// an unknown descriptor, they do so for other threads.
fn functions_of(named: &Named<'_>, stack: &Stack) -> Vec<String> {
    let functions = stack.raw.iter().flat_map(|raw| named.names().functions(raw.lookup));
    functions.map(|one| one.name).collect()
}

/// The start addresses of the functions that come to these places.
fn bodies(named: &Named<'_>, found: &[u64]) -> Vec<Address> {
    let calls = bypasses::with_callers(named.names(), found.to_vec()).into_iter();
    let start = |after: u64| named.names().functions(after - 1).last()?.start;
    calls.filter_map(start).collect()
}

/// Selects from operations on semaphores of the C++ library those on the semaphore at this word.
/// Returns whether the code does not show the semaphore (then all operations), and the operations.
fn of_word(named: &Named<'_>, found: Vec<u64>, word: Option<Address>) -> (bool, Vec<u64>) {
    let writers = word.map_or_else(Vec::new, |word| named.names().writers(word, WORD_BYTES));
    let own: Vec<u64> = found
        .iter()
        .copied()
        .filter(|after| {
            let place = place_of(named, *after);
            writers.iter().any(|writer| place_of(named, *writer) == place)
        })
        .collect();
    if own.is_empty() { (true, found) } else { (false, own) }
}

fn wakes_one(named: &Named<'_>, after: u64) -> bool {
    let callee = named.names().callee(after).unwrap_or_default();
    callee.ends_with("cond_signal") || callee == "cnd_signal" || callee.contains("notify_one")
}

/// The places in the user's own code for calls that return to `found`.
fn places_of(named: &Named<'_>, found: &[u64]) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for &after in found {
        let place = place_of(named, after);
        places.extend(place.filter(|place| !places.contains(place)));
    }
    places.truncate(MOST_PLACES);
    places
}

/// Returns the line of the user's own code, inlined code too, of the call that returns to `after`.
/// Code of the compiler's headers is passed over.
fn place_of(named: &Named<'_>, after: u64) -> Option<String> {
    let functions = named.names().functions(after - 1);
    let own = functions.iter().find(|one| !is_of_headers(one.file.as_deref()))?;
    place(&own.file, own.line)
}

fn brings(
    named: &Named<'_>,
    what: Bringing,
    alike: bool,
    found: Vec<u64>,
    stack: Option<&Stack>,
) -> Option<Brings> {
    // The interpreter's own code is not the program's.
    let is_program = |after: &u64| {
        named.module(after - 1).is_none_or(|module| !is_interpreter_file(module.name()))
    };
    let found: Vec<u64> = found.into_iter().filter(is_program).collect();
    let places = places_of(named, &found);
    let wakes_one = what == Bringing::Signal && found.iter().all(|after| wakes_one(named, *after));
    let bypasses = match what {
        Bringing::End | Bringing::Destroy | Bringing::Write | Bringing::Open => Vec::new(),
        Bringing::WriteTo | Bringing::ReadFrom => {
            let own = stack.map_or_else(Vec::new, |stack| functions_of(named, stack));
            let is_own = |after: &u64| {
                let mut functions = named.names().functions(after - 1).into_iter();
                let first = functions.find(|one| !is_of_headers(one.file.as_deref()));
                first.is_some_and(|first| own.contains(&first.name))
            };
            let others: Vec<u64> = found.iter().copied().filter(|after| !is_own(after)).collect();
            let mut ways = bypasses::past(named.names(), &others, stack);
            ways.retain(|way| !own.contains(&way.function));
            ways
        }
        _ => bypasses::past(named.names(), &found, stack),
    };
    let bodies = match what {
        Bringing::Fulfil => bodies(named, &found),
        _ => Vec::new(),
    };
    let after = found;
    let brings =
        Brings { what, places, alike, wakes_one, bypasses, after, bodies, ..Brings::default() };
    (!brings.places.is_empty()).then_some(brings)
}
