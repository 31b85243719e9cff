//! Messages between two processes: the number of each message in its channel, so that a reader
//! finds the other process's record of the same message.
//!
//! MPI keeps the messages of one channel (communicator, sender, receiver, tag) in order: so the two
//! processes count alike, without exchanging anything.
//!
//! What must hold: the table is bounded; a message that finds no place has no record.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of channels of a process that are counted.
const CHANNELS: usize = 4096;
/// The number of places that are looked at for one channel.
const PROBES: usize = 16;

/// A message of a channel.
#[derive(Clone, Copy, Default)]
pub struct Message {
    /// The communicator's name.
    pub communicator: u64,
    /// The process's rank in it.
    pub rank: u32,
    /// The other process's rank.
    pub peer: u32,
    pub tag: u32,
    pub sends: bool,
    pub sequence: u64,
}

struct Channel {
    /// 0 = free.
    key: AtomicU64,
    messages: AtomicU64,
}

static ALL_CHANNELS: [Channel; CHANNELS] =
    [const { Channel { key: AtomicU64::new(0), messages: AtomicU64::new(0) } }; CHANNELS];

/// Mixes words into one number, which is the same for the same words.
pub fn mixed(words: &[u64]) -> u64 {
    words.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, word| {
        (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    })
}

impl Message {
    /// Counts the next message of its channel. Returns `None` if too many channels are known.
    pub fn next(
        (communicator, rank): (u64, u32),
        (peer, tag): (u32, u32),
        sends: bool,
    ) -> Option<Message> {
        let words = [communicator, u64::from(peer), u64::from(tag), u64::from(sends)];
        let key = mixed(&words).max(1);
        for at in 0..PROBES {
            let channel = &ALL_CHANNELS[(key as usize + at) % CHANNELS];
            let known = channel.key.load(Relaxed);
            let taken = known == 0
                && match channel.key.compare_exchange(0, key, Relaxed, Relaxed) {
                    Ok(_) => true,
                    Err(other) => other == key,
                };
            if known == key || taken {
                let sequence = channel.messages.fetch_add(1, Relaxed);
                return Some(Message { communicator, rank, peer, tag, sends, sequence });
            }
        }
        None
    }
}
