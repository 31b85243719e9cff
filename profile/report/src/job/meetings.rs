//! Finds the waits of ranks in collective calls, from the times at which the ranks came to the
//! calls. All ranks' calls that belong together are a *meeting*; one rank's call is a *part* of it.
//!
//! | calls | who waits |
//! |---|---|
//! | barriers, and calls in which all give to all | each, for the last one to come |
//! | broadcasts, scatters | each except the root, for the root |
//! | gathers, reductions to one rank | the root, for the last rank |
//! | scans | each, for the last of the ranks below it |
//!
//! No rank waits for longer than its call took: a library that does not wait is believed.

use std::collections::HashMap;

use omphalos_profile_format::{MpiMeeting, MpiWaited, mpi};

use super::clocks::Clocks;

/// The most parts in collective calls, of all ranks, that are kept.
const MOST: usize = 12 << 20;

/// A call that waited for an operation that began before the call, such as `MPI_Wait`: the rank,
/// the function, the time at which the call began, and a number that distinguishes calls that each
/// count by themselves.
pub(super) type Waiting = (u32, u32, u64, u32);

/// The facts about a waiting call: the time that it took, the part of this time in which it waited,
/// ns, and the number of calls that it stands for.
#[derive(Clone, Copy, Default)]
pub(super) struct Wait {
    pub(super) elapsed: u64,
    pub(super) wait: u64,
    pub(super) step: u64,
}

/// All waiting calls.
pub(super) type Waits = HashMap<Waiting, Wait>;

/// Notes one of several operations that a waiting call waited for.
pub(super) fn note(waits: &mut Waits, key: Waiting, of: Wait) {
    let known = waits.entry(key);
    let is_new = matches!(known, std::collections::hash_map::Entry::Vacant(_));
    let known = known.or_insert(of);
    // `Waitsome` returns with the first operation; other calls wait for the last.
    let is_first = mpi::CALLS.get(key.1 as usize).is_some_and(|call| *call == "Waitsome");
    known.wait = match is_first && !is_new {
        true => known.wait.min(of.wait),
        false => known.wait.max(of.wait),
    };
    known.elapsed = known.elapsed.max(of.elapsed);
    known.step = known.step.max(of.step);
}

/// The wait for a collective operation that an earlier call began (`MPI_Ibarrier`, say).
#[derive(Clone, Copy)]
struct Later {
    call: u32,
    /// The time that the calls that asked for the operation's end took, ns. The part's own time
    /// goes from the begin of the first of these calls to the end of the last.
    inside: u64,
    group: u32,
}

/// One rank's part in one collective call.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The number of the meeting.
    meeting: u32,
    later: Option<Later>,
    /// The rank in the job.
    rank: u32,
    /// The rank in the communicator.
    place: u32,
    pub(super) begin: u64,
    pub(super) elapsed: u64,
}

/// The facts about one collective call of all its ranks.
#[derive(Clone, Copy)]
pub(super) struct Meeting {
    call: u32,
    root: u32,
    step: u64,
}

/// All parts of all ranks, with their meetings.
#[derive(Default)]
pub(super) struct Meetings {
    numbers: HashMap<(u64, u64, u32, u32), u32>,
    meetings: Vec<Meeting>,
    parts: Vec<Part>,
    /// The number of parts that were left out because there were too many.
    pub(super) left_out: u64,
    /// The number of ranks of the largest communicator that a rank met others in.
    pub(super) most_ranks: u32,
}

/// The time of a rank in one function of collective calls, ns. Each known call counts as often as
/// the number of calls that it stands for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waited {
    pub(super) elapsed: u64,
    pub(super) wait: u64,
}

/// The rule that says which ranks wait in a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    All,
    FromRoot,
    ToRoot,
    Lower,
}

fn order(call: u32) -> Order {
    match mpi::CALLS.get(call as usize).copied().unwrap_or_default() {
        "Bcast" | "Scatter" | "Scatterv" | "Ibcast" | "Iscatter" | "Iscatterv" => Order::FromRoot,
        "Gather" | "Gatherv" | "Reduce" | "Igather" | "Igatherv" | "Ireduce" => Order::ToRoot,
        "Scan" | "Exscan" | "Iscan" | "Iexscan" => Order::Lower,
        _ => Order::All,
    }
}

/// Whether a call returns before it is done.
fn begins_only(call: u32) -> bool {
    let name = mpi::CALLS.get(call as usize).copied().unwrap_or_default();
    name.starts_with('I') && !name.starts_with("Init")
}

impl Meetings {
    pub(super) fn take(&mut self, rank: u32, record: &MpiMeeting) {
        let key = (record.communicator, record.sequence, record.call, record.root);
        self.most_ranks = self.most_ranks.max(record.size);
        let Some(meeting) = self.meeting(key) else { return };
        let elapsed = record.elapsed.min(1 << 56);
        let begin = record.time.min(1 << 62);
        let place = record.rank;
        self.parts.push(Part { meeting, later: None, rank, place, begin, elapsed });
    }

    pub(super) fn take_wait(&mut self, rank: u32, record: &MpiWaited) {
        let key = (record.communicator, record.sequence, record.begun, record.root);
        let Some(meeting) = self.meeting(key) else { return };
        let elapsed = record.elapsed.min(1 << 56);
        let inside = record.inside.min(elapsed);
        let later = Some(Later { call: record.call, inside, group: record.group });
        let begin = record.time.min(1 << 62);
        self.parts.push(Part { meeting, later, rank, place: record.rank, begin, elapsed });
    }

    /// Returns the number of a meeting; `None` where there is no room for a part in it.
    fn meeting(&mut self, key: (u64, u64, u32, u32)) -> Option<u32> {
        if self.parts.len() >= MOST {
            self.left_out += 1;
            return None;
        }
        let next = self.meetings.len() as u32;
        let meeting = *self.numbers.entry(key).or_insert(next);
        if meeting == next {
            let (_, sequence, call, root) = key;
            self.meetings.push(Meeting { call, root, step: mpi::step(sequence) });
        }
        Some(meeting)
    }

    /// Gives the ranks other numbers; ranks without one are left out.
    pub(super) fn renumber(&mut self, numbers: &[Option<u32>]) {
        self.parts.retain_mut(|part| {
            let number = numbers.get(part.rank as usize).copied().flatten();
            part.rank = number.unwrap_or(0);
            number.is_some()
        });
    }

    /// Returns the parts of those meetings that no rank leaves before all ranks have come.
    /// `clocks.rs` compares the nodes' clocks by them.
    pub(super) fn of_all(&self) -> impl Iterator<Item = (u32, u32, &Part)> {
        self.parts.iter().filter_map(|part| {
            let meeting = &self.meetings[part.meeting as usize];
            let known = matches!(
                mpi::CALLS.get(meeting.call as usize).copied(),
                Some("Barrier" | "Allreduce" | "Allgather" | "Alltoall" | "Finalize")
            );
            known.then_some((part.meeting, part.rank, part))
        })
    }

    /// Returns each rank's waits, by function. `ranks`: the number of ranks. Adds to `later` the
    /// calls that waited for an operation that an earlier call began.
    pub(super) fn waits(
        &mut self,
        ranks: usize,
        clocks: &Clocks,
        later: &mut Waits,
    ) -> Vec<HashMap<u32, Waited>> {
        let mut waits = vec![HashMap::new(); ranks];
        self.parts.sort_unstable_by_key(|part| (part.meeting, part.place));
        for parts in self.parts.chunk_by(|one, other| one.meeting == other.meeting) {
            let meeting = self.meetings[parts[0].meeting as usize];
            let begin = |part: &Part| clocks.of(part.rank, part.begin);
            let is_root = |part: &&Part| part.place.wrapping_add(1) == meeting.root;
            let is_come = |part: &&Part| part.later.is_none();
            let last = parts.iter().filter(is_come).map(begin).max();
            let root = parts.iter().filter(is_come).find(is_root).map(begin);
            let (mut lower, mut place_before) = (None, None);
            let mut come = None;
            for part in parts {
                // Several parts of one rank stand one after the other.
                if place_before != Some(part.place) {
                    (lower, place_before) = (come, Some(part.place));
                }
                let until = match order(meeting.call) {
                    Order::All => last,
                    Order::FromRoot => root,
                    Order::ToRoot if is_root(&part) => last,
                    Order::ToRoot => None,
                    Order::Lower => lower,
                };
                if part.later.is_none() {
                    come = come.max(Some(begin(part)));
                }
                let waited = until.map_or(0, |until| (until - begin(part)).max(0));
                let waited = u64::try_from(waited).unwrap_or(0).min(part.elapsed);
                if let Some(of) = part.later {
                    let key = (part.rank, of.call, part.begin, of.group);
                    let wait = share(waited, of.inside, part.elapsed);
                    note(later, key, Wait { elapsed: of.inside, wait, step: meeting.step });
                    continue;
                }
                if begins_only(meeting.call) {
                    continue;
                }
                let Some(of) = waits.get_mut(part.rank as usize) else { continue };
                let sums: &mut Waited = of.entry(meeting.call).or_default();
                let times = |time: u64| time.saturating_mul(meeting.step);
                sums.elapsed = sums.elapsed.saturating_add(times(part.elapsed));
                sums.wait = sums.wait.saturating_add(times(waited));
            }
        }
        waits
    }
}

/// Returns the part of `wait` that was in calls, if the calls took the time `inside` of the whole
/// time `elapsed`.
pub(super) fn share(wait: u64, inside: u64, elapsed: u64) -> u64 {
    let part = u128::from(wait) * u128::from(inside) / u128::from(elapsed.max(1));
    u64::try_from(part).unwrap_or(0).min(inside)
}
