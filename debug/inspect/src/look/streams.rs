//! Recognises the locks of the C library's streams. No document describes these locks, but a
//! stream's lock has its owner's `pthread_self()` where a mutex has the owner's kernel number.

use omphalos_ompd_view::snapshot::Snapshot;

use crate::space::{Space, exported, word};

/// The streams that each program has, by the names of their objects in the C library.
const STREAMS: [(&str, &str); 3] =
    [("stdin", "_IO_2_1_stdin_"), ("stdout", "_IO_2_1_stdout_"), ("stderr", "_IO_2_1_stderr_")];
/// The offset of the lock's address in a stream's object, in bytes.
const LOCK_AT: u64 = 136;
/// The offset of the owner in the lock, in bytes.
const OWNER_AT: u64 = 8;

/// Gives the locks of streams their kind, and names the locks of `stdin`, `stdout` and `stderr`.
pub fn find(space: &dyn Space, snapshot: &mut Snapshot) {
    let Snapshot { threads, locks, .. } = snapshot;
    for lock in locks.iter_mut().filter(|lock| lock.kind == "pthread mutex") {
        let at = |address: u64, behind: u64| {
            word(space.as_target(), address.checked_add(behind)?).ok().filter(|word| *word != 0)
        };
        let owner = at(lock.address, OWNER_AT);
        if !threads.iter().any(|thread| owner == Some(thread.pthread)) {
            continue;
        }
        lock.kind = "lock of a stream".to_owned();
        let has = |symbol: &str| {
            let stream = exported(space, symbol, Some("libc.so.6")).ok();
            stream.and_then(|stream| at(stream, LOCK_AT)) == Some(lock.address)
        };
        let known = STREAMS.iter().find(|(_, symbol)| has(symbol));
        lock.name = known.map(|(name, _)| (*name).to_owned());
    }
}
