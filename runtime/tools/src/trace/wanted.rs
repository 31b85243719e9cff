//! What the tools want recorded: events of constructs by device, and what regions do.

use super::traces::{is_recording, with};
use super::{Traced, index};
use core::sync::atomic::{AtomicU64, Ordering};
use omphalos_events::SLOTS;

/// The device shall record such events under this number; 0: not.
pub fn wanted(slot: usize, device: i32, traced: Traced, number: u32) {
    with(slot, |traces| {
        traces.wanted.or_default(device as usize).constructs[traced as usize] = number;
    });
}

/// By slot: what any device is to record of regions, by numbers as bits.
static REGIONS: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];

/// The device shall record what regions do, or not, of the events with these numbers (bits).
pub fn wanted_of_regions(slot: usize, device: i32, numbers: u64, on: bool) {
    with(slot, |traces| {
        let regions = &mut traces.wanted.or_default(device as usize).regions;
        *regions = if on { *regions | numbers } else { *regions & !numbers };
        let all = traces.wanted.values().fold(0, |all, wanted| all | wanted.regions);
        REGIONS[index(slot)].store(all, Ordering::Relaxed);
    });
}

/// What any device of the tool's records of regions, by numbers as bits.
#[inline]
pub fn recorded_of_regions(slot: usize) -> u64 {
    if is_recording(slot) { REGIONS[index(slot)].load(Ordering::Relaxed) } else { 0 }
}
