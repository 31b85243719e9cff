//! Finds host memory that ends while it is mapped, and sections that are unmapped while something
//! needs them.

use libc::pid_t;

use super::{Call, FINE, HostRange, Model, Problem, SiteId, Stale, quoted};
use crate::finding::Kind;

impl Model {
    /// Records that the section that just came is on a thread's stack, with these bounds, and is a
    /// variable of this call.
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
            // The section belonged to another call.
            if stale.owner.is_some() && stale.owner != owner {
                stale.states.fill(FINE);
            }
            stale.owner.clone_from(&owner);
        }
    }

    /// Whether the model has facts about the host's memory.
    pub fn keeps_account(&self) -> bool {
        !self.entries.is_empty() || !self.stale.is_empty() || !self.own.is_empty()
    }

    /// Records that a device's thread has allocated this memory for itself.
    pub fn allocated(&mut self, start: u64, end: u64) {
        if start >= end {
            return;
        }
        self.own.insert(start, end);
        // The earlier memory there, to which a pointer still points, is gone.
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

    /// Records that the memory allocated there is freed.
    pub fn given_back(&mut self, start: u64) {
        self.own.remove(&start);
    }

    /// Whether an address is in memory that a device's thread has allocated, or on its stack.
    pub fn is_own(&self, address: u64) -> bool {
        self.own.range(..=address).next_back().is_some_and(|(_, end)| address < *end)
    }

    /// Records that the targets of pointers are unknown: they may be memory of devices' threads.
    pub fn heap_is_unknown(&mut self) {
        self.heap_is_unknown = true;
        self.host.retain(|range| !range.pointer);
    }

    /// Handles the end of the host's memory from `start` to `end`, which is about to be freed.
    /// Returns an error for each part that is still mapped.
    pub fn host_frees(&mut self, start: u64, end: u64) -> Vec<Problem> {
        // The memory's next owner must find no marks of the one before.
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

    /// Handles a construct that a thread encounters with its stack pointer at `border`. Returns
    /// errors for the sections that the thread mapped in functions that have returned: all that
    /// begin below `border`. (They may end above it, where the caller's arguments are now.)
    pub fn stack_shrank(&mut self, thread: pid_t, border: u64, site: SiteId) -> Vec<Problem> {
        let mut problems = Vec::new();
        for ((device, start), entry) in &mut self.entries {
            let Some((_, (bottom, top))) = entry.stack.filter(|(of, _)| *of == thread) else {
                continue;
            };
            let is_here = bottom <= border && border < top;
            // The program cannot unmap sections that the compiler mapped for itself.
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
