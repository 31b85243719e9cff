//! An MPI job: one row for each of its ranks on this machine.

use std::collections::VecDeque;
use std::time::Duration;

use omphalos_ompd_view::Fault;
use omphalos_ompd_view::snapshot::{Snapshot, Thread};
use omphalos_why::words;

use super::{Lines, OfRank, Picture, Row, Shares, Top};
use crate::ranks::{Job, Rank};
use crate::space::live::Identity;
use crate::text::plain;

/// The last looks at a first thread's stack that count.
const LAST_LOOKS: usize = 10;

impl Top {
    /// Records whether the first thread is in an MPI call, if its stack is known.
    pub(super) fn note_call(&mut self, pid: u32, snapshot: &Snapshot) {
        let first = snapshot.threads.iter().find(|thread| thread.lwp == pid);
        let Some(first) = first.filter(|thread| !thread.stack.is_empty()) else { return };
        self.in_calls.push_back(call(first).is_some());
        while self.in_calls.len() > LAST_LOOKS {
            self.in_calls.pop_front();
        }
    }
}

/// The MPI function that a thread is in.
pub(super) fn call(thread: &Thread) -> Option<&str> {
    let mut names = thread.stack.iter().rev().map(|frame| &*frame.function);
    names.find(|name| words::is_message_passing(name))
}

/// All of a job's ranks here, each with repeated looks.
#[derive(Debug)]
pub struct Ranks {
    name: Option<String>,
    size: u32,
    all: Vec<(Rank, Top)>,
}

impl Ranks {
    /// Makes the ranks of that job. A rank's row shows the place of its first thread; with
    /// `stops_nothing` only if that thread sleeps.
    pub fn new(job: &Job, stops_nothing: bool) -> Ranks {
        let top = |rank: &Rank| {
            let lines = Lines::none();
            if !stops_nothing {
                lines.want(vec![rank.pid]);
            }
            let together = job.ranks.len() as u32;
            (*rank, Top { together, ..Top::with(lines) })
        };
        let all = job.ranks.iter().map(top).collect();
        Ranks { name: job.name.clone(), size: job.size, all }
    }

    /// A picture, as [`Top::picture`] makes one of a process; [`Fault::Gone`] if all ranks have
    /// ended.
    pub fn picture(&mut self, time: Duration, looks: u32) -> Result<Picture, Fault> {
        let seen: Vec<(Rank, Result<Picture, Fault>, Option<f64>)> = std::thread::scope(|scope| {
            let look = |(rank, top): &mut (Rank, Top)| {
                let picture = top.picture(rank.pid, time, looks);
                (*rank, picture, share(&top.in_calls))
            };
            let looks: Vec<_> =
                self.all.iter_mut().map(|one| scope.spawn(move || look(one))).collect();
            looks.into_iter().filter_map(|look| look.join().ok()).collect()
        });
        // If no rank may be looked at, the first one's reason is given for all.
        if let Some(Err(fault)) = seen
            .iter()
            .map(|(_, picture, _)| picture)
            .find(|one| one.is_ok())
            .or(seen.first().map(|(_, picture, _)| picture))
        {
            let have_ended = seen.iter().all(|(rank, ..)| has_ended(rank.pid));
            return Err(if have_ended { Fault::Gone } else { fault.clone() });
        }
        let command = seen.iter().find_map(|(_, picture, _)| Some(&picture.as_ref().ok()?.command));
        let command = command.cloned().unwrap_or_default();
        let (here, size) = (seen.len(), self.size);
        let name = self.name.as_ref().map_or(String::new(), |name| format!(" {}", plain(name)));
        let head = match here as u32 == size {
            true => format!("job{name} ({command}): {size} ranks"),
            false => format!("job{name} ({command}): {here} of {size} ranks are here"),
        };
        let threads =
            seen.into_iter().map(|(rank, picture, in_calls)| row(rank, picture, in_calls));
        Ok(Picture { head, command, threads: threads.collect(), regions: Vec::new(), is_job: true })
    }
}

fn share(looks: &VecDeque<bool>) -> Option<f64> {
    let calls = looks.iter().filter(|is_call| **is_call).count();
    (!looks.is_empty()).then(|| calls as f64 * 100.0 / looks.len() as f64)
}

fn row(rank: Rank, picture: Result<Picture, Fault>, in_calls: Option<f64>) -> Row {
    let (number, lwp) = (Some(rank.number.cast_signed()), rank.pid);
    let picture = match picture {
        Ok(picture) => picture,
        Err(fault) => {
            let now = match has_ended(rank.pid) {
                true => "has ended".to_owned(),
                false => plain(&fault.to_string()),
            };
            let rank = Some(OfRank::default());
            return Row { number, lwp, name: String::new(), cpu: None, shares: None, rank, now };
        }
    };
    let threads = &picture.threads;
    let cpu: f64 = threads.iter().filter_map(|thread| thread.cpu).sum();
    let known: Vec<Shares> = threads.iter().filter_map(|thread| thread.shares).collect();
    let mean = |part: fn(&Shares) -> f64| known.iter().map(part).sum::<f64>() / known.len() as f64;
    let shares = (!known.is_empty()).then(|| Shares {
        work: mean(|shares| shares.work),
        wait: mean(|shares| shares.wait),
        idle: mean(|shares| shares.idle),
    });
    let first = threads.iter().find(|thread| thread.lwp == rank.pid).or(threads.first());
    Row {
        number,
        lwp,
        name: picture.command.clone(),
        cpu: threads.iter().any(|thread| thread.cpu.is_some()).then_some(cpu),
        shares,
        rank: Some(OfRank { threads: threads.len(), in_calls }),
        now: first.map_or(String::new(), |first| first.now.clone()),
    }
}

fn has_ended(pid: u32) -> bool {
    Identity::of(pid).is_err()
}
