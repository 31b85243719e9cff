//! Says which values the threads' own copies of a variable have.

use omphalos_ompd_view::snapshot::{Snapshot, Thread};

use super::threads as named;

/// Values that are named.
const MOST_VALUES: usize = 4;

/// "Each thread has its own 'stop' (threadprivate, thread_local), and does not see what another one
/// writes to its own: that of thread 0 is 1; that of threads 1 to 3 is 0." `None` unless the
/// thread's loop looks at such a variable, and another thread's copy has another value.
pub fn own_copies(snapshot: &Snapshot, thread: &Thread) -> Option<String> {
    let of = thread.own_copy.as_ref()?;
    let value = |lwp: u32| of.copies.iter().find(|(other, _)| *other == lwp).map(|(_, now)| *now);
    let own = value(thread.lwp)?;
    let mut groups: Vec<(i64, Vec<&Thread>)> = Vec::new();
    for other in &snapshot.threads {
        let Some(now) = value(other.lwp) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == now) {
            Some((_, group)) => group.push(other),
            None => groups.push((now, vec![other])),
        }
    }
    if groups.iter().all(|(now, _)| *now == own) {
        return None;
    }
    let each = groups.iter().take(MOST_VALUES);
    let each = each.map(|(now, group)| format!("that of {} is {now}", named(group)));
    Some(format!(
        "Each thread has its own '{}' (threadprivate, thread_local), and does not see what another \
         one writes to its own: {}.",
        of.name,
        each.collect::<Vec<_>>().join("; ")
    ))
}
