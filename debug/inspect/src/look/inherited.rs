//! Finds ends of pipes that child processes have inherited: the reader of such a pipe never sees
//! the end of what it reads, and the process waits for that reader.

use omphalos_ompd_view::snapshot::{Snapshot, Wait};

use super::place;
use crate::names::Named;
use crate::space::Space;

/// Functions that make a pipe.
const MAKES: [&str; 2] = ["pipe", "pipe2"];
/// Places that are named.
const MOST_PLACES: usize = 4;

/// Adds these ends to each thread that waits for a child process.
pub fn find(space: &dyn Space, snapshot: &mut Snapshot, named: &Named<'_>) {
    for thread in &mut snapshot.threads {
        let Some(Wait::Call { name, what }) = &thread.waits else { continue };
        let is_for_child = ["wait4", "waitid"].contains(&&**name);
        let number = || what.strip_prefix("process ")?.split(' ').next()?.parse().ok();
        let Some(child) = is_for_child.then(number).flatten() else { continue };
        thread.inherited = space.kernel().inherited_ends(child);
        if thread.inherited.is_empty() {
            continue;
        }
        let names = named.names();
        let made = names.calls_with(None, &|callee| MAKES.contains(&callee).then_some(0));
        let mut places: Vec<String> = Vec::new();
        for after in made {
            let own = names.functions(after - 1).into_iter().next();
            let at = own.and_then(|own| place(&own.file, own.line));
            places.extend(at.filter(|at| !places.contains(at)));
        }
        places.truncate(MOST_PLACES);
        thread.inherited.iter_mut().for_each(|end| end.made_at = places.clone());
    }
}
