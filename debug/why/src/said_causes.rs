//! Keeps the causes that were already told about a watched program, so that each is told once.

use omphalos_ompd_view::snapshot::{Snapshot, Thread};

use crate::{Finding, words};

/// The threads of the causes that were told, each with its place at that time.
#[derive(Clone, Debug, Default)]
pub struct SaidCauses {
    threads: Vec<(u32, Stand)>,
}

/// The place of a thread, which changes if the thread leaves and comes back. The thread's activity
/// is not part of the place: a thread that waits in a loop of short sleeps looks different from
/// look to look.
#[derive(Clone, Debug, PartialEq)]
struct Stand {
    place: Option<String>,
    barriers: u64,
    region: Option<u64>,
}

impl Stand {
    fn of(snapshot: &Snapshot, thread: &Thread) -> Stand {
        let team = snapshot.teams.iter().find(|team| Some(team.address) == thread.team);
        Stand {
            place: words::standing(thread),
            barriers: thread.barriers,
            region: team.map(|team| team.region),
        }
    }
}

impl SaidCauses {
    /// Whether `found` has a cause that was not told since its threads came to their present
    /// places. If so, all of `found` counts as told.
    pub fn is_new(&mut self, now: &Snapshot, found: &[Finding]) -> bool {
        let stand = |lwp: u32| {
            let thread = now.threads.iter().find(|thread| thread.lwp == lwp)?;
            Some((lwp, Stand::of(now, thread)))
        };
        self.threads.retain(|known| stand(known.0).as_ref() == Some(known));
        let about = found.iter().flat_map(|finding| &finding.threads);
        let new: Vec<(u32, Stand)> = about
            .filter_map(|lwp| stand(*lwp))
            .filter(|each| !self.threads.contains(each))
            .collect();
        let is_new = !new.is_empty();
        self.threads.extend(new);
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_ompd_view::snapshot::{Frame, Wait};

    fn program(lines: [u32; 2], waits: Option<Wait>) -> Snapshot {
        let thread = |(lwp, line): (u32, u32)| {
            let frame = Frame {
                module: "app".into(),
                function: "main".into(),
                file: Some("a.c".into()),
                line: Some(line),
                ..Frame::default()
            };
            Thread { lwp, waits: waits.clone(), stack: vec![frame], ..Thread::default() }
        };
        let threads = (1..).zip(lines).map(thread).collect();
        Snapshot { threads, ..Snapshot::default() }
    }

    fn finding(threads: &[u32]) -> Vec<Finding> {
        vec![Finding { threads: threads.to_vec(), ..Finding::default() }]
    }

    #[test]
    fn one_cause_is_said_once_until_its_threads_went_on() {
        let mut said = SaidCauses::default();
        assert!(said.is_new(&program([10, 11], None), &finding(&[1, 2])));
        let sleeps = Some(Wait::Call { name: "clock_nanosleep".into(), what: String::new() });
        assert!(!said.is_new(&program([10, 11], sleeps.clone()), &finding(&[2])));
        assert!(!said.is_new(&program([10, 11], sleeps), &finding(&[1, 2])));
        assert!(!said.is_new(&program([10, 11], None), &[]));
        assert!(!said.is_new(&program([10, 11], None), &finding(&[1])));
        // One of them has gone on, and hangs again.
        assert!(said.is_new(&program([12, 11], None), &finding(&[1, 2])));
        assert!(!said.is_new(&program([10, 11], None), &[]));
        assert!(said.is_new(&program([12, 11], None), &finding(&[1, 2])));
    }
}
