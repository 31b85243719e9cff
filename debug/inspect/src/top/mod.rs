//! `omphalos top`: the activities of a running program's threads, and where its time goes, from
//! many quick looks.
//!
//! Looks stop nothing: the runtime's state is read as it changes, so a look may see a thread
//! between two states. Over many looks that changes no share. A look costs the program processors
//! that it would have itself, so looks are fewer if they take long (`SHARE`).
//!
//! Only its registers show where a running thread is. So in a picture's last look, each running
//! thread whose line somebody wants ([`Lines`]) is stopped alone for a moment.

mod job;
mod shown;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use omphalos_ompd_view::Fault;
use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};
use omphalos_why::words;

use crate::Way;
use crate::look::{self, Look};
use crate::text::{command, head, plain};
pub use job::Ranks;
pub use shown::{Columns, OfRank, Picture, Region, Row, Shares};

/// The counts of looks.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    work: u32,
    wait: u32,
    idle: u32,
}

impl Counts {
    fn all(self) -> u32 {
        self.work + self.wait + self.idle
    }

    fn shares(self) -> Option<Shares> {
        let all = Some(self.all()).filter(|all| *all > 0)?;
        let of_all = |part: u32| f64::from(part) * 100.0 / f64::from(all);
        let [work, wait, idle] = [self.work, self.wait, self.idle].map(of_all);
        Some(Shares { work, wait, idle })
    }

    fn add(&mut self, thread: &Thread) {
        match &thread.waits {
            // A program's calls of the kernel are its own affair, not a wait for others.
            None | Some(Wait::Call { .. }) => self.work += 1,
            Some(Wait::Work) => self.idle += 1,
            Some(_) => self.wait += 1,
        }
    }
}

/// The threads whose lines are wanted even while they run: those that are shown. Without a list,
/// all up to [`MOST_ROWS`].
#[derive(Clone, Debug, Default)]
pub struct Lines(Arc<Mutex<Option<Vec<u32>>>>);

impl Lines {
    /// Wants no line of a running thread, so nothing is stopped.
    pub fn none() -> Lines {
        let lines = Lines::default();
        lines.want(Vec::new());
        lines
    }

    /// Wants the lines of these threads, by their numbers in the kernel.
    pub fn want(&self, lwps: Vec<u32>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(lwps);
    }

    fn wanted(&self, snapshot: &Snapshot) -> Vec<u32> {
        let wanted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = || snapshot.threads.iter().map(|thread| thread.lwp).take(MOST_ROWS).collect();
        wanted.clone().unwrap_or_else(all)
    }
}

/// Everything seen since the last picture.
#[derive(Debug, Default)]
pub struct Top {
    lines: Lines,
    /// For each running thread, the place and the MPI call in which it was last seen.
    places: BTreeMap<u32, (Option<String>, Option<String>)>,
    /// The time from which that may be looked up again.
    places_from: Option<Instant>,
    threads: BTreeMap<u32, Counts>,
    regions: BTreeMap<String, Counts>,
    /// The CPU time of each thread at the last picture, in nanoseconds. `at`: the time of that
    /// picture.
    cpu: BTreeMap<u32, u64>,
    at: Option<Instant>,
    /// Processor time that a look takes.
    cost: Duration,
    /// The number of programs that are looked at together: 0 and 1 mean one.
    together: u32,
    /// Whether the first thread was in an MPI call, in the last looks that saw its stack.
    in_calls: VecDeque<bool>,
}

impl Top {
    /// Makes one with the lines of those threads.
    pub fn with(lines: Lines) -> Top {
        Top { lines, ..Top::default() }
    }

    /// Looks up to `looks` times within `time`, and returns the picture. All but the first picture
    /// take more time if the fewest looks would cost too much within it.
    pub fn picture(&mut self, pid: u32, time: Duration, looks: u32) -> Result<Picture, Fault> {
        self.threads.clear();
        self.regions.clear();
        let is_first = self.at.is_none();
        if is_first {
            let first = self.look(pid)?;
            self.note_cpu(&first.snapshot);
        }
        let cost = self.cost * self.together.max(1);
        let time = if is_first { time } else { time.max(least_time(cost)) };
        let looks = affordable(time, cost, looks);
        let mut last = None;
        for _ in 0..looks {
            std::thread::sleep(time / looks);
            let seen = self.look(pid)?;
            self.add(&seen.snapshot);
            last = Some(seen);
        }
        let mut last = last.ok_or(Fault::Gone)?;
        if let Some(seen) = self.find_lines(pid, &last.snapshot) {
            last = seen?;
        }
        self.note_call(pid, &last.snapshot);
        let shown = self.shown(&last);
        self.note_cpu(&last.snapshot);
        Ok(shown)
    }

    fn look(&mut self, pid: u32) -> Result<Look, Fault> {
        let before = used();
        let look = look::live(pid, Way::Running)?;
        let cost = used().saturating_sub(before);
        // Some looks take longer by chance.
        self.cost = if self.cost.is_zero() { cost } else { (self.cost * 3 + cost) / 4 };
        Ok(look)
    }

    /// A look that stops the running threads whose lines are wanted, if there are any and it is not
    /// too early for another one.
    fn find_lines(&mut self, pid: u32, now: &Snapshot) -> Option<Result<Look, Fault>> {
        let runs = |lwp: &u32| {
            let thread = now.threads.iter().find(|thread| thread.lwp == *lwp);
            thread.is_some_and(|thread| thread.stack.is_empty())
        };
        self.places.retain(|lwp, _| runs(lwp));
        let wanted: Vec<u32> = self.lines.wanted(now).into_iter().filter(runs).collect();
        if wanted.is_empty() || self.places_from.is_some_and(|from| Instant::now() < from) {
            return None;
        }
        let before = used();
        let seen = look::passing(pid, wanted);
        let cost = used().saturating_sub(before);
        let pause = (cost * self.together.max(1)).div_f64(share());
        self.places_from = Some(Instant::now() + pause.min(LONGEST));
        let threads = seen.iter().flat_map(|seen| &seen.snapshot.threads);
        let threads = threads.filter(|thread| !thread.stack.is_empty());
        let call = |thread| job::call(thread).map(str::to_owned);
        let places = threads.map(|thread| (thread.lwp, (words::standing(thread), call(thread))));
        self.places.extend(places);
        Some(seen)
    }

    fn note_cpu(&mut self, snapshot: &Snapshot) {
        self.cpu = snapshot.threads.iter().filter_map(|t| Some((t.lwp, cpu(t)?))).collect();
        self.at = Some(Instant::now());
    }

    fn add(&mut self, snapshot: &Snapshot) {
        for thread in snapshot.threads.iter().filter(|thread| thread.number.is_some()) {
            self.threads.entry(thread.lwp).or_default().add(thread);
            let team = snapshot.teams.iter().find(|team| Some(team.address) == thread.team);
            if let Some(region) = team.and_then(|team| team.location.clone()) {
                self.regions.entry(region).or_default().add(thread);
            }
        }
    }

    /// A thread's place and activity: the line first, since windows are narrow.
    fn now(&self, snapshot: &Snapshot, thread: &Thread) -> String {
        let mut doing = words::doing(snapshot, thread);
        let place = match &thread.waits {
            Some(Wait::Work) => return doing,
            None => {
                let kept = self.places.get(&thread.lwp).filter(|_| thread.stack.is_empty());
                let call = job::call(thread).or(kept.and_then(|(_, call)| call.as_deref()));
                if let Some(call) = call.filter(|_| ["runs", "works"].contains(&&*doing)) {
                    doing = format!("in {call}");
                }
                words::standing(thread).or_else(|| kept?.0.clone())
            }
            // It has entered the runtime since it was stopped, or has left the system function that
            // it called.
            Some(_) if has_left(thread) => None,
            Some(_) => words::standing(thread),
        };
        let team = || snapshot.teams.iter().find(|team| Some(team.address) == thread.team);
        match place.or_else(|| team()?.location.clone()) {
            Some(place) => format!("{place}: {doing}"),
            None => doing,
        }
    }

    fn shown(&self, last: &Look) -> Picture {
        let snapshot = &last.snapshot;
        let time = self.at.map_or(1, |at| at.elapsed().as_nanos().max(1));
        let row = |thread: &Thread| {
            let used = match (self.cpu.get(&thread.lwp), cpu(thread)) {
                (Some(old), Some(new)) => {
                    Some(new.saturating_sub(*old) as f64 * 100.0 / time as f64)
                }
                _ => None,
            };
            let counts = self.threads.get(&thread.lwp).copied().unwrap_or_default();
            let (number, lwp) = (thread.number, thread.lwp);
            let (name, now) = (plain(&thread.name), plain(&self.now(snapshot, thread)));
            Row { number, lwp, name, cpu: used, shares: counts.shares(), rank: None, now }
        };
        let mut regions: Vec<(&String, &Counts)> = self.regions.iter().collect();
        regions.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.all()));
        let region = |(name, counts): (&String, &Counts)| Region {
            name: plain(name),
            seen: counts.all(),
            shares: counts.shares(),
        };
        Picture {
            head: head(last).trim_end().to_owned(),
            command: command(snapshot),
            threads: snapshot.threads.iter().map(row).collect(),
            regions: regions.into_iter().take(MOST_REGIONS).map(region).collect(),
            is_job: false,
        }
    }
}

/// Whether a waiting thread was last seen in no function of the runtime's or the system's: its wait
/// began later.
fn has_left(thread: &Thread) -> bool {
    !thread.stack.iter().any(|frame| frame.runtime || words::is_system(frame))
}

/// The share of all processors' time that looks take at most, except for the first picture.
const SHARE: f64 = 0.004;
/// The fewest looks of a picture.
const FEWEST: u32 = 2;
/// The longest time for a picture, if more than the time that was asked for is needed.
const LONGEST: Duration = Duration::from_secs(30);

/// The number of looks of that cost that may be taken within `time`.
fn affordable(time: Duration, cost: Duration, most: u32) -> u32 {
    let looks = time.as_secs_f64() * share() / cost.as_secs_f64().max(1e-6);
    (looks as u32).max(FEWEST).min(most.max(1))
}

/// The least time in which the fewest looks of that cost take no more than their share.
fn least_time(cost: Duration) -> Duration {
    cost.mul_f64(f64::from(FEWEST) / share()).min(LONGEST)
}

/// The processor time that looks may take, in seconds per second.
fn share() -> f64 {
    let processors = std::thread::available_parallelism().map_or(1, |number| number.get());
    SHARE * processors as f64
}

/// Processor time that this process has used.
fn used() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Rows of one picture.
const MOST_ROWS: usize = 64;
const MOST_REGIONS: usize = 16;

fn cpu(thread: &Thread) -> Option<u64> {
    thread.os.as_ref().and_then(|os| os.cpu)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_that_take_long_are_few() {
        let second = Duration::from_secs(1);
        assert_eq!(affordable(second, Duration::from_micros(1), 20), 20);
        assert_eq!(affordable(second, second, 20), FEWEST);
        assert_eq!(affordable(second, second, 1), 1);
        let cost = second / 50;
        assert!(affordable(least_time(cost) * 2, cost, 20) >= 2 * FEWEST - 1);
        assert_eq!(least_time(second * 1000), LONGEST);
        assert!(affordable(second * 4, second / 1000, 100) >= 16);
    }
}
