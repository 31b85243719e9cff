//! The threads of a program, each with its stack; workers that do the same are one group.

use omphalos_ompd_view::snapshot::{Snapshot, Thread};
use omphalos_why::words;

use super::{plain, stands, title};

/// Workers with the same stack and the same activity, and the text about them.
struct Group<'a> {
    threads: Vec<&'a Thread>,
    doing: String,
    stands: String,
}

/// Headings, each with the text that follows it. `all`: each stack as it is, each thread by itself.
pub fn groups(snapshot: &Snapshot, all: bool) -> Vec<(String, String)> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for thread in &snapshot.threads {
        let doing = words::doing(snapshot, thread);
        let stands = stands(snapshot, thread, all);
        let is_alike = |group: &&mut Group<'_>| {
            let kinds = [&*group.threads[0].kind, &*thread.kind];
            kinds == ["worker"; 2] && (&group.doing, &group.stands) == (&doing, &stands)
        };
        match groups.iter_mut().find(is_alike).filter(|_| !all) {
            Some(group) => group.threads.push(thread),
            None => groups.push(Group { threads: vec![thread], doing, stands }),
        }
    }
    groups.into_iter().map(|group| of_group(snapshot, group)).collect()
}

fn of_group(snapshot: &Snapshot, group: Group<'_>) -> (String, String) {
    let (who, doing) = match group.threads[..] {
        [one] => (title(snapshot, one), group.doing),
        _ => {
            let lwps: Vec<u32> = group.threads.iter().map(|thread| thread.lwp).collect();
            let who = words::threads(&group.threads);
            (format!("{who} ({})", words::numbers("LWP", &lwps)), words::of_several(&group.doing))
        }
    };
    (format!("{who}: {}\n", plain(&doing)), group.stands)
}
