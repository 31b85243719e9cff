//! Finds settings of the program's run that make constructs do nothing, or less than they say. Such
//! a setting is no cause by itself, but the program's author may not know it.

use omphalos_ompd_view::snapshot::{Snapshot, Thread};

use crate::words;

/// Returns a sentence for each such setting.
pub fn reasons(snapshot: &Snapshot) -> Vec<String> {
    let mut said = Vec::new();
    let cancels = |thread: &&Thread| !thread.cancels.is_empty();
    if snapshot.cancellation == Some(false)
        && let Some(thread) = snapshot.threads.iter().find(cancels)
    {
        said.push(format!(
            "Cancellation is off (OMP_CANCELLATION is not set to true), so 'cancel' and \
             'cancellation point' do nothing: {}'s code has {}.",
            words::thread(thread),
            thread.cancels.join(", ")
        ));
    }
    for team in &snapshot.teams {
        let Some(most) = team.max_active_levels else { continue };
        // The team is inside another region, and has one thread because no further level may be
        // active.
        let is_alone = team.size == 1 && team.level > 1 && team.active_level >= most.max(1);
        let Some(region) = team.location.as_ref().filter(|_| is_alone) else { continue };
        let reason = format!(
            "The {region} has one thread, whatever it asks for: it is nested, and only {most} \
             level{} of regions may have more (OMP_MAX_ACTIVE_LEVELS).",
            if most == 1 { "" } else { "s" }
        );
        if !said.contains(&reason) {
            said.push(reason);
        }
    }
    said
}

/// The reasons for those regions of these threads that have as many threads as are allowed.
pub fn limits(snapshot: &Snapshot, threads: &[u32]) -> Vec<String> {
    let is_in = |team: u64| {
        let members = snapshot.threads.iter().filter(|thread| thread.team == Some(team));
        members.into_iter().any(|thread| threads.contains(&thread.lwp))
    };
    let full = snapshot.teams.iter().filter(|team| {
        team.level > 0 && team.thread_limit == Some(team.size) && is_in(team.address)
    });
    let said = full.filter_map(|team| {
        let region = team.location.as_ref()?;
        let plural = if team.size == 1 { "" } else { "s" };
        Some(format!(
            "The {region} has {} thread{plural}, as many as there may be (OMP_THREAD_LIMIT), \
             whatever it asks for.",
            team.size
        ))
    });
    said.collect()
}
