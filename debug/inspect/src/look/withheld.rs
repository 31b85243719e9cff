//! Finds signals that have come for a process, and whose handlers do not run, because each thread
//! blocks them.

use omphalos_ompd_view::snapshot::Snapshot;

use super::place;
use crate::names::Named;
use crate::space::Space;

/// Places that are named.
const MOST_PLACES: usize = 4;

/// Adds these signals to a snapshot, and the places where the code changes the mask of a thread.
pub fn find(space: &dyn Space, snapshot: &mut Snapshot, named: &Named<'_>) {
    snapshot.withheld = space.kernel().withheld_signals();
    if snapshot.withheld.is_empty() {
        return;
    }
    // The mask is the address of a set, which no code knows as a constant.
    let mask = |callee: &str| ["sigprocmask", "pthread_sigmask"].contains(&callee).then_some(1);
    let names = named.names();
    let line = |after: u64| {
        let function = names.functions(after - 1).into_iter().next()?;
        place(&function.file, function.line)
    };
    let mut places: Vec<String> =
        names.calls_with(None, &mask).into_iter().filter_map(line).collect();
    places.sort();
    places.dedup();
    places.truncate(MOST_PLACES);
    snapshot.blocked_at = places;
}
