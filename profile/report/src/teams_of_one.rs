//! Processes whose teams have one thread each. Such a thread waits for nobody at a barrier, so its
//! time there without a processor is no wait: it counts like such time in its work.

use omphalos_profile_format::{RegionSiteTotal, ThreadTotal};

/// Whether no team of these regions had more than one thread.
pub(crate) fn has_no_team<'a>(mut regions: impl Iterator<Item = &'a RegionSiteTotal>) -> bool {
    regions.all(|region| region.team_size_sum <= region.instances)
}

/// Takes a thread's time without a processor out of its waits at barriers; returns that time, ns.
/// `runnable`: all its time without a processor; `queued`: that of its work, in regions and outside
/// of them.
pub(crate) fn without_waits(
    total: &mut ThreadTotal,
    runnable: u64,
    queued: &mut (u64, u64),
) -> u64 {
    let left = runnable.saturating_sub(queued.0).saturating_sub(queued.1);
    let time = left.min(total.barrier_wait);
    total.barrier_wait -= time;
    total.work = total.work.saturating_add(time);
    queued.0 = queued.0.saturating_add(time);
    time
}
