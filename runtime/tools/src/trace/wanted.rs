//! Keeps the events that the tools want recorded: those of constructs, by device, and those of
//! regions.

use super::traces::{is_recording, with};
use super::{Traced, index};
use core::sync::atomic::{AtomicU64, Ordering};
use omphalos_events::SLOTS;

/// Makes the device record such events under this number; 0: it does not record them.
pub fn wanted(slot: usize, device: i32, traced: Traced, number: u32) {
    with(slot, |traces| {
        traces.wanted.or_default(device as usize).constructs[traced as usize] = number;
    });
}

/// For each slot, the events of regions that any device is to record, by numbers as bits.
static REGIONS: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];

/// Makes the device record the events of regions with these numbers (bits), or, if not `on`, not
/// record them.
pub fn wanted_of_regions(slot: usize, device: i32, numbers: u64, on: bool) {
    with(slot, |traces| {
        let regions = &mut traces.wanted.or_default(device as usize).regions;
        *regions = if on { *regions | numbers } else { *regions & !numbers };
        let all = traces.wanted.values().fold(0, |all, wanted| all | wanted.regions);
        REGIONS[index(slot)].store(all, Ordering::Relaxed);
    });
}

/// Returns the events of regions that any device records for the tool, by numbers as bits.
#[inline]
pub fn recorded_of_regions(slot: usize) -> u64 {
    if is_recording(slot) { REGIONS[index(slot)].load(Ordering::Relaxed) } else { 0 }
}
