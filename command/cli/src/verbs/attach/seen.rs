//! Keeps what the looks at a process saw; each look reads the stacks of the process's threads. The
//! form is short, since a profile may last for hours: the looks in their order, and each distinct
//! stack once. `attach/mod.rs` fills it by `sampling::sample`.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use omphalos_inspect::sampling::{Place, Sighting, Told, Watcher};
use omphalos_inspect::space::Module;

use crate::child;

/// The most samples that are kept: some 235 megabytes.
pub const MOST_SAMPLES: usize = 4 << 20;

/// A thread at one look.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The look's number.
    pub look: u32,
    /// The thread's place in [`Seen::threads`].
    pub thread: u32,
    /// The stack's number.
    pub stack: u32,
    /// The system call that it slept in. `None` if it ran or waited for a processor.
    pub sleeps: Option<u64>,
    /// Whether the thread could run and had no processor.
    pub waits: bool,
    /// The time since the look before, ns.
    pub since: u64,
    /// The time on a processor since the look before, ns.
    pub ran: u64,
    /// The number of the runtime's answer about this thread, if the runtime told anything.
    pub told: Option<u32>,
}

/// A thread, from its first look to its last.
#[derive(Clone, Copy, Debug)]
pub struct Thread {
    /// The kernel's number.
    pub lwp: u32,
    /// Times of those looks, ns.
    pub first: u64,
    /// See `first`.
    pub last: u64,
    /// The times on a processor, and able to run without one, at the first look and at the last,
    /// ns.
    pub times: Option<((u64, u64), (u64, u64))>,
    /// The time of the last look in which the thread's place was known.
    placed: u64,
    ran: u64,
}

/// Distinct values, by their numbers.
#[derive(Debug)]
pub struct Distinct<T> {
    /// By number.
    pub all: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Distinct<T> {
        Distinct { all: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Distinct<T> {
    /// Returns the number of a value.
    pub fn number(&mut self, value: &T) -> u32 {
        if let Some(known) = self.numbers.get(value) {
            return *known;
        }
        let number = self.all.len() as u32;
        self.all.push(value.clone());
        self.numbers.insert(value.clone(), number);
        number
    }
}

/// Everything that the looks saw; see the module.
#[derive(Debug, Default)]
pub struct Seen {
    /// The files of code, by address. Of several that were at one address, the last one.
    pub files: Vec<(Module, Option<String>)>,
    /// Times of the looks, ns.
    pub looks: Vec<u64>,
    /// The threads, in the order of their first looks.
    pub threads: Vec<Thread>,
    by_lwp: HashMap<u32, u32>,
    /// The samples, look by look.
    pub samples: Vec<Sample>,
    /// The stacks, by number.
    pub stacks: Distinct<Arc<[u64]>>,
    /// The runtime's answers, by number.
    pub told: Distinct<Told>,
}

impl Watcher for Seen {
    fn files(&mut self, files: &[(Module, Option<String>)]) {
        for (module, place) in files {
            let is_elsewhere = |old: &Module| old.end <= module.base || old.base >= module.end;
            self.files.retain(|(old, _)| is_elsewhere(old));
            self.files.push((module.clone(), place.clone()));
        }
        self.files.sort_by_key(|(module, _)| module.base);
    }

    fn tick(&mut self, time: u64, seen: &[Sighting]) {
        let look = self.looks.len() as u32;
        self.looks.push(time);
        for sighting in seen {
            let thread = self.thread(time, sighting);
            let told = sighting.told.map(|told| self.told.number(&told));
            let known = &mut self.threads[thread as usize];
            let sleeps = match sighting.place {
                Place::Runs | Place::Waits => None,
                Place::Sleeps(call) => Some(call),
                Place::Unknown => continue,
            };
            let ran = sighting.times.map_or(0, |times| times.0);
            let (since, ran_since) = (time - known.placed, ran.saturating_sub(known.ran));
            (known.placed, known.ran) = (time, ran);
            let stack = self.stacks.number(&sighting.stack);
            let (waits, ran) = (sighting.place == Place::Waits, ran_since);
            let sample = Sample { look, thread, stack, sleeps, waits, since, ran, told };
            self.samples.push(sample);
        }
    }

    fn is_over(&self) -> bool {
        child::asked_to_end().is_some() || self.samples.len() >= MOST_SAMPLES
    }
}

impl Seen {
    fn thread(&mut self, time: u64, sighting: &Sighting) -> u32 {
        let Sighting { lwp, times, .. } = *sighting;
        // The kernel may use a thread's number again: then its clock begins anew.
        let same = |known: &Thread| match (known.times, times) {
            (Some((_, last)), Some(now)) => now.0 >= last.0,
            _ => true,
        };
        let known = self.by_lwp.get(&lwp).copied();
        if let Some(at) = known.filter(|at| same(&self.threads[*at as usize])) {
            let thread = &mut self.threads[at as usize];
            thread.last = time;
            thread.times = thread.times.zip(times).map(|((first, _), now)| (first, now));
            return at;
        }
        let at = self.threads.len() as u32;
        let (first, last, placed) = (time, time, time);
        let ran = times.map_or(0, |times| times.0);
        let times = times.map(|times| (times, times));
        self.threads.push(Thread { lwp, first, last, times, placed, ran });
        self.by_lwp.insert(lwp, at);
        at
    }

    /// Returns the samples of each look, look by look.
    pub fn by_look(&self) -> impl Iterator<Item = &[Sample]> {
        self.samples.chunk_by(|one, next| one.look == next.look)
    }
}
