//! The tasks of a taskloop: copies of its pattern, each with the bounds of its share.

use super::super::layout::{AllocFlags, KmpTask};
use super::super::spec;
use super::Construct;
use core::ffi::c_void;
use omphalos_engine::tasks::{self, Deal, Spec, Task, Traits};
use omphalos_engine::{Call, Thread};

/// A taskloop whose tasks are being made.
pub(super) struct Loop {
    pub(super) pattern: &'static Task,
    pub(super) construct: Construct,
    pub(super) first: u64,
    pub(super) trip: u64,
    pub(super) deal: Deal,
}

impl Loop {
    /// A record for a share's task: the pattern with other bounds, and with what the construct
    /// says.
    pub(super) unsafe fn copied(
        &self,
        thread: &Thread,
        (first, count): (u64, u64),
        room: usize,
    ) -> (&'static Task, Spec) {
        let pattern = self.pattern;
        let size = pattern.payload_size();
        let task = tasks::allocate_with(thread, size + room, pattern.flags.get());
        // SAFETY: the payload has that size.
        let begin = unsafe { self.fill(task.payload(), (first, count)) };
        let mut spec = spec(task);
        spec.traits |= tasks::note_chunk(task, room, begin, count);
        (task, spec)
    }

    /// Makes the payload of a share's task. Returns the first value of the loop's variable.
    ///
    /// # Safety
    /// There is room for what the pattern has.
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
        let construct = &self.construct;
        // SAFETY: the pattern is a task structure.
        unsafe {
            let (task, spec) = self.copied(thread, share, tasks::chunk_room(caller));
            let to = task.payload();
            if spec.traits & Traits::TRANSPARENT != 0 {
                let (deferred, caller) = (construct.deferred, caller.caller());
                tasks::spawn_after(thread, task, spec, to, &[], deferred, caller);
            } else if construct.deferred
                && AllocFlags(self.pattern.flags.get()).has(AllocFlags::FREE_AGENT)
            {
                tasks::spawn_in_pool(thread, task, spec, to, caller.caller());
            } else if construct.deferred {
                tasks::spawn(thread, task, spec, to, caller);
            } else {
                tasks::call_rarely(thread, task, spec, to, true, caller.caller());
            }
        }
    }
}
