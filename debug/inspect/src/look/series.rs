//! Takes several looks at one process, one after the other, and adds up what changes between them.
//! So `omphalos inspect` knows which threads go on.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use omphalos_ompd_view::Fault;
use omphalos_ompd_view::asleep::asks;
use omphalos_ompd_view::snapshot::{Circle, Os, StaysIn, Thread, Wait};
use omphalos_why::{is_try, words};

use super::awaits::{called, values};
use super::glance::{Glimpse, glance};
use super::{Look, asking_again};
use crate::Way;
use crate::foreign::Ompd;
use crate::space::live::{peek, shown_by};

/// Several looks at one process: the first one, and the last one with everything that the looks
/// between saw.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The first look.
    pub first: Look,
    /// The last look.
    pub last: Look,
    /// The number of looks.
    pub count: u32,
    /// The number of times that the looks stopped the threads.
    stops: u32,
    /// Each running thread's prints so far (see `Thread::print`).
    prints: HashMap<u32, Vec<u64>>,
    /// Each thread's CPU time at the last look that counted for it, in nanoseconds, and how often
    /// it had got a processor by then.
    cpu: HashMap<u32, (u64, u64)>,
}

/// A thread that used less CPU time than this between two looks, in nanoseconds, has hardly done
/// more than stop and go on. Its place tells nothing new.
const RAN: u64 = 500_000;
/// A thread that got a processor this often between looks also did something. Stopping a thread
/// costs it only a few of these times.
const TURNS: u64 = 16;

/// The number of times that a sleeping thread falls asleep because of one stop: once where it was
/// stopped, and once again in its call. (If a busy machine takes its processor, the kernel counts
/// that elsewhere.) A thread that falls asleep more often has been woken by others.
const SLEEPS_OF_A_STOP: u64 = 2;

/// The number of reads, between two looks, of the memory that loops wait for. A value that changes
/// back and forth may by chance be the same in each look.
const PEEKS: u32 = 16;

impl Series {
    /// Adds a look.
    pub fn add(&mut self, mut look: Look) {
        self.stops += look.stops;
        for thread in &mut look.snapshot.threads {
            let old = self.last.snapshot.threads.iter().find(|old| old.lwp == thread.lwp);
            let before = old.map_or(0, |old| old.unchanged);
            let ran = ran(&mut self.cpu, thread.lwp, thread.os.as_ref());
            let may_get_news = thread.calls.iter().any(|call| may_bring_news(call));
            let runs = ran && is_running(thread.os.as_ref()) && !may_get_news;
            let first = self.first.snapshot.threads.iter().find(|old| old.lwp == thread.lwp);
            if let (Some(os), Some(first)) = (&mut thread.os, first.and_then(|it| it.os.as_ref())) {
                let sleeps =
                    os.sleeps.unwrap_or(0).saturating_sub(first.sleeps.unwrap_or(u64::MAX));
                os.woken = sleeps > SLEEPS_OF_A_STOP * u64::from(self.stops);
            }
            let print = (thread.lwp, thread.print);
            let (now, again) = unchanged(&mut self.prints, print, before, runs);
            // A print that is new in this look shows that the thread goes on. A thread in
            // such a call is in no loop of its own, whatever it did at the looks before.
            thread.unchanged = if again && !may_get_news { now } else { 0 };
            let tries = ran && thread.calls.iter().any(|call| is_try(call));
            thread.tried = old.map_or(0, |old| old.tried) + u32::from(tries);
            let old = old.map_or(&[][..], |old| &old.calls[..]);
            let new: Vec<String> =
                old.iter().filter(|call| !thread.calls.contains(call)).cloned().collect();
            thread.calls.extend(new);
            let before = self.last.snapshot.threads.iter().find(|old| old.lwp == thread.lwp);
            if let Some(awaits) = &mut thread.awaits {
                awaits.follow(before.and_then(|before| before.awaits.as_ref()), ran, again);
            }
            if let Some(round) = &mut thread.round {
                round.follow(before.and_then(|before| before.round.as_ref()), ran, false);
            }
            let circle = before.and_then(|before| before.circle.as_ref());
            Circle::follow(&mut thread.circle, circle);
            if let Some(before) = before {
                StaysIn::follow(&mut thread.stays_in, &before.stays_in, ran);
            }
        }
        if self.count == 0 {
            self.first = look.clone();
        }
        self.last = look;
        self.count += 1;
    }

    /// Adds a short look. The next full look finds everything seen so far in [`Series::last`].
    fn add_glance(&mut self, seen: Vec<Glimpse>) {
        let threads = &mut self.last.snapshot.threads;
        for old in threads.iter_mut() {
            if seen.iter().all(|glimpse| glimpse.lwp != old.lwp) {
                old.unchanged = unchanged(&mut self.prints, (old.lwp, 0), 0, true).0;
            }
        }
        for Glimpse { lwp, os, call, outside_of_mpi, print, awaits, round, stays_in, circle } in
            seen
        {
            let ran = ran(&mut self.cpu, lwp, os.as_ref());
            let may_get_news = call.as_ref().is_some_and(|call| may_bring_news(call));
            let runs = ran && is_running(os.as_ref()) && !may_get_news;
            let at = threads.iter().position(|old| old.lwp == lwp).unwrap_or_else(|| {
                threads.push(Thread { lwp, ..Thread::default() });
                threads.len() - 1
            });
            let thread = &mut threads[at];
            let (now, again) = unchanged(&mut self.prints, (lwp, print), thread.unchanged, runs);
            thread.unchanged = now;
            let before = std::mem::replace(&mut thread.awaits, awaits);
            if let Some(awaits) = &mut thread.awaits {
                awaits.follow(before.as_ref(), ran, again);
            }
            let before = std::mem::replace(&mut thread.round, round);
            if let Some(round) = &mut thread.round {
                round.follow(before.as_ref(), ran, false);
            }
            let before = std::mem::replace(&mut thread.stays_in, stays_in);
            StaysIn::follow(&mut thread.stays_in, &before, ran);
            let before = std::mem::replace(&mut thread.circle, circle);
            Circle::follow(&mut thread.circle, before.as_ref());
            thread.tried += u32::from(ran && call.as_ref().is_some_and(|call| is_try(call)));
            // A thread that computes between two waits for messages goes on.
            let between = outside_of_mpi.filter(|_| waits_for_message(thread));
            let new: Vec<String> = call.into_iter().chain(between).collect();
            let new = new.into_iter().filter(|call| !thread.calls.contains(call));
            thread.calls.extend(new.collect::<Vec<_>>());
        }
        self.stops += 1;
        self.count += 1;
    }

    /// Reads the memory that loops wait for, between two looks.
    fn peek(&mut self, pid: u32) {
        let now = |address: u64, length: usize| {
            let mut bytes = [0; 8];
            peek(pid, address, bytes.get_mut(..length)?).then(|| u64::from_le_bytes(bytes))
        };
        let loops = self.last.snapshot.threads.iter_mut().flat_map(|thread| {
            let stays = thread.stays_in.iter_mut().map(|stays| &mut stays.polls);
            let circle = thread.circle.as_mut().map(|circle| &mut circle.of);
            thread.awaits.as_mut().into_iter().chain(stays).chain(circle)
        });
        for awaits in loops.filter(|awaits| !awaits.changes) {
            awaits.changes = values(&awaits.reads, now) != awaits.values;
        }
    }
}

/// Whether the thread waits for a message of MPI.
fn waits_for_message(thread: &Thread) -> bool {
    matches!(&thread.waits, Some(Wait::Call { what, .. }) if words::is_message_passing(what))
}

/// Whether a thread could do something since the last look: it had a processor, or it slept. True
/// also if the kernel does not tell this.
fn ran(known: &mut HashMap<u32, (u64, u64)>, lwp: u32, os: Option<&Os>) -> bool {
    let Some((os, now)) = os.and_then(|os| Some((os, os.cpu?))) else { return true };
    let turns = os.turns.unwrap_or(0);
    // A thread that yields its processor to others runs little, but its time adds up.
    let did = |(before, old): &(u64, u64)| {
        now.saturating_sub(*before) >= RAN || turns.saturating_sub(*old) >= TURNS
    };
    let ran = os.state != "R" || known.get(&lwp).is_none_or(did);
    if ran {
        known.insert(lwp, (now, turns));
    }
    ran
}

/// Whether a thread ran when it was looked at. (A sleeping thread looks the same each time, though
/// it may go on.) True also if the thread's state is unknown.
fn is_running(os: Option<&Os>) -> bool {
    os.is_none_or(|os| os.state == "R")
}

/// Whether the call is a sleep for a time (`usleep`, `_gfortran_sleep_i4`), or one that may bring
/// news from elsewhere (`poll`, `waitpid`, `time`). A thread that goes round such calls looks the
/// same in each look, whatever it gets next; and a thread that was woken in a sleep may still wait
/// for a processor.
fn may_bring_news(call: &str) -> bool {
    call.contains("sleep") || called(call).is_none()
}

/// Returns the number of looks in which a thread had the same print as in an earlier look, and
/// whether this look is such a look. This look counts only if the thread ran (`runs`). `before`:
/// the number without this look. A thread that computes never has the same print twice.
fn unchanged(
    prints: &mut HashMap<u32, Vec<u64>>,
    (lwp, print): (u32, u64),
    before: u32,
    runs: bool,
) -> (u32, bool) {
    let known = prints.entry(lwp).or_default();
    if print == 0 {
        known.clear();
        return (0, false);
    }
    if known.contains(&print) {
        return (before + u32::from(runs), true);
    }
    known.push(print);
    (before, false)
}

/// Looks at a process for the time `apart`. The looks at the beginning and at the end are full; the
/// looks in between are short (`glance.rs`).
pub fn twice(pid: u32, way: Way, apart: Duration, ompd: &Ompd) -> Result<Series, Fault> {
    twice_beside(pid, way, apart, ompd, || ())
}

/// The same, where other processes are looked at meanwhile. `meet` is called behind the first look,
/// and returns when each of the others has had its first look, too.
pub fn twice_beside(
    pid: u32,
    way: Way,
    apart: Duration,
    ompd: &Ompd,
    meet: impl FnOnce(),
) -> Result<Series, Fault> {
    let (begun, shown) = (Instant::now(), shown_by(pid));
    let mut series = Series::default();
    let wait_for = |series: &mut Series, number: u32| {
        let end = begun + apart * number / LOOKS;
        for left in (1..=PEEKS).rev() {
            std::thread::sleep(end.saturating_duration_since(Instant::now()) / left);
            series.peek(shown);
        }
    };
    let (first, mut pages) = asking_again(pid, way, ompd, None)?;
    series.add(first);
    meet();
    let mut looks = LOOKS;
    for number in 1..MOST_LOOKS {
        if number >= LOOKS && !series.last.snapshot.threads.iter().any(is_seen_little) {
            break;
        }
        looks = looks.max(number + 1);
        wait_for(&mut series, number);
        let threads = series.last.snapshot.threads.iter();
        let awaits = |thread: &&Thread| {
            let is_in_loop = thread.awaits.is_some() || thread.round.is_some();
            is_in_loop || thread.circle.is_some() || StaysIn::may_tell(&thread.stays_in)
        };
        let awaiting = threads.filter(awaits).map(|thread| thread.lwp).collect();
        series.add_glance(glance(pid, way, awaiting)?);
    }
    wait_for(&mut series, looks);
    for _ in 0..MOST_LAST {
        let (last, read) = asking_again(pid, way, ompd, Some(pages))?;
        pages = read;
        series.add(last);
        if !series.last.snapshot.threads.iter().any(|thread| asks(thread) || has_untold(thread)) {
            break;
        }
    }
    Ok(series)
}

/// Whether the thread waits in a loop of its own but hardly ran between the looks, as on a machine
/// with more work than processors: the looks tell little about it.
fn is_seen_little(thread: &Thread) -> bool {
    thread.awaits.as_ref().is_some_and(|awaits| !awaits.changes && awaits.looks <= LOOKS / 2)
}

/// Whether the thread waits for Python's interpreter, and the holder was not seen. A look reads the
/// interpreter's memory after the thread goes on, unless the look before read it, too.
fn has_untold(thread: &Thread) -> bool {
    matches!(thread.waits, Some(Wait::Interpreter { owner: None }))
}

/// The most looks at the end. A thread that wants Python's interpreter is awake for moments, so
/// looks are repeated until one shows it asleep.
const MOST_LAST: u32 = 5;

/// The most looks at a program whose threads hardly run between them. (Each look stops a thread,
/// which costs it a tenth of [`RAN`]: so few looks do not add up to a time that counts.)
const MOST_LOOKS: u32 = 4 * LOOKS;

/// The number of looks after the first one, unless threads hardly run between them.
pub const LOOKS: u32 = 8;

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use omphalos_ompd_view::snapshot::{Awaits, Snapshot};

    use super::*;

    /// A look at one thread that is in a loop and has used `cpu` nanoseconds of CPU time.
    fn look(state: &str, cpu: u64, awaits: Awaits) -> Look {
        let os = Some(Os { state: state.to_owned(), cpu: Some(cpu), ..Os::default() });
        let calls = vec!["omp_test_lock".to_owned()];
        let thread =
            Thread { lwp: 1, print: 7, awaits: Some(awaits), calls, os, ..Thread::default() };
        let snapshot = Snapshot { threads: vec![thread], ..Snapshot::default() };
        Look { snapshot, ..Look::default() }
    }

    fn counts(state: &str, step: u64) -> [u32; 3] {
        let mut series = Series::default();
        (0..5).for_each(|at| series.add(look(state, at * step, Awaits::default())));
        let thread = &series.last.snapshot.threads[0];
        [thread.awaits.as_ref().map_or(0, |awaits| awaits.looks), thread.unchanged, thread.tried]
    }

    #[test]
    fn a_thread_without_a_processor_shows_nothing_new() {
        assert_eq!(counts("R", 10 * RAN), [5, 4, 5]);
        assert_eq!(counts("R", RAN / 20), [1, 0, 1]);
        assert_eq!(counts("S", 0), [5, 0, 5]);
    }

    /// A look finds the loop of a thread at its load or at its exchange.
    #[test]
    fn a_thread_that_comes_back_is_in_the_same_loop() {
        let mut series = Series::default();
        for at in 0..5 {
            let awaits = Awaits { print: at % 2, reads: vec![(64, 4)], ..Awaits::default() };
            series.add(look("R", 10 * RAN * at, awaits));
        }
        let thread = &series.last.snapshot.threads[0];
        assert_eq!(thread.awaits.as_ref().map(|awaits| awaits.looks), Some(5));
    }

    #[test]
    fn what_changes_between_two_looks_is_seen() {
        let flag = AtomicU64::new(3);
        let reads = vec![(std::ptr::from_ref(&flag).addr() as u64, 8)];
        let values = values(&reads, |_, _| Some(flag.load(Ordering::Relaxed)));
        let mut series = Series::default();
        series.add(look("R", 0, Awaits { reads, values, ..Awaits::default() }));
        let changes = |series: &mut Series| {
            series.peek(std::process::id());
            series.last.snapshot.threads[0].awaits.as_ref().is_some_and(|awaits| awaits.changes)
        };
        assert!(!changes(&mut series));
        flag.store(4, Ordering::Relaxed);
        assert!(changes(&mut series));
        flag.store(3, Ordering::Relaxed);
        assert!(changes(&mut series));
    }
}
