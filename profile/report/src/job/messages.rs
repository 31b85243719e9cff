//! Who waited for whom in messages between two ranks: the receiver until the sender began to send,
//! the sender until the receiver began to receive.
//!
//! Both count the messages of a channel alike, and so speak of the same one. Where a program takes
//! messages in another order than it asked for them, what is paired does not belong together: a
//! channel on which something would have been received before it was sent tells nothing.

use std::collections::{HashMap, HashSet};

use omphalos_profile_format::{MpiMessage, mpi};

use super::clocks::Clocks;
use super::meetings::Waited;

/// Parts in messages that are kept, of all ranks.
const MOST: usize = 4 << 20;
/// What a clock may be off within a node, ns.
const ALLOWANCE: i128 = 20_000;

/// One rank's part in one message.
#[derive(Clone, Copy)]
struct Part {
    channel: u32,
    /// The rank in the job.
    rank: u32,
    sequence: u64,
    call: u32,
    sends: bool,
    begins: bool,
    begin: u64,
    elapsed: u64,
}

impl Part {
    /// Behind its end the message has come, or is on its way.
    fn is_done(&self) -> bool {
        let call = mpi::CALLS.get(self.call as usize).copied().unwrap_or_default();
        !(self.begins && call.starts_with('I'))
    }
}

/// All parts of all ranks.
#[derive(Default)]
pub(super) struct Messages {
    channels: HashMap<(u64, u32, u32, u32), u32>,
    parts: Vec<Part>,
    /// Some were too many.
    pub(super) left_out: u64,
}

impl Messages {
    pub(super) fn take(&mut self, rank: u32, record: &MpiMessage) {
        if self.parts.len() >= MOST {
            self.left_out += 1;
            return;
        }
        let (own, peer) = (record.rank, record.peer);
        let (sender, receiver) = if record.sends == 1 { (own, peer) } else { (peer, own) };
        let next = self.channels.len() as u32;
        let key = (record.communicator, sender, receiver, record.tag);
        self.parts.push(Part {
            channel: *self.channels.entry(key).or_insert(next),
            rank,
            sequence: record.sequence,
            call: record.call,
            sends: record.sends == 1,
            begins: record.begins == 1,
            begin: record.time.min(1 << 62),
            elapsed: record.elapsed.min(1 << 56),
        });
    }

    /// The ranks have other numbers: those that have none are left out.
    pub(super) fn renumber(&mut self, numbers: &[Option<u32>]) {
        self.parts.retain_mut(|part| {
            let number = numbers.get(part.rank as usize).copied().flatten();
            part.rank = number.unwrap_or(0);
            number.is_some()
        });
    }

    /// Adds what each rank waited, by function.
    pub(super) fn add_waits(&mut self, waits: &mut [HashMap<u32, Waited>], clocks: &Clocks) {
        self.channels = HashMap::new();
        self.parts.sort_unstable_by_key(|part| (part.channel, part.sequence, part.begin));
        let begin = |part: &Part| clocks.of(part.rank, part.begin);
        let allowance = clocks.unsure.unwrap_or(0).saturating_add(ALLOWANCE);
        let same = |one: &Part, other: &Part| {
            (one.channel, one.sequence) == (other.channel, other.sequence)
        };
        let begun = |parts: &[Part], sends: bool| {
            parts.iter().filter(|part| part.begins && part.sends == sends).map(begin).min()
        };
        let is_early = |part: &&Part, sent: i128| {
            let left = begin(part) + i128::from(part.elapsed);
            !part.sends && part.is_done() && left.saturating_add(allowance) < sent
        };
        let mut wrong: HashSet<u32> = HashSet::new();
        for parts in self.parts.chunk_by(same) {
            let sent = begun(parts, true);
            if sent.is_some_and(|sent| parts.iter().any(|part| is_early(&part, sent))) {
                wrong.insert(parts[0].channel);
            }
        }
        // A call may wait for several messages: the last one counts.
        let mut calls: HashMap<(u32, u32, u64), (u64, u64, u64)> = HashMap::new();
        for parts in self.parts.chunk_by(same).filter(|of| !wrong.contains(&of[0].channel)) {
            let others = [begun(parts, false), begun(parts, true)];
            for part in parts.iter().filter(|part| part.is_done()) {
                let Some(until) = others[usize::from(!part.sends)] else { continue };
                let waited = u64::try_from((until - begin(part)).max(0)).unwrap_or(0);
                let key = (part.rank, part.call, part.begin);
                let call = calls.entry(key).or_insert((part.elapsed, 0, 0));
                call.1 = call.1.max(waited.min(part.elapsed));
                call.2 = call.2.max(mpi::message_step(part.sequence));
            }
        }
        for ((rank, function, _), (elapsed, wait, step)) in calls {
            let Some(of) = waits.get_mut(rank as usize) else { continue };
            let sums: &mut Waited = of.entry(function).or_default();
            sums.elapsed = sums.elapsed.saturating_add(elapsed.saturating_mul(step));
            sums.wait = sums.wait.saturating_add(wait.saturating_mul(step));
        }
    }
}
