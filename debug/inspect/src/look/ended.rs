//! Finds processes whose end nobody has asked for yet, where a thread waits for what another
//! process may bring.

use omphalos_ompd_view::snapshot::{Snapshot, Wait};

use crate::space::Space;

/// Adds these processes to a snapshot.
pub fn find(space: &dyn Space, snapshot: &mut Snapshot) {
    let from_others = snapshot.threads.iter().any(|thread| {
        let is_outside = thread.os.as_ref().is_some_and(|os| os.outside);
        let is_shared = || matches!(&thread.waits, Some(Wait::Unknown { .. }));
        thread.waits.is_some() && is_outside || is_shared()
    });
    if from_others {
        snapshot.ended = space.kernel().ended_processes();
    }
}
