//! Finds where the functions on a stack took locks, as far as their code shows.

use omphalos_ompd_view::snapshot::Taken;
use omphalos_program::{Call, Names, Owner, Standing};

use super::Stack;
use super::locks::{DEEPEST, Effect, KINDS, Locks};
use crate::names::Named;
use crate::space::word;
use crate::unwind::{Raw, Unwinder};

/// The number of FS's base in DWARF.
const FS_BASE: usize = 58;
/// Places where a thread took locks that are named.
const MOST_TAKEN: usize = 3;

impl Locks<'_> {
    /// Finds where the functions on the stack took locks, as far as their code shows: calls in
    /// front of the current call, from which a way leads to it, and which no call follows that
    /// gives a lock of that kind back. Each comes with the function called.
    pub fn locks_taken(
        &self,
        unwinder: &Unwinder<'_>,
        named: &Named<'_>,
        stack: &Stack,
    ) -> Vec<Taken> {
        let mut found: Vec<Taken> = Vec::new();
        for raw in &stack.raw {
            if found.len() >= MOST_TAKEN {
                break;
            }
            if self.names.owner(raw.lookup) != Owner::User || named.module(raw.lookup).is_none() {
                continue;
            }
            let calls = self.names.calls_before(raw.address);
            for kind in 0..KINDS.len() {
                let mut open = self.open(&calls, raw, kind);
                if open.is_empty() {
                    open = self.leading(raw, kind);
                }
                for (after, by) in open.into_iter().rev().take(MOST_TAKEN) {
                    let Some(place) = self.place(after) else { continue };
                    let lock = self.given(after, kind, 0).unwrap_or(0);
                    let handed = match lock {
                        0 => values_handed(self.names, unwinder, stack, raw, after),
                        _ => Vec::new(),
                    };
                    let taken = Taken { by, place, lock, handed };
                    if !found.contains(&taken) {
                        found.push(taken);
                    }
                }
            }
        }
        found
    }

    /// The calls, anywhere in the code, from which a way leads to the frame's own call, since
    /// compilers put branches anywhere. Only ways that give no lock of that kind back count.
    fn leading(&self, raw: &Raw, kind: usize) -> Vec<(u64, String)> {
        let Some(start) = self.names.functions(raw.lookup).last().and_then(|own| own.start) else {
            return Vec::new();
        };
        let (mut takes, mut gives) = (Vec::new(), Vec::new());
        for call in self.names.calls_of(start) {
            match self.of_call(&call, kind, 0) {
                Some(Effect::Takes(by)) if call.after != raw.address => {
                    takes.push((call.after, by))
                }
                Some(Effect::Gives) => gives.push(call.after),
                _ => {}
            }
        }
        takes
            .retain(|(after, _)| self.names.leads_to(*after, raw.address, &gives).unwrap_or(false));
        takes
    }

    /// Whether a way through the code may lead from one call to another.
    fn may_lead(&self, from: u64, to: u64) -> bool {
        let find = || self.names.leads_to(from, to, &[]) != Some(false);
        *self.ways.borrow_mut().entry((from, to)).or_insert_with(find)
    }

    /// The lock of that kind that a call takes, if the code tells.
    fn given(&self, after: u64, kind: usize, depth: u32) -> Option<u64> {
        let callee = self.names.callee(after).unwrap_or_default();
        if KINDS[kind].0.iter().any(|name| callee.contains(name)) {
            return match callee.contains("critical") {
                true => self.names.critical_lock(after),
                false => self.names.first_argument(after),
            };
        }
        // A function of the program's may take a lock, always the same one.
        let calls = self.names.calls_before(after);
        let call = calls.last().filter(|call| call.after == after && depth < DEEPEST)?;
        let within = self.names.calls_of(call.start?);
        let takes = |call: &&Call| matches!(self.of_call(call, kind, 0), Some(Effect::Takes(_)));
        let mut locks = within.iter().filter(takes);
        let lock = self.given(locks.next()?.after, kind, depth + 1)?;
        locks.all(|call| self.given(call.after, kind, depth + 1) == Some(lock)).then_some(lock)
    }

    /// The calls among `calls` that took a lock of that kind, if no call between them and the
    /// frame's own one gives it back.
    pub(super) fn open(&self, calls: &[Call], raw: &Raw, kind: usize) -> Vec<(u64, String)> {
        let mut open = Vec::new();
        for call in calls.iter().filter(|call| call.after != raw.address) {
            match self.of_call(call, kind, 0) {
                // A call in front of it may be on another branch.
                Some(Effect::Takes(by)) if self.may_lead(call.after, raw.address) => {
                    open.push((call.after, by));
                }
                Some(Effect::Takes(_)) => {}
                Some(Effect::Gives) => _ = open.pop(),
                None => {}
            }
        }
        open
    }
}

/// The values that a call was given, from variables of the frame that have not changed since: the
/// lock, or the argument of a function of the program's that takes one.
pub(super) fn values_handed(
    names: &Names,
    unwinder: &Unwinder<'_>,
    stack: &Stack,
    frame: &Raw,
    after: u64,
) -> Vec<u64> {
    let mut found = Vec::new();
    unwinder.walk_with(&stack.registers, |raw, all| {
        let is_it = (raw.address, raw.cfa) == (frame.address, frame.cfa);
        if is_it {
            let register = |number: usize| match number {
                FS_BASE => Some(stack.registers.fs_base),
                _ => all.get(number).copied().flatten(),
            };
            let read = |address: u64, _| word(unwinder.target(), address).ok();
            let standing = Standing { register: &register, read: &read };
            found.extend(
                names.arguments_handed(after, frame.address, &standing).into_iter().flatten(),
            );
        }
        !is_it
    });
    found
}
