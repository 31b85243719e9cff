//! Corrects the waits at barriers of a program whose teams have one thread: that thread waits for
//! nobody, so the time went by without a processor.

use super::Recording;
use crate::teams_of_one::{has_no_team, without_waits};

impl Recording {
    /// Takes time without a processor out of the waits at barriers, where no team had more than one
    /// thread.
    pub(super) fn take_waits_for_nobody(&mut self) {
        self.has_no_team = self.attached.is_none() && has_no_team(self.regions.values());
        if !self.has_no_team {
            return;
        }
        let (mut taken, mut waited) = (0u64, 0u64);
        for info in self.threads.values_mut() {
            let (Some(total), Some(known)) = (&mut info.total, info.scheduling) else { continue };
            waited = waited.saturating_add(total.barrier_wait);
            let time = without_waits(total, known.runnable, &mut info.queued);
            taken = taken.saturating_add(time);
        }
        let of = |wait: u64| {
            let part = u128::from(wait) * u128::from(taken) / u128::from(waited.max(1));
            u64::try_from(part).unwrap_or(wait).min(wait)
        };
        for (place, total) in &mut self.regions {
            let time = of(total.barrier_wait);
            total.barrier_wait -= time;
            total.work = total.work.saturating_add(time);
            let queued = self.queued_regions.entry(*place).or_default();
            *queued = queued.saturating_add(time);
        }
        for total in self.constructs.values_mut() {
            total.barrier_wait -= of(total.barrier_wait);
            total.open_barrier_wait -= of(total.open_barrier_wait);
        }
    }
}
