//! Finds where the functions on a stack took locks that they have not given back, as far as their
//! code shows. The full look (`mod.rs`) calls it for each thread.

use omphalos_ompd_view::snapshot::Taken;
use omphalos_program::{Call, Names, Owner, Standing};

use super::Stack;
use super::awaits::registers;
use super::locks::{DEEPEST, Effect, KINDS, Locks};
use crate::names::Named;
use crate::space::word;
use crate::unwind::{Raw, Unwinder};

/// The places that are named for one thread.
const MOST_TAKEN: usize = 3;

impl Locks<'_> {
    /// Returns the places where the functions on the stack took locks. Such a place is a call that
    /// takes a lock and from which a way through the code leads to the frame's current call. No
    /// call in between gives a lock of the same kind back.
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

    /// Returns the calls that take a lock of this kind and from which a way leads to the frame's
    /// current call without giving such a lock back. The calls may be anywhere in the function's
    /// code, since compilers put branches anywhere.
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

    /// Returns the lock of this kind that the call that returns to `after` takes, if the code shows
    /// the lock.
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

    /// Returns the calls among `calls` that took a lock of this kind, if no call between them and
    /// the frame's current call gives the lock back.
    pub(super) fn open(&self, calls: &[Call], raw: &Raw, kind: usize) -> Vec<(u64, String)> {
        let mut open = Vec::new();
        for call in calls.iter().filter(|call| call.after != raw.address) {
            match self.of_call(call, kind, 0) {
                // A call further up in the code may be on another branch.
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

/// Returns the arguments of the call that returns to `after`, as far as variables of the frame that
/// have not changed since show them. One of them is the lock, if the call takes a lock.
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
            let register = registers(stack, all);
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
