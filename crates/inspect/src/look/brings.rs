//! Where the program's code does what would end a wait that no certain thread is about to end: who
//! should have signalled, released, fulfilled or written stands there.

use omphalos_ompd_view::snapshot::{Address, Bringing, Brings, Snapshot, Thread, Wait};
use omphalos_why::words::is_of_headers;

use super::{Stack, place};
use crate::names::Named;

/// Places that are named.
const MOST_PLACES: usize = 4;

/// Functions that do it, by the beginnings of their names.
fn functions(what: Bringing) -> &'static [&'static str] {
    match what {
        Bringing::Signal => &[
            "pthread_cond_signal",
            "pthread_cond_broadcast",
            "cnd_signal",
            "cnd_broadcast",
            "_ZNSt18condition_variable10notify_",
            "_ZNSt3__118condition_variable10notify_",
        ],
        Bringing::Post => &["sem_post"],
        Bringing::Fulfil => &["omp_fulfill_event"],
        Bringing::End => &["pthread_exit", "thrd_exit"],
        Bringing::Write => &[],
    }
}

/// Finds such places for the threads of a snapshot.
pub fn find(snapshot: &mut Snapshot, stacks: &[Stack], named: &Named<'_>) {
    let has_ended = |thread: &Thread| thread.os.as_ref().is_some_and(|os| os.state == "X");
    let lost = snapshot.threads.iter().any(has_ended);
    let events = snapshot.tasks.iter().any(|task| task.state == EVENT);
    for thread in &mut snapshot.threads {
        let stack = stacks.iter().find(|stack| stack.lwp == thread.lwp);
        thread.brings = wanted(thread, stack, lost, events)
            .and_then(|(what, object)| places(named, what, object));
        if thread.brings.is_none() {
            thread.brings = written(thread, named);
        }
    }
}

/// The state of a task whose body has ended, and whose event has not come.
const EVENT: &str = "detached";

/// What would end the thread's wait, and what that is done to, if it is known.
fn wanted(
    thread: &Thread,
    stack: Option<&Stack>,
    lost: bool,
    events: bool,
) -> Option<(Bringing, Option<Address>)> {
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
        Wait::Unknown { .. } if thread.calls.iter().any(|call| call.starts_with("sem_")) => {
            (Bringing::Post, stack.map(|stack| stack.registers.call[2]))
        }
        _ => return None,
    })
}

/// The calls that do it to that object; else those of which the code does not tell to which one.
fn places(named: &Named<'_>, what: Bringing, object: Option<Address>) -> Option<Brings> {
    let argument =
        |callee: &str| functions(what).iter().any(|begin| callee.starts_with(begin)).then_some(0);
    let calls = |object| named.names().calls_with(object, &argument);
    let own = object.map_or_else(Vec::new, |object| calls(Some(object)));
    let alike = own.is_empty();
    // A thread ends with a value of no account.
    let found = match (alike, what) {
        (false, _) => own,
        (true, Bringing::End) => [calls(Some(0)), calls(None)].concat(),
        (true, _) => calls(None),
    };
    brings(named, what, alike && object.is_some(), found)
}

/// The code that writes what a loop of the thread's reads.
fn written(thread: &Thread, named: &Named<'_>) -> Option<Brings> {
    let awaits = thread.awaits.as_ref()?;
    let writers = |(at, length): &(u64, usize)| named.names().writers(*at, *length as u64);
    brings(
        named,
        Bringing::Write,
        false,
        awaits.reads.iter().chain(&awaits.read_once).flat_map(writers).collect(),
    )
}

fn brings(named: &Named<'_>, what: Bringing, alike: bool, found: Vec<u64>) -> Option<Brings> {
    let mut places: Vec<String> = Vec::new();
    for after in found {
        // The user's own code, be it inlined, and not what headers of the compiler do for it.
        let functions = named.names().functions(after - 1);
        let own = functions.iter().find(|one| !is_of_headers(one.file.as_deref()));
        let place = own.and_then(|own| place(&own.file, own.line));
        places.extend(place.filter(|place| !places.contains(place)));
    }
    places.truncate(MOST_PLACES);
    (!places.is_empty()).then_some(Brings { what, places, alike })
}
