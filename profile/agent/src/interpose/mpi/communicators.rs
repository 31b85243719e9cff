//! Names for communicators that are alike in all of their processes, which do not talk to each
//! other about it: a new one is called by the one that it was made of, the number of the call that
//! made it, and the rank that its first process has there.
//!
//! What must hold: a slot's communicator never changes; its name is 0 while nothing is known of it.

use super::library::Communicator;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Communicators of one time and before it; of further ones nothing is known.
const SLOTS: usize = 512;

/// What is known of a communicator.
struct Slot {
    /// 0 = free.
    handle: AtomicUsize,
    name: AtomicU64,
    /// Collective calls so far.
    calls: AtomicU64,
    /// The process's rank and how many there are, in one word.
    place: AtomicU64,
}

static ALL: [Slot; SLOTS] = [const {
    Slot {
        handle: AtomicUsize::new(0),
        name: AtomicU64::new(0),
        calls: AtomicU64::new(0),
        place: AtomicU64::new(0),
    }
}; SLOTS];

/// The name of the communicator of all processes.
pub const WORLD: u64 = 1;

/// A collective call of a communicator.
pub struct Met {
    /// The communicator's name.
    pub communicator: u64,
    /// The how manieth call it is.
    pub sequence: u64,
    /// The process's rank.
    pub rank: u32,
    /// How many there are.
    pub size: u32,
}

impl Met {
    /// The name of a communicator that this call made, whose first process has this rank.
    pub fn child(&self, leader: u64) -> u64 {
        let words = [self.communicator, self.sequence, leader];
        let mixed = words.into_iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, word| {
            (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        });
        mixed.max(WORLD + 1)
    }
}

fn slot(communicator: Communicator, makes: bool) -> Option<&'static Slot> {
    let start = communicator.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    for at in 0..SLOTS {
        let slot = &ALL[(start + at) % SLOTS];
        let known = slot.handle.load(Relaxed);
        if known == communicator.0 {
            return Some(slot);
        }
        if known != 0 {
            continue;
        }
        if !makes {
            return None;
        }
        match slot.handle.compare_exchange(0, communicator.0, Relaxed, Relaxed) {
            Ok(_) => return Some(slot),
            Err(other) if other == communicator.0 => return Some(slot),
            Err(_) => {}
        }
    }
    None
}

/// The communicator is there from now on.
pub fn add(communicator: Communicator, name: u64, (rank, size): (u32, u32)) {
    if let Some(slot) = slot(communicator, true) {
        slot.calls.store(0, Relaxed);
        slot.place.store(u64::from(rank) << 32 | u64::from(size), Relaxed);
        slot.name.store(name, Relaxed);
    }
}

/// It is there no longer: its place may become that of another one.
pub fn forget(communicator: Communicator) {
    if let Some(slot) = slot(communicator, false) {
        slot.name.store(0, Relaxed);
    }
}

/// Its name, and the process's rank in it; none where nothing is known of it.
pub fn known(communicator: Communicator) -> Option<(u64, u32)> {
    let slot = slot(communicator, false)?;
    let name = slot.name.load(Relaxed);
    (name != 0).then(|| (name, (slot.place.load(Relaxed) >> 32) as u32))
}

/// A collective call of it has come; none where nothing is known of it.
pub fn meet(communicator: Communicator) -> Option<Met> {
    let slot = slot(communicator, false)?;
    let name = slot.name.load(Relaxed);
    if name == 0 {
        return None;
    }
    let place = slot.place.load(Relaxed);
    Some(Met {
        communicator: name,
        sequence: slot.calls.fetch_add(1, Relaxed),
        rank: (place >> 32) as u32,
        size: place as u32,
    })
}
