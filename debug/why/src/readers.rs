//! Explains waits for read-write locks that readers hold. Such a lock only counts its readers; the
//! code on the threads' stacks shows which threads they are.

use omphalos_ompd_view::snapshot::{Address, Frame, Lock, Snapshot, Taken, Thread, Wait};

use crate::{Finding, words};

/// The finding if `thread` waits for a read-write lock that it holds itself, for reading.
pub fn find(snapshot: &Snapshot, thread: &Thread, others: &str) -> Option<Finding> {
    let lock = wanted(thread)?;
    if reads_again(snapshot, thread, lock) {
        let (name, at) = (words::thread(thread), words::at(thread));
        let lock = words::lock_at(snapshot, lock);
        let summary = format!(
            "{name} waits{at} to read {lock} again: it holds it for reading already, and a thread \
             waits to write, which the lock lets go first (who reads must not read again){others}."
        );
        return Some(Finding::new("waits-for-ever", summary));
    }
    let upgrades: Vec<&Thread> =
        snapshot.threads.iter().filter(|other| upgrades(snapshot, other, lock)).collect();
    if !upgrades.iter().any(|other| other.lwp == thread.lwp) {
        return None;
    }
    let name = words::lock_at(snapshot, lock);
    let (who, at) = (words::threads(&upgrades), words::at(thread));
    let (kind, summary) = match upgrades.len() {
        1 => (
            "waits-for-ever",
            format!(
                "{who} waits{at} for {name}: it holds it for reading, and wants it for writing, \
                 which no thread gets before all readers have given it back{others}."
            ),
        ),
        _ => (
            "lock-cycle",
            format!(
                "{who} wait for each other{at}: each holds {name} for reading and wants it for \
                 writing, which no thread gets before all readers have given it back{others}."
            ),
        ),
    };
    Some(Finding::new(kind, summary))
}

/// Adds the readers, as far as their code shows, if readers hold the lock that `thread` waits for.
pub fn add(snapshot: &Snapshot, thread: &Thread, finding: &mut Finding) {
    let Some(lock) = wanted(thread) else { return };
    let readers = snapshot.threads.iter().filter_map(|one| Some((one, reads(one, lock)?)));
    for (reader, taken) in readers.take(words::MOST_NAMED) {
        let which = if taken.lock == lock { "the lock" } else { "a read-write lock" };
        finding.details.push(format!(
            "{} took {which} for reading at {}, and has it still",
            words::thread(reader),
            taken.place
        ));
    }
}

/// ", which 2 threads hold for reading".
pub fn held_for_reading(lock: &Lock) -> String {
    let held = match lock.readers {
        None | Some(0) => String::new(),
        Some(1) => ", which a thread holds for reading".to_owned(),
        Some(more) => format!(", which {more} threads hold for reading"),
    };
    let first = " (it lets writers go first: who reads must not read again)";
    held + if lock.writers_first { first } else { "" }
}

/// The read-write lock that a thread waits for, if no writer holds it.
fn wanted(thread: &Thread) -> Option<Address> {
    match thread.waits {
        Some(Wait::Mutex { mutex, owner: None, read_write: true }) => Some(mutex),
        _ => None,
    }
}

/// Returns the place where the thread's code took this lock for reading, or a lock that the code
/// does not identify.
fn reads(thread: &Thread, lock: Address) -> Option<&Taken> {
    let mut taken = thread.taken.iter().rev();
    taken.find(|it| it.by.contains("rdlock") && (it.lock == lock || it.lock == 0))
}

/// Whether the thread holds this lock for reading and wants it for writing.
fn upgrades(snapshot: &Snapshot, thread: &Thread, lock: Address) -> bool {
    wants(thread, lock, "wrlock") && holds(snapshot, thread, lock)
}

/// Whether the thread holds this lock for reading and wants it for reading once more, while another
/// thread wants it for writing and goes first.
fn reads_again(snapshot: &Snapshot, thread: &Thread, lock: Address) -> bool {
    let known = snapshot.locks.iter().find(|known| known.address == lock);
    known.is_some_and(|lock| lock.writers_first)
        && wants(thread, lock, "rdlock")
        && snapshot.threads.iter().any(|other| wants(other, lock, "wrlock"))
        && holds(snapshot, thread, lock)
}

/// Whether the thread is in this function of the C library for the lock.
fn wants(thread: &Thread, lock: Address, by: &str) -> bool {
    let is_in = |frame: &Frame| words::is_system(frame) && frame.function.contains(by);
    wanted(thread) == Some(lock) && thread.stack.iter().any(is_in)
}

/// Whether the thread holds this lock for reading. If the thread's code does not show which lock it
/// holds, the number of readers decides: the lock must have as many readers as there are such
/// threads.
fn holds(snapshot: &Snapshot, thread: &Thread, lock: Address) -> bool {
    let known = snapshot.locks.iter().find(|known| known.address == lock);
    let count = known.and_then(|lock| lock.readers);
    let all = snapshot.threads.iter().filter(|other| reads(other, lock).is_some()).count();
    match reads(thread, lock) {
        Some(taken) => taken.lock == lock || count.is_some_and(|count| count as usize == all),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program in which two threads hold a lock for reading and want the lock at 16 for writing.
    fn program(readers: u32, taken: Address) -> Snapshot {
        let thread = |number: i32| {
            let module = "libc.so.6".to_owned();
            let function = "pthread_rwlock_wrlock".to_owned();
            let by = "pthread_rwlock_rdlock".to_owned();
            Thread {
                number: Some(number),
                lwp: number as u32 + 1,
                waits: Some(Wait::Mutex { mutex: 16, owner: None, read_write: true }),
                stack: vec![Frame { module, function, ..Frame::default() }],
                taken: vec![Taken {
                    by,
                    place: "a.c:3".to_owned(),
                    lock: taken,
                    handed: Vec::new(),
                }],
                ..Thread::default()
            }
        };
        let (kind, readers) = ("read-write lock".to_owned(), Some(readers));
        let lock = Lock { address: 16, kind, readers, ..Lock::default() };
        Snapshot { threads: vec![thread(0), thread(1)], locks: vec![lock], ..Snapshot::default() }
    }

    #[test]
    fn who_reads_and_wants_to_write_waits_for_itself() {
        let kind = |snapshot: &Snapshot| {
            find(snapshot, &snapshot.threads[0], "").map(|finding| finding.kind)
        };
        assert_eq!(kind(&program(2, 16)).as_deref(), Some("lock-cycle"));
        assert_eq!(kind(&program(2, 0)).as_deref(), Some("lock-cycle"));
        // One more thread reads the lock: those two may hold another lock.
        assert_eq!(kind(&program(3, 0)), None);
        assert_eq!(kind(&program(2, 8)), None);
    }
}
