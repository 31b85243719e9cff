//! A masked region, whose work the other threads wait for at the next barrier: the region has no
//! barrier of its own.

use super::AWAITED_SHARE;
use crate::Analysis;
use crate::model::{ConstructRow, RegionRow, ratio};

/// OpenMP's number of the initial thread's kind, `ompt_thread_initial`.
const INITIAL: u32 = 1;

/// Returns the masked region for whose work the other threads wait at `barrier` for `wait` ns: the
/// last construct in the source before that barrier, if it takes long enough. gcc's code does not
/// tell the runtime how long it takes; there the initial thread must work longest of all.
pub(super) fn before<'a>(
    analysis: &Analysis,
    row: &'a RegionRow,
    (barrier, wait): (&ConstructRow, u64),
) -> Option<&'a ConstructRow> {
    if barrier.name != "barrier" {
        return None;
    }
    let place = &barrier.construct;
    let is_before = |inner: &&ConstructRow| {
        let is_here =
            (&inner.construct.file, &inner.construct.function) == (&place.file, &place.function);
        is_here && (row.construct.line + 1..place.line).contains(&inner.construct.line)
    };
    let last = row.constructs.iter().filter(is_before).max_by_key(|inner| inner.construct.line)?;
    let explains = match last.time {
        Some(time) => ratio(time, wait) * (row.team_size() - 1.0) >= AWAITED_SHARE,
        None => {
            let busiest = analysis.threads().iter().max_by_key(|thread| thread.work);
            busiest.is_some_and(|thread| thread.kind == INITIAL)
        }
    };
    (is_masked(last) && explains).then_some(last)
}

/// Whether the construct is a masked region, by its newer or its older name.
pub(super) fn is_masked(inner: &ConstructRow) -> bool {
    ["masked", "master"].iter().any(|name| inner.name.starts_with(name))
}
