//! Locks that stand on a stack: the variable of the function whose frame holds them.

use omphalos_ompd_view::snapshot::Snapshot;
use omphalos_report::FrameAt;

use super::Stack;
use crate::names::Named;
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
