//! Names for communicators. A name is the same in all processes of the communicator, although they
//! exchange nothing for it: it is made of the parent communicator's name, the number of the call
//! that made the communicator, and the parent's rank of its first process.
//!
//! What must hold: a slot's communicator never changes; its name is 0 while nothing is known of it.

use super::library::Communicator;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The number of communicators that are known, those that ended included; further ones have no
/// name.
const SLOTS: usize = 512;

/// The facts about a communicator.
struct Slot {
    /// 0 = free.
    handle: AtomicUsize,
    name: AtomicU64,
    /// The number of collective calls so far.
    calls: AtomicU64,
    /// The process's rank and the number of processes, in one word.
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
    /// The number of the call on the communicator.
    pub sequence: u64,
    /// The process's rank.
    pub rank: u32,
    /// The number of processes.
    pub size: u32,
}

impl Met {
    /// Returns the name of a communicator that this call made and whose first process has this
    /// rank.
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

/// Adds a communicator.
pub fn add(communicator: Communicator, name: u64, (rank, size): (u32, u32)) {
    if let Some(slot) = slot(communicator, true) {
        slot.calls.store(0, Relaxed);
        slot.place.store(u64::from(rank) << 32 | u64::from(size), Relaxed);
        slot.name.store(name, Relaxed);
    }
}

/// Forgets a communicator that is freed: another one may get its handle.
pub fn forget(communicator: Communicator) {
    if let Some(slot) = slot(communicator, false) {
        slot.name.store(0, Relaxed);
    }
}

/// Returns the communicator's name, and the process's rank in it; `None` if the communicator is not
/// known.
pub fn known(communicator: Communicator) -> Option<(u64, u32)> {
    let slot = slot(communicator, false)?;
    let name = slot.name.load(Relaxed);
    (name != 0).then(|| (name, (slot.place.load(Relaxed) >> 32) as u32))
}

/// Counts a collective call on the communicator. Returns `None` if the communicator is not known.
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
