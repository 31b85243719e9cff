//! The tasks of a taskloop: copies of its pattern, each with the bounds of its share. The thread
//! that met the construct makes them, or those that help it do, each its own.

use super::super::layout::{AllocFlags, KmpTask};
use super::super::spec;
use super::Construct;
use core::ffi::c_void;
use omphalos_engine::tasks::{self, Deal, Part, Spec, Task, Traits};
use omphalos_engine::{Call, Thread, Unwatched};

/// A taskloop whose tasks are being made.
pub(super) struct Loop<'a> {
    pub(super) pattern: &'static Task,
    pub(super) construct: &'a Construct,
    pub(super) first: u64,
    pub(super) trip: u64,
    pub(super) deal: Deal,
}

impl Loop<'_> {
    /// A record for a share's task: the pattern with other bounds, and with what the construct
    /// says.
    unsafe fn copied(
        &self,
        thread: &Thread,
        (first, count): (u64, u64),
        room: usize,
    ) -> (&'static Task, Spec) {
        let (pattern, construct) = (self.pattern, self.construct);
        let size = pattern.payload_size();
        let task = tasks::allocate_with(thread, size + room, pattern.flags.get());
        let (to, from) = (task.payload(), pattern.payload());
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
        let mut spec = spec(task);
        spec.traits |= tasks::note_chunk(task, room, begin, count);
        (task, spec)
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
        let construct = self.construct;
        // SAFETY: the pattern is a task structure.
        unsafe {
            let (task, spec) = self.copied(thread, share, tasks::chunk_room(caller));
            let to = task.payload();
            if spec.traits & Traits::TRANSPARENT != 0 {
                tasks::spawn_after(thread, task, spec, to, &[], construct.deferred, caller);
            } else if construct.deferred
                && AllocFlags(self.pattern.flags.get()).has(AllocFlags::FREE_AGENT)
            {
                tasks::spawn_in_pool(thread, task, spec, to, caller.caller());
            } else if construct.deferred {
                tasks::spawn(thread, task, spec, to, caller);
            } else {
                tasks::call(thread, task, spec, to, true, caller);
            }
        }
    }

    /// Deals the tasks out.
    ///
    /// # Safety
    /// The loop is plain and valid until the construct's taskgroup has ended; `tasks::may_split`
    /// holds.
    pub(super) unsafe fn split(&self, thread: &'static Thread) {
        let own = |part: &Part| {
            while let Some(share) = part.next() {
                // SAFETY: the pattern is a task structure.
                unsafe {
                    let (task, spec) = self.copied(thread, self.deal.share(share), 0);
                    tasks::call(thread, task, spec, task.payload(), false, Unwatched(thread));
                }
            }
        };
        let construct = (&raw const *self).cast();
        // SAFETY: the caller's promise.
        unsafe { tasks::deal_shares(thread, self.deal.tasks, construct, help, own) };
    }
}

/// Whether the tasks are tied, without a priority, for this team alone, and no tool is attached.
pub(super) fn is_plain(pattern: &Task, construct: &Construct, caller: impl Call) -> bool {
    let flags = AllocFlags(pattern.flags.get());
    let more = AllocFlags::FREE_AGENT
        | AllocFlags::HIDDEN_HELPER
        | AllocFlags::TRANSPARENT
        | AllocFlags::PROXY
        | AllocFlags::DETACHABLE
        | AllocFlags::PRIORITY
        | AllocFlags::FINAL;
    construct.deferred
        && flags.has(AllocFlags::TIED)
        && !flags.has(more)
        && tasks::is_unseen(caller)
}

/// A thread that came to help executes its part of a loop.
unsafe fn help(construct: *const c_void, thread: &'static Thread, part: &Part) {
    // SAFETY: `split` passed it.
    let this = unsafe { &*construct.cast::<Loop>() };
    while let Some(share) = part.next() {
        // SAFETY: the pattern is a task structure.
        unsafe {
            let (task, spec) = this.copied(thread, this.deal.share(share), 0);
            part.define(task, &spec, task.payload());
            part.execute(thread, task);
        }
    }
}
