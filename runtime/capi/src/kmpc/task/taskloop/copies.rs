//! The tasks of a taskloop: copies of its pattern, each with the bounds of its share.

use super::super::layout::{AllocFlags, KmpTask};
use super::super::spec_of;
use super::Construct;
use core::ffi::c_void;
use omphalos_engine::tasks::{self, Counted, Deal, Spec, Task};
use omphalos_engine::{Call, Caller, Thread};

/// A taskloop whose tasks are being made.
pub(super) struct Loop {
    pub(super) pattern: &'static Task,
    pub(super) construct: Construct,
    pub(super) first: u64,
    pub(super) trip: u64,
    pub(super) deal: Deal,
    pub(super) counted: Option<Counted>,
}

impl Loop {
    /// Makes the record of a share's task: a copy of the pattern with the share's bounds, and
    /// `room` bytes behind it for the note of its iterations.
    #[inline(always)]
    pub(super) unsafe fn copied(
        &self,
        thread: &Thread,
        (first, count): (u64, u64),
        flags: u32,
        room: usize,
    ) -> (&'static Task, Spec) {
        let size = self.pattern.payload_size();
        let task = tasks::allocate_with(thread, size + room, flags);
        // SAFETY: the payload has that size.
        let begin = unsafe { self.fill(task.payload(), (first, count)) };
        let mut spec = spec_of(task, AllocFlags(flags));
        spec.traits |= tasks::note_chunk(task, room, begin, count);
        (task, spec)
    }

    /// Makes the payload of a share's task. Returns the first value of the loop's variable.
    ///
    /// # Safety
    /// There is room for as much as the pattern has.
    #[inline(always)]
    pub(super) unsafe fn fill(&self, to: *mut c_void, (first, count): (u64, u64)) -> u64 {
        let (pattern, construct) = (self.pattern, &self.construct);
        let (from, size) = (pattern.payload(), pattern.payload_size());
        let begin = self.first.wrapping_add(first.wrapping_mul(construct.step as u64));
        let end = begin.wrapping_add((count - 1).wrapping_mul(construct.step as u64));
        let last = first + count == self.trip;
        // SAFETY: both payloads have `size` bytes and are task structures; the bounds stand inside.
        unsafe {
            to.cast::<u8>().copy_from_nonoverlapping(from.cast(), size);
            let shareds = (*from.cast::<KmpTask>()).shareds;
            if !shareds.is_null() {
                let offset = shareds as usize - from as usize;
                (*to.cast::<KmpTask>()).shareds = to.byte_add(offset);
            }
            to.byte_add(construct.lower).cast::<u64>().write(begin);
            to.byte_add(construct.upper).cast::<u64>().write(end);
            if let Some(duplicate) = construct.duplicate {
                duplicate(to, from, i32::from(last));
            }
        }
        begin
    }

    /// Makes all tasks, except those that are to be dealt out because a tool has counted them.
    /// Returns whether there are such tasks. `splits`: the tasks may be dealt out.
    ///
    /// # Safety
    /// The pattern is a task structure.
    pub(super) unsafe fn make_all(
        &mut self,
        thread: &'static Thread,
        splits: bool,
        caller: impl Call,
    ) -> bool {
        let mut shares = self.deal.shares();
        loop {
            if splits
                && caller.is_watched()
                && let Some(counted) = Counted::count(thread, shares.rest(), caller.caller())
            {
                (self.deal, self.counted) = (shares.rest(), Some(counted));
                return true;
            }
            let Some(share) = shares.next() else { return false };
            // SAFETY: the caller's promise.
            unsafe { self.spawn(thread, share, caller) };
        }
    }

    /// Makes the task of a share.
    ///
    /// # Safety
    /// The pattern is a task structure.
    pub(super) unsafe fn spawn(
        &self,
        thread: &'static Thread,
        share: (u64, u64),
        caller: impl Call,
    ) {
        let (deferred, flags) = (self.construct.deferred, self.pattern.flags.get());
        let room = tasks::chunk_room(caller);
        let rare = AllocFlags::TRANSPARENT | AllocFlags::FREE_AGENT;
        // SAFETY: the pattern is a task structure.
        unsafe {
            if deferred && !AllocFlags(flags).has(rare) {
                let (task, spec) = self.copied(thread, share, flags, room);
                tasks::spawn(thread, task, spec, task.payload(), caller);
            } else {
                self.spawn_rarely(thread, share, room, caller.caller());
            }
        }
    }

    /// As [`spawn`](Self::spawn), for undeferred tasks and those with rare flags.
    #[cold]
    #[inline(never)]
    unsafe fn spawn_rarely(
        &self,
        thread: &'static Thread,
        share: (u64, u64),
        room: usize,
        caller: Caller,
    ) {
        let (deferred, flags) = (self.construct.deferred, self.pattern.flags.get());
        // SAFETY: the pattern is a task structure.
        unsafe {
            let (task, spec) = self.copied(thread, share, flags, room);
            let to = task.payload();
            if AllocFlags(flags).has(AllocFlags::TRANSPARENT) {
                tasks::spawn_after(thread, task, spec, to, &[], deferred, caller);
            } else if deferred {
                tasks::spawn_in_pool(thread, task, spec, to, caller);
            } else {
                tasks::call_rarely(thread, task, spec, to, true, caller);
            }
        }
    }
}
