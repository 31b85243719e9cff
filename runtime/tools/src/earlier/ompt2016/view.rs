//! The names by which a tool of 2016 knows threads, tasks and regions. In one variant of the
//! interface these are ids, in the other the addresses of the tool's words.

use crate::earlier::tool::tool;
use core::sync::atomic::Ordering;
use omphalos_abi::earlier::ompt2016::ompt_event_t;
use omphalos_events::{Identity, TaskTool};

/// A tool and its variant.
#[derive(Clone, Copy)]
pub struct View {
    /// The tool's slot.
    pub slot: usize,
    /// Whether the tool takes ids instead of the addresses of its words.
    pub by_id: bool,
}

impl View {
    /// Returns the tool's callback for an event; 0 if it has none.
    #[inline]
    pub fn callback(self, event: ompt_event_t) -> usize {
        tool(self.slot).callback(event as usize)
    }

    /// Returns the name of a thread or task.
    #[inline]
    pub fn name(self, identity: &Identity) -> u64 {
        if self.by_id {
            identity.id.load(Ordering::Relaxed)
        } else {
            identity.word(self.slot) as u64
        }
    }

    /// Returns the name of a task.
    #[inline]
    pub fn task(self, task: &TaskTool) -> u64 {
        self.name(&task.identity)
    }

    /// Returns the name of a region; 0 outside of parallel regions.
    #[inline]
    pub fn region(self, region: &Identity) -> u64 {
        region_name(self.slot, self.by_id, region)
    }
}

/// Returns the name of a region; 0 outside of parallel regions.
#[inline]
pub fn region_name(slot: usize, by_id: bool, region: &Identity) -> u64 {
    match region.region_id() {
        0 => 0,
        id if by_id => id,
        _ => region.word(slot) as u64,
    }
}
