//! Messages between two processes: which it is of its channel, so that a reader finds what the
//! other process says of the same one, and which of them a request stands for.
//!
//! MPI keeps messages of one channel (communicator, sender, receiver, tag) in their order: so the
//! two processes count alike, without a word to each other. What must hold: both tables are
//! bounded, and what finds no place has no record.

use super::library::Request;
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Channels of a process that are counted.
const CHANNELS: usize = 4096;
/// Requests that are open at one time.
const REQUESTS: usize = 4096;
/// Places that are looked at for one.
const PROBES: usize = 16;

/// A message of a channel.
#[derive(Clone, Copy)]
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

fn mixed(words: &[u64]) -> u64 {
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

struct Open {
    /// 0 = free.
    request: AtomicUsize,
    communicator: AtomicU64,
    /// The process's rank and the other's.
    ranks: AtomicU64,
    tag: AtomicU32,
    sends: AtomicU32,
    sequence: AtomicU64,
}

static ALL_OPEN: [Open; REQUESTS] = [const {
    Open {
        request: AtomicUsize::new(0),
        communicator: AtomicU64::new(0),
        ranks: AtomicU64::new(0),
        tag: AtomicU32::new(0),
        sends: AtomicU32::new(0),
        sequence: AtomicU64::new(0),
    }
}; REQUESTS];

fn place(request: Request) -> usize {
    mixed(&[request.0 as u64]) as usize % REQUESTS
}

/// A request stands for a message from now on, until it is waited for. One that was tested instead
/// leaves its place to another one.
pub fn open(request: Request, message: &Message) {
    let start = place(request);
    let slots = (0..PROBES).map(|at| &ALL_OPEN[(start + at) % REQUESTS]);
    let mut free = slots.filter(|slot| [0, request.0].contains(&slot.request.load(Relaxed)));
    let slot = free.next().unwrap_or(&ALL_OPEN[start]);
    slot.request.store(0, Relaxed);
    slot.communicator.store(message.communicator, Relaxed);
    slot.ranks.store(u64::from(message.rank) << 32 | u64::from(message.peer), Relaxed);
    slot.tag.store(message.tag, Relaxed);
    slot.sends.store(u32::from(message.sends), Relaxed);
    slot.sequence.store(message.sequence, Relaxed);
    slot.request.store(request.0, Relaxed);
}

/// The number of the place of an open request.
pub fn find(request: Request) -> Option<u16> {
    let start = place(request);
    let places = (0..PROBES).map(|at| (start + at) % REQUESTS);
    let mut own = places.filter(|at| ALL_OPEN[*at].request.load(Relaxed) == request.0);
    own.next().filter(|_| request.0 != 0).map(|at| at as u16)
}

/// The request has been waited for.
pub fn close(number: u16) -> Option<Message> {
    let slot = ALL_OPEN.get(usize::from(number))?;
    let ranks = slot.ranks.load(Relaxed);
    let message = Message {
        communicator: slot.communicator.load(Relaxed),
        rank: (ranks >> 32) as u32,
        peer: ranks as u32,
        tag: slot.tag.load(Relaxed),
        sends: slot.sends.load(Relaxed) == 1,
        sequence: slot.sequence.load(Relaxed),
    };
    (slot.request.swap(0, Relaxed) != 0).then_some(message)
}
