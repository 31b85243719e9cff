//! Calls of MPI in which threads were when the record ended: those of a job that hangs, say.

use omphalos_profile_format::MpiCallTotal;

use super::bounds::Bounded;
use super::{Recording, ThreadInfo};

impl Recording {
    /// Adds these calls to the others, when all records are read. Where only parts of the run were
    /// measured, a call counts from the begin of the last part, if that part has no end.
    pub(super) fn add_open_mpi_calls(&mut self) {
        let most = match self.parts.last_span() {
            None => u64::MAX,
            Some((begin, None)) => self.last_time().saturating_sub(begin),
            Some((_, Some(_))) => 0,
        };
        for ThreadInfo { mpi_open, .. } in self.threads.values_mut() {
            *mpi_open = mpi_open.filter(|_| most > 0);
            let Some(open) = mpi_open else { continue };
            open.elapsed = open.elapsed.min(most);
            let (call, codeptr_ra, region_codeptr) =
                (open.call, open.codeptr_ra, open.region_codeptr);
            let key = (call, codeptr_ra, region_codeptr);
            let new = MpiCallTotal { call, codeptr_ra, region_codeptr, ..Default::default() };
            let total = self.mpi_calls.entry(key).or_insert(new);
            total.count = total.count.saturating_add(1);
            total.elapsed = total.elapsed.saturating_add(open.elapsed);
            total.longest = total.longest.max(open.elapsed);
            *total = total.bounded();
        }
    }
}
