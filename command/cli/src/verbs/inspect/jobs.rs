//! Jobs of MPI among the processes of `why --all`: one verdict for all ranks of a job.

use std::collections::BTreeMap;

use omphalos_inspect::{look, text};
use omphalos_why::job::{Rank, is_of_message, name_ranks, verdict as of_ranks, without_advice};
use omphalos_why::{Finding, all_wait, explain};

use super::{Arguments, Seen, before, causes};

/// A rank of a job.
pub struct Member {
    number: u32,
    seen: Seen,
    found: Vec<Finding>,
    goes_on: bool,
}

impl Member {
    fn rank(&self) -> Rank<'_> {
        Rank {
            number: self.number,
            snapshot: &self.seen.now.snapshot,
            findings: &self.found,
            goes_on: self.goes_on,
        }
    }
}

/// A job, or its part on this machine.
pub struct Job {
    size: u32,
    members: Vec<Member>,
}

/// Returns the jobs of the processes that have a rank.
pub fn jobs_of(processes: Vec<Seen>) -> Vec<Job> {
    let mut jobs: BTreeMap<(Option<String>, u32), Job> = BTreeMap::new();
    for seen in processes {
        let Some((number, size)) = seen.now.snapshot.rank else { continue };
        let before = before(&seen);
        let found = explain(&seen.now.snapshot, before);
        let waits = |before| all_wait(&seen.now.snapshot, before);
        let goes_on = found.is_empty() && !before.is_some_and(waits);
        let new = || Job { size, members: Vec::new() };
        let job = jobs.entry((look::job(seen.pid), size)).or_insert_with(new);
        job.members.push(Member { number, seen, found, goes_on });
    }
    let mut jobs: Vec<Job> = jobs.into_values().collect();
    for job in &mut jobs {
        job.members.sort_by_key(|member| member.number);
        let ranks: Vec<(u32, u32)> =
            job.members.iter().map(|member| (member.seen.pid, member.number)).collect();
        let found = job.members.iter_mut().flat_map(|member| &mut member.found);
        found.for_each(|finding| name_ranks(finding, &ranks));
    }
    jobs
}

/// Returns the cause that keeps the job from going on; `None` where two jobs look like one.
pub fn verdict(job: &Job) -> Option<String> {
    let is_twice = |pair: &[Member]| pair[0].number == pair[1].number;
    if job.members.windows(2).any(is_twice) {
        return None;
    }
    let ranks: Vec<Rank<'_>> = job.members.iter().map(Member::rank).collect();
    Some(format!("{}\n", text::plain(&of_ranks(job.size, &ranks))))
}

/// Returns the text for each rank. While one rank goes on, it may still send messages to the
/// others: then no wait for a message is a cause.
pub fn rank_texts<'a>(arguments: &'a Arguments, job: &'a Job) -> impl Iterator<Item = String> + 'a {
    let goes_on = job.members.iter().any(|member| member.goes_on);
    job.members.iter().map(move |member| {
        let found = member.found.iter().filter(|finding| !goes_on || !is_of_message(finding));
        let mut found: Vec<Finding> = found.cloned().collect();
        if job.members.len() as u64 == u64::from(job.size) {
            found.iter_mut().for_each(without_advice);
        }
        causes(arguments, before(&member.seen), &member.seen.now, &found)
    })
}
