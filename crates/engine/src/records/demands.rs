//! What a `num_threads` clause asks for besides a number: `strict`, and numbers for nested regions.

use super::{Team, Thread};
use omphalos_settings::Level;

/// The rare parts of a clause, noted for the calling thread's next region.
pub struct Demands {
    /// How many threads the clause asks for.
    pub threads: u32,
    /// Numbers for the regions nested inside.
    pub deeper: Option<&'static Level>,
    /// For `strict`: called if the region has fewer threads than the clause asked for, with both
    /// numbers.
    pub unmet: Option<Box<dyn FnOnce(u32, u32)>>,
}

impl Thread {
    /// Notes what the next region is to get; null notes nothing.
    pub fn demand(&self, demands: Option<Demands>) {
        let fresh = demands.map_or(core::ptr::null_mut(), |d| Box::into_raw(Box::new(d)));
        let old = self.demands.replace(fresh);
        if !old.is_null() {
            // SAFETY: the cell's pointers come from above, and only the owner takes them out.
            drop(unsafe { Box::from_raw(old) });
        }
    }
}

/// Does what the clause noted, for the region of `team` with `size` threads.
#[cold]
pub fn meet(thread: &Thread, team: &Team, size: u32) {
    let noted = thread.demands.replace(core::ptr::null_mut());
    if noted.is_null() {
        return;
    }
    // SAFETY: as in `demand`.
    let demands = unsafe { Box::from_raw(noted) };
    if let Some(level) = demands.deeper {
        // SAFETY: no member is in a region of this team.
        let icvs = unsafe { &mut *team.icvs.get() };
        icvs.nthreads = level.threads();
        icvs.deeper = Some(level.deeper());
    }
    if let Some(unmet) = demands.unmet.filter(|_| size < demands.threads) {
        unmet(demands.threads, size);
    }
}
