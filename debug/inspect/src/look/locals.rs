//! Locks that stand on a stack, or in a thread's own storage: the variable of the function whose
//! frame holds them, or of the thread.

use omphalos_ompd_view::snapshot::Snapshot;
use omphalos_program::FrameAt;
use omphalos_why::words;

use super::Stack;
use crate::names::Named;
use crate::space::{Space, word};
use crate::unwind::Unwinder;

/// Locks that are looked for, each through one stack.
const MOST_LOCKS: usize = 64;

/// Names the locks that have no name yet, where a thread's stack holds them.
pub fn name(snapshot: &mut Snapshot, unwinder: &Unwinder<'_>, named: &Named<'_>, stacks: &[Stack]) {
    let nameless = snapshot.locks.iter_mut().filter(|lock| lock.name.is_none());
    for lock in nameless.take(MOST_LOCKS) {
        let address = lock.address;
        let above = |stack: &&Stack| {
            let outermost = stack.raw.iter().map(|raw| raw.cfa).max();
            stack.registers.rsp <= address && outermost.is_some_and(|end| address < end)
        };
        let nearest = stacks.iter().filter(above).max_by_key(|stack| stack.registers.rsp);
        let Some(stack) = nearest else { continue };
        unwinder.walk_with(&stack.registers, |raw, all| {
            if raw.cfa <= address {
                return true;
            }
            let register = |number: usize| all.get(number).copied().flatten();
            let frame = FrameAt { pc: raw.lookup, cfa: raw.cfa, register: &register };
            let Some(local) = named.names().local(&frame, address) else { return false };
            lock.name = Some(local.name);
            // The frame's own function is another one than that of what is inlined.
            let function = named.names().functions(raw.lookup).pop();
            let function = function.filter(|function| function.named && !local.inlined);
            lock.function = function.map(|function| function.name);
            false
        });
    }
}

/// Names the locks that have no name yet, where they stand in a thread's storage for the program's
/// own variables.
pub fn name_of_threads(snapshot: &mut Snapshot, space: &dyn Space, named: &Named<'_>) {
    let Some(program) = named.modules().first() else { return };
    let Snapshot { threads, locks, .. } = snapshot;
    if locks.iter().all(|lock| lock.name.is_some()) {
        return;
    }
    // glibc keeps the addresses of a thread's storage in a table behind its first word: two words
    // for each file, after two of its own. The program's file is the first.
    let storage = |own: u64| {
        let table = word(space.as_target(), own.checked_add(8)?).ok()?;
        word(space.as_target(), table.checked_add(16)?).ok()
    };
    let starts = threads.iter().filter(|thread| thread.pthread != 0);
    let starts = starts.filter_map(|thread| Some((storage(thread.pthread)?, thread)));
    let starts: Vec<_> = starts.collect();
    for lock in locks.iter_mut().filter(|lock| lock.name.is_none()).take(MOST_LOCKS) {
        // It grows downwards from where the thread's own words begin.
        let around = |start: u64, own: u64| (start..own).contains(&lock.address);
        let holder = starts.iter().find(|(start, thread)| around(*start, thread.pthread));
        let Some((start, thread)) = holder else { continue };
        let name = named.names().of_each_thread(program.base, lock.address - start);
        lock.function = name.as_ref().map(|_| words::thread(thread));
        lock.name = name;
    }
}
