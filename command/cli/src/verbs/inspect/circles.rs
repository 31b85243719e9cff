//! Finds pairs of processes of which each waits for a file's lock that the other one holds, for
//! `omphalos why`.

use omphalos_ompd_view::snapshot::Wait;

use super::{Arguments, Seen, seen};

/// The relation of two processes of which each seems to wait for a lock that the other one holds.
pub enum Pair {
    /// They wait for two different locks, and a second look at both showed the same.
    Circle,
    /// They wait for one lock, of this file. It changed hands between the looks at the two.
    InTurn(String),
}

/// The files whose locks the process's threads wait for, each with the process that holds it.
fn wanted(seen: &Seen) -> Vec<(&str, u32)> {
    let threads = seen.now.snapshot.threads.iter();
    threads.filter_map(|thread| file_lock(thread.waits.as_ref()?)).collect()
}

fn file_lock(wait: &Wait) -> Option<(&str, u32)> {
    let Wait::Call { what, .. } = wait else { return None };
    let (file, holder) = what.split_once(", its lock held by process ")?;
    Some((file, holder.split(' ').next()?.parse().ok()?))
}

/// The file that `one` waits for and `other` holds.
fn file_between<'a>(one: &'a Seen, other: &Seen) -> Option<&'a str> {
    let (file, _) = wanted(one).into_iter().find(|(_, holder)| *holder == other.pid)?;
    // "file descriptor 4 (/tmp/lock": the processes may have the file by different descriptors.
    Some(file.split_once('(').map_or(file, |(_, path)| path).trim_end_matches(')'))
}

/// Returns the relation of two processes, if each seems to wait for a lock of the other. A circle
/// must be there at a second look as well, which begins at both processes at the same time.
pub fn pair_of(arguments: &Arguments, one: &Seen, other: &Seen) -> Option<Pair> {
    let files = (file_between(one, other)?, file_between(other, one)?);
    if files.0 == files.1 {
        return Some(Pair::InTurn(files.0.to_owned()));
    }
    let look = |pid| seen(arguments, pid).ok();
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| look(other.pid));
        (look(one.pid), other.join().ok().flatten())
    });
    let (one, other) = (one?, other?);
    let again = (file_between(&one, &other)?, file_between(&other, &one)?);
    (again == files).then_some(Pair::Circle)
}
