//! Messages between two processes: which it is of its channel, so that a reader finds what the
//! other process says of the same one.
//!
//! MPI keeps messages of one channel (communicator, sender, receiver, tag) in their order: so the
//! two processes count alike, without a word to each other. What must hold: the table is bounded,
//! and what finds no place has no record.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Channels of a process that are counted.
const CHANNELS: usize = 4096;
/// Places that are looked at for one.
const PROBES: usize = 16;

/// A message of a channel.
#[derive(Clone, Copy, Default)]
pub struct Message {
    /// The communicator's name.
    pub communicator: u64,
    /// The process's rank in it.
    pub rank: u32,
    /// The other's.
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

/// Words as one number that is alike for like ones.
pub fn mixed(words: &[u64]) -> u64 {
    words.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, word| {
        (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    })
}

impl Message {
    /// The next one of its channel; none where too many are known.
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
