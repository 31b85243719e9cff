//! `__kmpc_taskloop`: the program passes one task as a pattern, with the bounds in its private
//! part.

use super::layout::{AllocFlags, KmpTask};
use super::{graph, spec};
use crate::shared::location::Ident;
use core::ffi::c_void;
use omphalos_engine::tasks::{self, Deal, Grain, Part, Spec, Task, Traits};
use omphalos_engine::{Call, Thread, Unwatched, Watched};
use omphalos_events::{Endpoint, Kind};

/// Finishes a copy of the pattern: `duplicate(copy, pattern, has_last_iteration)`.
type Duplicate = Option<unsafe extern "C" fn(*mut c_void, *mut c_void, i32)>;

/// What a construct says of its taskloop, in addition to the pattern.
#[derive(Clone, Copy)]
pub struct Construct {
    /// The `if` clause.
    deferred: bool,
    /// Where the bounds are in the task structure. The upper bound is included in the loop.
    lower: usize,
    upper: usize,
    step: i64,
    grouped: bool,
    /// Which clause `number` belongs to.
    schedule: i32,
    number: u64,
    strict: bool,
    duplicate: Duplicate,
}

struct Loop<'a> {
    pattern: &'static Task,
    construct: &'a Construct,
    first: u64,
    trip: u64,
    deal: Deal,
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

    unsafe fn spawn(&self, thread: &'static Thread, share: (u64, u64), caller: impl Call) {
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
    unsafe fn split(&self, thread: &'static Thread) {
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
fn is_plain(pattern: &Task, construct: &Construct, caller: impl Call) -> bool {
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

/// Iterations from `lower` to `upper`, both included. For an empty loop the compilers call only
/// with an upper bound one step before the lower one.
fn trip(lower: u64, upper: u64, step: i64) -> u64 {
    match step {
        1 => upper.wrapping_sub(lower).wrapping_add(1),
        0 => 0,
        step if step < 0 => (lower.wrapping_sub(upper) / step.unsigned_abs()).wrapping_add(1),
        step => (upper.wrapping_sub(lower) / step as u64).wrapping_add(1),
    }
}

/// Numbers of the `sched` argument.
const GRAINSIZE: i32 = 1;
const NUM_TASKS: i32 = 2;

/// Makes the tasks of a taskloop from its pattern, and uses the pattern up.
///
/// # Safety
/// The pattern is a task structure with the bounds inside it.
pub unsafe fn taskloop(
    thread: &'static Thread,
    pattern: &'static Task,
    construct: &Construct,
    caller: impl Call,
) {
    let bound = |at: usize| pattern.payload().wrapping_byte_add(at).cast::<u64>();
    // SAFETY: the caller's promise.
    let (first, last) = unsafe { (*bound(construct.lower), *bound(construct.upper)) };
    let trip = trip(first, last, construct.step);
    // Tools see the taskgroup around the taskloop.
    if construct.grouped {
        tasks::begin_group(thread, caller);
    }
    if caller.wants(Kind::Work) {
        tasks::taskloop_event(thread, Endpoint::Begin, trip, caller.caller());
    }
    let number = construct.number;
    let splits =
        construct.grouped && is_plain(pattern, construct, caller) && tasks::may_split(thread);
    let grain = match construct.schedule {
        GRAINSIZE if construct.strict => Grain::StrictSize(number),
        GRAINSIZE => Grain::Size(number),
        NUM_TASKS => Grain::Tasks(number),
        _ => Grain::by_default(thread, splits),
    };
    let deal = Deal::new(trip, grain);
    let this = Loop { pattern, construct, first, trip, deal };
    let splits = splits && tasks::splits_into(deal.tasks);
    if splits {
        // SAFETY: the pattern lasts until the taskgroup has ended.
        unsafe { this.split(thread) };
    } else if !tasks::group_is_cancelled(thread) {
        for share in deal.shares() {
            // SAFETY: as above.
            unsafe { this.spawn(thread, share, caller) };
        }
    }
    if !splits {
        discard_pattern(thread, pattern);
    }
    if caller.wants(Kind::Work) {
        tasks::taskloop_event(thread, Endpoint::End, trip, caller.caller());
    }
    if construct.grouped {
        tasks::end_group(thread, caller);
    }
    if splits {
        discard_pattern(thread, pattern);
    }
}

/// A taskloop as the program describes it, with its bounds.
#[allow(clippy::too_many_arguments)]
unsafe fn called(
    task: *mut c_void,
    if_clause: i32,
    lower: *mut u64,
    upper: *mut u64,
    step: i64,
    nogroup: i32,
    schedule: i32,
    number: u64,
    strict: bool,
    duplicate: Duplicate,
    caller: impl Call,
) {
    let thread = caller.thread();
    let construct = Construct {
        deferred: if_clause != 0,
        lower: lower as usize - task as usize,
        upper: upper as usize - task as usize,
        step,
        grouped: nogroup == 0,
        schedule,
        number,
        strict,
        duplicate,
    };
    // SAFETY: LLVM's code passes what `alloc` gave, and the bounds inside it.
    unsafe {
        let pattern = Task::of_payload(task);
        graph::looped(thread, pattern, &construct);
        taskloop(thread, pattern, &construct, caller);
    }
}

/// Drops the pattern, which is never executed. Its private part may need its destructors.
fn discard_pattern(thread: &'static Thread, pattern: &'static Task) {
    let structure = pattern.payload().cast::<KmpTask>();
    if AllocFlags(pattern.flags.get()).has(AllocFlags::DESTRUCTORS) {
        // SAFETY: the flags say that the first extra word is a routine.
        unsafe {
            let destructors: super::Routine = core::mem::transmute((*structure).data1);
            if let Some(destructors) = destructors {
                destructors(thread.gtid, structure);
            }
        }
    }
    tasks::cancel_allocation(thread, pattern);
}

#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn taskloop_4<C: Call>(
    _location: *const Ident,
    _gtid: i32,
    task: *mut c_void,
    if_clause: i32,
    lower: *mut u64,
    upper: *mut u64,
    step: i64,
    nogroup: i32,
    schedule: i32,
    number: u64,
    duplicate: Duplicate,
) {
    let caller = C::here();
    // SAFETY: LLVM's code passes a whole loop.
    unsafe {
        called(
            task, if_clause, lower, upper, step, nogroup, schedule, number, false, duplicate,
            caller,
        )
    };
}

#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn taskloop_5<C: Call>(
    _location: *const Ident,
    _gtid: i32,
    task: *mut c_void,
    if_clause: i32,
    lower: *mut u64,
    upper: *mut u64,
    step: i64,
    nogroup: i32,
    schedule: i32,
    number: u64,
    modifier: i32,
    duplicate: Duplicate,
) {
    let caller = C::here();
    // SAFETY: LLVM's code passes a whole loop.
    unsafe {
        called(
            task,
            if_clause,
            lower,
            upper,
            step,
            nogroup,
            schedule,
            number,
            modifier != 0,
            duplicate,
            caller,
        )
    };
}

omphalos_sys::quick_noted_entries! {
    /// A taskloop.
    __kmpc_taskloop => taskloop_4::<Unwatched>, taskloop_4::<Watched>;
    /// A taskloop whose grainsize or number of tasks may be strict.
    __kmpc_taskloop_5 => taskloop_5::<Unwatched>, taskloop_5::<Watched>;
}

#[cfg(test)]
mod tests {
    use super::trip;

    #[test]
    fn bounds_include_the_last_one() {
        assert_eq!(trip(0, 9, 1), 10);
        assert_eq!(trip(0, 9, 3), 4);
        assert_eq!(trip(9, 0, -1), 10);
        assert_eq!(trip(9, 0, -4), 3);
        assert_eq!(trip(5, 4, 1), 0);
        assert_eq!(trip((-5i64) as u64, 4, 1), 10);
    }
}
