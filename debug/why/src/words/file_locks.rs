//! Who has the lock of a file that the process has by another descriptor.

use omphalos_ompd_view::snapshot::{Snapshot, Taken, Thread, Wait};

use super::thread as name;

/// What stands before the descriptor by which the process has such a lock.
const BY: &str = "its lock held by this process, by file descriptor ";
/// The functions that take one.
const TAKERS: [&str; 2] = ["flock", "lockf"];

/// Which threads took the lock for which `waiting` waits, and where, as far as their code shows.
pub fn file_lock_takers(snapshot: &Snapshot, waiting: &Thread) -> Vec<String> {
    let Some(Wait::Call { what, .. }) = &waiting.waits else { return Vec::new() };
    let number = what.split_once(BY).and_then(|(_, rest)| rest.split([',', ')', ' ']).next());
    let Some(descriptor) = number.and_then(|number| number.parse::<i32>().ok()) else {
        return Vec::new();
    };
    let takes = |taken: &&Taken| TAKERS.contains(&&*taken.by);
    let all = || {
        let each = snapshot.threads.iter();
        each.flat_map(|thread| thread.taken.iter().filter(takes).map(move |taken| (thread, taken)))
    };
    let tells = |taken: &Taken| taken.handed.iter().any(|value| *value as i32 == descriptor);
    let is_told = all().any(|(_, taken)| tells(taken));
    let is_it = |taken: &Taken| if is_told { tells(taken) } else { taken.handed.is_empty() };
    let said = |(thread, taken): (&Thread, &Taken)| {
        let (who, place) = (name(thread), &taken.place);
        let took = if is_told { "took" } else { "perhaps took" };
        let waits = matches!(&thread.waits, Some(Wait::Call { what, .. }) if what.contains(BY));
        match waits {
            true => format!(
                "{who} {took} that lock at {place}, and waits for it itself before it gives it \
                 back."
            ),
            false => format!("{who} {took} that lock at {place}."),
        }
    };
    all().filter(|(_, taken)| is_it(taken)).map(said).collect()
}
