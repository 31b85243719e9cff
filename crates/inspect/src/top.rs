//! `omphalos top`: what the threads of a running program do, and where its time goes, from many quick looks.
//!
//! Nothing is stopped: the runtime's state is read as it changes, so a look may see a thread between two states. Of
//! many looks that changes no share, and it costs the program nothing but memory that is read beside it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

use omphalos_ompd_view::Fault;
use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};
use omphalos_why::words;

use crate::Way;
use crate::look::{self, Look};
use crate::text::{head, plain};

/// What looks have counted.
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

    fn add(&mut self, thread: &Thread) {
        match &thread.waits {
            // What a program does in the kernel is its own affair, and no wait for others.
            None | Some(Wait::Call { .. }) => self.work += 1,
            Some(Wait::Work) => self.idle += 1,
            Some(_) => self.wait += 1,
        }
    }
}

/// What was seen since the last picture.
#[derive(Debug, Default)]
pub struct Top {
    threads: BTreeMap<u32, Counts>,
    regions: BTreeMap<String, Counts>,
    /// CPU time of each thread at the last picture, nanoseconds, and when that was.
    cpu: BTreeMap<u32, u64>,
    at: Option<Instant>,
}

impl Top {
    /// Looks `looks` times within `time`, and gives the picture.
    pub fn picture(&mut self, pid: u32, time: Duration, looks: u32) -> Result<String, Fault> {
        let looks = looks.max(1);
        self.threads.clear();
        self.regions.clear();
        let mut last = look::live(pid, Way::Running)?;
        if self.at.is_none() {
            self.note_cpu(&last.snapshot);
        }
        for _ in 0..looks {
            std::thread::sleep(time / looks);
            last = look::live(pid, Way::Running)?;
            self.add(&last.snapshot);
        }
        let shown = self.shown(&last);
        self.note_cpu(&last.snapshot);
        Ok(shown)
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

    fn shown(&self, last: &Look) -> String {
        let snapshot = &last.snapshot;
        let time = self.at.map_or(1, |at| at.elapsed().as_nanos().max(1));
        let mut out = head(last);
        let _ = writeln!(out, "\nTHREAD      LWP  CPU  WORK  WAIT  IDLE  NOW");
        for thread in snapshot.threads.iter().take(MOST_ROWS) {
            let number = thread.number.map_or("-".to_owned(), |number| number.to_string());
            let counts = self.threads.get(&thread.lwp).copied().unwrap_or_default();
            let used = match (self.cpu.get(&thread.lwp), cpu(thread)) {
                (Some(old), Some(new)) => {
                    format!("{:.0}%", new.saturating_sub(*old) as f64 * 100.0 / time as f64)
                }
                _ => "-".to_owned(),
            };
            let [work, wait, idle] =
                [counts.work, counts.wait, counts.idle].map(|part| percent(part, counts.all()));
            let now = format!("{}{}", words::doing(snapshot, thread), words::at(thread));
            let (lwp, now) = (thread.lwp, plain(&now));
            let _ = writeln!(
                out,
                "{number:>6} {lwp:>8} {used:>4} {work:>5} {wait:>5} {idle:>5}  {now}"
            );
        }
        if snapshot.threads.len() > MOST_ROWS {
            let _ = writeln!(out, "   ... {} more", snapshot.threads.len() - MOST_ROWS);
        }
        let mut regions: Vec<(&String, &Counts)> = self.regions.iter().collect();
        regions.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.all()));
        if !regions.is_empty() {
            out.push_str("\n WORK  WAIT  REGION\n");
        }
        for (region, counts) in regions.into_iter().take(MOST_REGIONS) {
            let [work, wait] = [counts.work, counts.wait].map(|part| percent(part, counts.all()));
            let _ = writeln!(out, "{work:>5} {wait:>5}  {}", plain(region));
        }
        out
    }
}

/// Rows of one picture.
const MOST_ROWS: usize = 64;
const MOST_REGIONS: usize = 16;

fn cpu(thread: &Thread) -> Option<u64> {
    thread.os.as_ref().and_then(|os| os.cpu)
}

fn percent(part: u32, all: u32) -> String {
    match all {
        0 => "-".to_owned(),
        all => format!("{:.0}%", f64::from(part) * 100.0 / f64::from(all)),
    }
}
