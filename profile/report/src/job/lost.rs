//! Adds up times that a rank's threads lose, as time that the rank takes longer for them.

/// The time that a rank loses: of its threads in regions, and of its first thread outside of them.
/// Threads that the program made itself go on beside the first one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lost {
    in_regions: u64,
    alone: u64,
}

impl Lost {
    /// Adds a thread's times in regions and outside of them, ns.
    pub(super) fn take(&mut self, is_first: bool, [in_regions, alone]: [u64; 2]) {
        self.in_regions = self.in_regions.saturating_add(in_regions);
        if is_first {
            self.alone = self.alone.saturating_add(alone);
        }
    }

    /// Returns the elapsed time that the rank loses, ns: in regions it is the mean of the threads.
    pub(super) fn elapsed(&self, threads: u64) -> u64 {
        self.alone.saturating_add(self.in_regions / threads.max(1))
    }
}
