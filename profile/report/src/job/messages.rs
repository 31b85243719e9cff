//! Finds the waits of ranks in messages between two ranks. The receiver waits until the sender
//! begins to send, and the sender waits until the receiver begins to receive.
//!
//! A *channel* is a sender, a receiver, a communicator and a tag. Both ranks number the messages of
//! a channel in order, so the parts with one number are a pair. Where a program takes messages in
//! another order than it asked for them, the pairs are wrong: a channel on which a message would
//! have been received before it was sent is left out.

use std::collections::{HashMap, HashSet};

use omphalos_profile_format::{MpiAsked, MpiMessage, mpi};

use super::clocks::Clocks;
use super::meetings::{Wait, Waited, Waits, note, share};

/// The most parts in messages, of all ranks, that are kept.
const MOST: usize = 4 << 20;
/// The error of a clock within a node, ns.
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
    /// The part of `elapsed` in which the rank was in calls of MPI, ns.
    inside: u64,
    /// The number of a group of calls that began at one moment and count once.
    group: u32,
}

impl Part {
    /// Whether the message has come, or is on its way, when the part ends.
    fn is_done(&self) -> bool {
        let call = mpi::CALLS.get(self.call as usize).copied().unwrap_or_default();
        !(self.begins && (call.starts_with('I') || call.starts_with("Start")))
    }
}

/// All parts of all ranks.
#[derive(Default)]
pub(super) struct Messages {
    channels: HashMap<(u64, u32, u32, u32), u32>,
    parts: Vec<Part>,
    /// The number of parts that were left out because there were too many.
    pub(super) left_out: u64,
}

impl Messages {
    pub(super) fn take(&mut self, rank: u32, record: &MpiMessage) {
        let ranks = (record.rank, record.peer, record.tag);
        self.enter(
            record.communicator,
            ranks,
            Part {
                channel: 0,
                rank,
                sequence: record.sequence,
                call: record.call,
                sends: record.sends == 1,
                begins: record.begins == 1,
                begin: record.time,
                elapsed: record.elapsed,
                inside: record.elapsed,
                group: 0,
            },
        );
    }

    pub(super) fn take_asked(&mut self, rank: u32, record: &MpiAsked) {
        let ranks = (record.rank, record.peer, record.tag);
        self.enter(
            record.communicator,
            ranks,
            Part {
                channel: 0,
                rank,
                sequence: record.sequence,
                call: record.call,
                sends: record.sends == 1,
                begins: false,
                begin: record.time,
                elapsed: record.elapsed,
                inside: record.inside,
                group: record.group,
            },
        );
    }

    /// Enters a part with its channel, and with times that no sum overflows; leaves it out if there
    /// are too many parts.
    fn enter(&mut self, communicator: u64, (own, peer, tag): (u32, u32, u32), part: Part) {
        if self.parts.len() >= MOST {
            self.left_out += 1;
            return;
        }
        let (sender, receiver) = if part.sends { (own, peer) } else { (peer, own) };
        let next = self.channels.len() as u32;
        let channel = *self.channels.entry((communicator, sender, receiver, tag)).or_insert(next);
        let elapsed = part.elapsed.min(1 << 56);
        self.parts.push(Part {
            channel,
            begin: part.begin.min(1 << 62),
            elapsed,
            inside: part.inside.min(elapsed),
            ..part
        });
    }

    /// Gives the ranks other numbers; ranks without one are left out.
    pub(super) fn renumber(&mut self, numbers: &[Option<u32>]) {
        self.parts.retain_mut(|part| {
            let number = numbers.get(part.rank as usize).copied().flatten();
            part.rank = number.unwrap_or(0);
            number.is_some()
        });
    }

    /// Adds each rank's waits, by function. `later`: the calls that waited for an operation that an
    /// earlier call began.
    pub(super) fn add_waits(
        &mut self,
        waits: &mut [HashMap<u32, Waited>],
        clocks: &Clocks,
        later: Waits,
    ) {
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
        // A call may wait for several messages.
        let mut calls = later;
        for parts in self.parts.chunk_by(same).filter(|of| !wrong.contains(&of[0].channel)) {
            let others = [begun(parts, false), begun(parts, true)];
            for part in parts.iter().filter(|part| part.is_done()) {
                let Some(until) = others[usize::from(!part.sends)] else { continue };
                let waited = u64::try_from((until - begin(part)).max(0)).unwrap_or(0);
                let waited = share(waited.min(part.elapsed), part.inside, part.elapsed);
                let step = mpi::message_step(part.sequence);
                let key = (part.rank, part.call, part.begin, part.group);
                note(&mut calls, key, Wait { elapsed: part.inside, wait: waited, step });
            }
        }
        for ((rank, function, ..), call) in calls {
            let Some(of) = waits.get_mut(rank as usize) else { continue };
            let sums: &mut Waited = of.entry(function).or_default();
            sums.elapsed = sums.elapsed.saturating_add(call.elapsed.saturating_mul(call.step));
            sums.wait = sums.wait.saturating_add(call.wait.saturating_mul(call.step));
        }
    }
}
