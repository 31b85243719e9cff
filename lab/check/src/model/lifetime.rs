//! Host memory that ends while it is mapped, and sections that go while somebody needs them.

use libc::pid_t;

use super::{Call, FINE, HostRange, Model, Problem, SiteId, Stale, quoted};
use crate::finding::Kind;

impl Model {
    /// The section that just came lies on a thread's stack, which has these bounds, and is a
    /// variable of this call's.
    pub fn stands_on_stack(
        &mut self,
        device: i32,
        start: u64,
        thread: pid_t,
        stack: (u64, u64),
        owner: Option<Call>,
    ) {
        if let Some(entry) = self.entries.get_mut(&(device, start)) {
            entry.stack = Some((thread, stack));
        }
        let of_section = |stale: &&mut Stale| (stale.device, stale.start) == (device, start);
        for stale in self.stale.iter_mut().filter(of_section) {
            // It was another call's.
            if stale.owner.is_some() && stale.owner != owner {
                stale.states.fill(FINE);
            }
            stale.owner.clone_from(&owner);
        }
    }

    /// Whether anything is known of the host's memory.
    pub fn keeps_account(&self) -> bool {
        !self.entries.is_empty() || !self.stale.is_empty() || !self.own.is_empty()
    }

    /// A thread of a device's has got this memory of its own.
    pub fn allocated(&mut self, start: u64, end: u64) {
        if start >= end {
            return;
        }
        self.own.insert(start, end);
        // What was there, and has a pointer to it still, is no more.
        let gone = |range: &HostRange| start < range.end && range.start < end;
        let all = std::mem::take(&mut self.host);
        for range in all {
            if !gone(&range) {
                self.host.push(range);
                continue;
            }
            for (from, to) in [(range.start, start), (end, range.end)] {
                if from < to {
                    self.host.push(HostRange { start: from, end: to, ..range.clone() });
                }
            }
        }
    }

    /// What was allocated there is in use no more.
    pub fn given_back(&mut self, start: u64) {
        self.own.remove(&start);
    }

    /// Whether an address is in what a device's thread has allocated, or on its stack.
    pub fn is_own(&self, address: u64) -> bool {
        self.own.range(..=address).next_back().is_some_and(|(_, end)| address < *end)
    }

    /// Where pointers lead is known no more: it may be memory of devices' threads.
    pub fn heap_is_unknown(&mut self) {
        self.heap_is_unknown = true;
        self.host.retain(|range| !range.pointer);
    }

    /// The host's memory from `start` to `end` is about to be freed. What is mapped of it still.
    pub fn host_frees(&mut self, start: u64, end: u64) -> Vec<Problem> {
        // The next owner of the memory must find no marks of the one before.
        self.stale_mut(start, end).for_each(|stale| stale.part(start, end).fill(FINE));
        let mut problems = Vec::new();
        for ((device, from), entry) in &mut self.entries {
            let is_given = self.blocks.get(&entry.block).is_none_or(|block| block.given);
            let is_apart = entry.end <= start || end <= *from;
            if is_apart || is_given || entry.device == *from || entry.is_orphan {
                continue;
            }
            entry.is_orphan = true;
            let variable = entry.named.as_ref().map(|named| named.name.clone());
            let name = quoted(variable.as_deref(), "memory");
            let what = format!(
                "freed while mapped: the host frees {name}, which is on device {device} still; \
                 what comes to lie there next is taken for it"
            );
            problems.push(orphan(*device, variable, what, None, entry.came));
        }
        problems
    }

    /// A thread meets a construct with its stack pointer at `border`. What it had mapped of
    /// functions that are over: all that begins below. (It may end above, where the caller's
    /// arguments lie in place of it now.)
    pub fn stack_shrank(&mut self, thread: pid_t, border: u64, site: SiteId) -> Vec<Problem> {
        let mut problems = Vec::new();
        for ((device, start), entry) in &mut self.entries {
            let Some((_, (bottom, top))) = entry.stack.filter(|(of, _)| *of == thread) else {
                continue;
            };
            let is_here = bottom <= border && border < top;
            // The program cannot unmap what the compiler made for itself.
            if !is_here || border <= *start || entry.is_orphan || entry.is_helper {
                continue;
            }
            entry.is_orphan = true;
            let variable = entry.named.as_ref().map(|named| named.name.clone());
            let name = quoted(variable.as_deref(), "a variable");
            let what = format!(
                "freed while mapped: {name} is on device {device} still, and the function whose \
                 variable it is has returned"
            );
            problems.push(orphan(*device, variable, what, Some(site), entry.came));
        }
        problems
    }
}

fn orphan(
    device: i32,
    variable: Option<String>,
    what: String,
    construct: Option<SiteId>,
    came: SiteId,
) -> Problem {
    let others = vec![("mapped:".to_owned(), came)];
    let advice = Some("`target exit data` unmaps it before".to_owned());
    let (kind, device) = (Kind::FreedWhileMapped, Some(device));
    Problem { kind, variable, device, what, construct, others, advice }
}
