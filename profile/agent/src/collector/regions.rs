//! The regions that run: finds the data word that OMPT has for a region by the region's id in the
//! Collector API.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use omphalos_abi::ompt::{ompt_data_none, ompt_data_t};
use omphalos_sync::process_lock::{Guard, ProcessLock, rank};
use std::collections::HashMap;

/// One region. It is never freed: a member may read it after the primary has left it.
pub struct Region {
    word: UnsafeCell<ompt_data_t>,
    /// Members that have arrived, the primary included.
    pub members: AtomicU32,
    /// The place of the call that made it.
    pub call: AtomicU64,
    /// The number of threads that the agent has room for.
    pub room: AtomicU32,
}

// SAFETY: the word is the tool's, which orders its own accesses; the rest is atomic.
unsafe impl Sync for Region {}

impl Region {
    /// Returns the data word, which belongs to the tool.
    pub fn word(&self) -> *mut ompt_data_t {
        self.word.get()
    }
}

#[derive(Default)]
struct Regions {
    running: HashMap<u64, &'static Region>,
    unused: Vec<&'static Region>,
}

static REGIONS: ProcessLock<Option<Regions>, { rank::AGENT_REGIONS }> = ProcessLock::new(None);

fn regions() -> Guard<'static, Option<Regions>, { rank::AGENT_REGIONS }> {
    REGIONS.lock()
}

/// Begins a region that the call at that place forks, with room for `room` threads.
pub fn begin(id: u64, call: u64, room: u32) -> &'static Region {
    let mut guard = regions();
    let all = guard.get_or_insert_default();
    let region = all.unused.pop().unwrap_or_else(|| {
        Box::leak(Box::new(Region {
            word: UnsafeCell::new(ompt_data_none),
            members: AtomicU32::new(0),
            call: AtomicU64::new(0),
            room: AtomicU32::new(0),
        }))
    });
    // SAFETY: no thread uses the region between its lives.
    unsafe { *region.word.get() = ompt_data_none };
    region.members.store(1, Relaxed);
    region.call.store(call, Relaxed);
    region.room.store(room, Relaxed);
    all.running.insert(id, region);
    region
}

/// Returns the region of an id, if it runs.
pub fn find(id: u64) -> Option<&'static Region> {
    regions().as_ref()?.running.get(&id).copied()
}

/// Ends a region.
pub fn end(id: u64) {
    if let Some(all) = regions().as_mut()
        && let Some(region) = all.running.remove(&id)
    {
        all.unused.push(region);
    }
}
