//! Who waited for whom in collective calls, from the moments at which the ranks came to them.
//!
//! | calls | who waits |
//! |---|---|
//! | barriers, and what gives to all from all | each, for the last one to come |
//! | broadcasts, scatters | each but the root, for the root |
//! | gathers, reductions to one | the root, for the last one |
//! | scans | each, for the last one of those with lower ranks |
//!
//! No rank waits for longer than its call took: a library that does not wait is believed.

use std::collections::HashMap;

use omphalos_profile_format::{MpiMeeting, mpi};

use super::clocks::Clocks;

/// Parts in collective calls that are kept, of all ranks.
const MOST: usize = 12 << 20;

/// One rank's part in one call.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// Which meeting.
    meeting: u32,
    /// The rank in the job.
    rank: u32,
    /// The rank in the communicator.
    place: u32,
    pub(super) begin: u64,
    pub(super) elapsed: u64,
}

/// What is known of one call of all.
#[derive(Clone, Copy)]
pub(super) struct Meeting {
    call: u32,
    root: u32,
    step: u64,
}

/// All parts of all ranks.
#[derive(Default)]
pub(super) struct Meetings {
    numbers: HashMap<(u64, u64, u32, u32), u32>,
    meetings: Vec<Meeting>,
    parts: Vec<Part>,
    /// Some were too many.
    pub(super) left_out: u64,
}

/// What a rank did in one function of collective calls, ns: of the calls that are known, each for
/// so many as it stands for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waited {
    pub(super) elapsed: u64,
    pub(super) wait: u64,
}

/// Who waits in a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    All,
    FromRoot,
    ToRoot,
    Lower,
}

fn order(call: u32) -> Order {
    match mpi::CALLS.get(call as usize).copied().unwrap_or_default() {
        "Bcast" | "Scatter" | "Scatterv" => Order::FromRoot,
        "Gather" | "Gatherv" | "Reduce" => Order::ToRoot,
        "Scan" | "Exscan" => Order::Lower,
        _ => Order::All,
    }
}

impl Meetings {
    pub(super) fn take(&mut self, rank: u32, record: &MpiMeeting) {
        if self.parts.len() >= MOST {
            self.left_out += 1;
            return;
        }
        let next = self.meetings.len() as u32;
        let key = (record.communicator, record.sequence, record.call, record.root);
        let meeting = *self.numbers.entry(key).or_insert(next);
        if meeting == next {
            let step = mpi::step(record.sequence);
            self.meetings.push(Meeting { call: record.call, root: record.root, step });
        }
        let elapsed = record.elapsed.min(1 << 56);
        let begin = record.time.min(1 << 62);
        self.parts.push(Part { meeting, rank, place: record.rank, begin, elapsed });
    }

    /// The ranks have other numbers: those that have none are left out.
    pub(super) fn renumber(&mut self, numbers: &[Option<u32>]) {
        self.parts.retain_mut(|part| {
            let number = numbers.get(part.rank as usize).copied().flatten();
            part.rank = number.unwrap_or(0);
            number.is_some()
        });
    }

    /// The calls after which no rank goes on before all have come, with their parts: by these the
    /// nodes' clocks are compared.
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

    /// What each rank waited, by function. `ranks`: how many there are.
    pub(super) fn waits(&mut self, ranks: usize, clocks: &Clocks) -> Vec<HashMap<u32, Waited>> {
        let mut waits = vec![HashMap::new(); ranks];
        self.parts.sort_unstable_by_key(|part| (part.meeting, part.place));
        for parts in self.parts.chunk_by(|one, other| one.meeting == other.meeting) {
            let meeting = self.meetings[parts[0].meeting as usize];
            let begin = |part: &Part| clocks.of(part.rank, part.begin);
            let is_root = |part: &&Part| part.place.wrapping_add(1) == meeting.root;
            let last = parts.iter().map(begin).max();
            let root = parts.iter().find(is_root).map(begin);
            let mut lower = None;
            for part in parts {
                let until = match order(meeting.call) {
                    Order::All => last,
                    Order::FromRoot => root,
                    Order::ToRoot if is_root(&part) => last,
                    Order::ToRoot => None,
                    Order::Lower => lower,
                };
                lower = lower.max(Some(begin(part)));
                let waited = until.map_or(0, |until| (until - begin(part)).max(0));
                let waited = u64::try_from(waited).unwrap_or(0).min(part.elapsed);
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
