//! Finds the holders of locks of a runtime that does not tell them. The words of such a lock need
//! not show its holder, but the code on the holder's stack shows that it took the lock.

use omphalos_ompd_view::snapshot::{Address, Lock, Snapshot, Taken, Thread, Wait};
use omphalos_program::Owner;

use super::Stack;
use super::locks_taken::values_handed;
use crate::names::Named;
use crate::unwind::Unwinder;

/// The call with which gcc's code enters a critical section without a name. All such sections have
/// one lock, so the call has no argument.
const WITHOUT_NAME: &str = "GOMP_critical_start";

/// Makes a thread the holder of a lock if the code on its stack took that very lock and has not
/// given it back, while another thread, or the thread itself, waits for it.
pub fn find(snapshot: &mut Snapshot, unwinder: &Unwinder<'_>, named: &Named<'_>, stacks: &[Stack]) {
    for at in 0..snapshot.threads.len() {
        let thread = &snapshot.threads[at];
        let Some(by) = thread.calls.first().cloned() else { continue };
        let stack = stacks.iter().find(|stack| stack.lwp == thread.lwp);
        let address = match &thread.waits {
            Some(Wait::Lock { lock }) => Some(*lock),
            // A thread that spins for a lock tells no address. The argument of its call is the
            // lock.
            Some(Wait::Unknown { what }) if what.starts_with("a lock (") => {
                stack.and_then(|stack| wanted(unwinder, named, stack, &by))
            }
            _ => None,
        };
        let Some(address) = address.filter(|address| *address != 0) else { continue };
        let owner = owner(snapshot, address, &by);
        snapshot.threads[at].waits = Some(match owner {
            Some(_) => Wait::Mutex { mutex: address, owner, read_write: false },
            None => Wait::Lock { lock: address },
        });
        let kind = kind(&by).to_owned();
        match snapshot.locks.iter_mut().find(|lock| lock.address == address) {
            Some(known) => known.kind = kind,
            None => snapshot.locks.push(Lock { address, kind, ..Lock::default() }),
        }
        if by.starts_with(WITHOUT_NAME) {
            let known = snapshot.locks.iter_mut().filter(|lock| lock.address == address);
            known.for_each(|lock| lock.name = Some(String::new()));
        }
    }
}

/// Returns the lock that the thread's call of the runtime wants. `by`: the called function.
fn wanted(unwinder: &Unwinder<'_>, named: &Named<'_>, stack: &Stack, by: &str) -> Option<Address> {
    let names = named.names();
    let own = stack.raw.iter().find(|raw| names.owner(raw.lookup) == Owner::User)?;
    match by.contains("critical") {
        true => names.critical_lock(own.address),
        false if by.contains("__kmpc") => None,
        false => names
            .first_argument(own.address)
            .or_else(|| values_handed(names, unwinder, stack, own, own.address).first().copied()),
    }
}

fn kind(by: &str) -> &'static str {
    match by {
        _ if by.contains("critical") => "critical",
        _ if by.contains("nest") => "nest lock",
        _ if by.contains("atomic") => "atomic",
        _ => "lock",
    }
}

/// Returns the thread whose code has taken the lock. `None` if there are several such threads.
fn owner(snapshot: &Snapshot, lock: Address, wanted_by: &str) -> Option<u32> {
    let without_name = wanted_by.starts_with(WITHOUT_NAME);
    let is_it = |taken: &Taken| {
        let of_kind = kind(&taken.by) == kind(wanted_by) && is_runtimes(&taken.by);
        let tells = taken.lock == lock || taken.handed.contains(&lock);
        of_kind && (tells || without_name && taken.by.starts_with(WITHOUT_NAME))
    };
    let takes = |thread: &&Thread| thread.taken.iter().any(is_it);
    let mut holders = snapshot.threads.iter().filter(takes);
    let (holder, more) = (holders.next(), holders.next());
    holder.filter(|_| more.is_none()).map(|thread| thread.lwp)
}

fn is_runtimes(by: &str) -> bool {
    ["omp_set_", "omp_test_", "GOMP_critical", "__kmpc_critical"].iter().any(|it| by.contains(it))
}
