//! `__kmpc_taskloop`: the program hands over one task as a pattern; its bounds stand in its private
//! part.

use super::super::ident::Ident;
use super::layout::{AllocFlags, KmpTask};
use super::spec;
use core::ffi::c_void;
use omphalos_engine::tasks::{self, Deal, Grain, Task};
use omphalos_engine::{Caller, Thread, caller};
use omphalos_events::{Endpoint, Kind, wants};

/// Finishes a copy of the pattern: `duplicate(copy, pattern, has_last_iteration)`.
type Duplicate = Option<unsafe extern "C" fn(*mut c_void, *mut c_void, i32)>;

struct Loop {
    pattern: &'static Task,
    /// Where in the task structure the bounds (the last one included) stand.
    lower: usize,
    upper: usize,
    first: u64,
    trip: u64,
    step: i64,
    deferred: bool,
    duplicate: Duplicate,
}

impl Loop {
    unsafe fn spawn(
        &self,
        thread: &'static Thread,
        (first, count): (u64, u64),
        last: bool,
        caller: Caller,
    ) {
        let pattern = self.pattern;
        let size = pattern.payload_size();
        let room = tasks::chunk_room();
        let task = tasks::allocate(thread, size + room);
        task.flags.set(pattern.flags.get());
        let (to, from) = (task.payload(), pattern.payload());
        let begin = self.first.wrapping_add(first.wrapping_mul(self.step as u64));
        let end = begin.wrapping_add((count - 1).wrapping_mul(self.step as u64));
        // SAFETY: both payloads have `size` bytes and are task structures; the bounds stand inside.
        unsafe {
            to.cast::<u8>().copy_from_nonoverlapping(from.cast(), size);
            let shareds = (*from.cast::<KmpTask>()).shareds;
            if !shareds.is_null() {
                let offset = shareds as usize - from as usize;
                (*to.cast::<KmpTask>()).shareds = to.byte_add(offset);
            }
            to.byte_add(self.lower).cast::<u64>().write(begin);
            to.byte_add(self.upper).cast::<u64>().write(end);
            if let Some(duplicate) = self.duplicate {
                duplicate(to, from, i32::from(last));
            }
            let mut spec = spec(task);
            spec.traits |= tasks::note_chunk(task, room, begin, count);
            if self.deferred && tasks::may_defer_share(thread) {
                tasks::defer(thread, task, spec, to, caller);
            } else {
                let undeferred = !self.deferred || tasks::includes(thread);
                tasks::call(thread, task, spec, to, undeferred, caller);
            }
        }
    }
}

/// Iterations from `lower` to `upper`, both included. The compilers do not call for empty loops
/// other than with an upper bound one step before the lower one.
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
/// Tasks for each thread if the construct does not say.
const TASKS_PER_THREAD: u64 = 10;

#[allow(clippy::too_many_arguments)]
unsafe fn taskloop(
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
    caller: Caller,
) {
    let thread = Thread::current();
    // SAFETY: LLVM's code passes what `alloc` gave, and the bounds inside it.
    let (pattern, trip, first) =
        unsafe { (Task::of_payload(task), trip(*lower, *upper, step), *lower) };
    let this = Loop {
        pattern,
        lower: lower as usize - task as usize,
        upper: upper as usize - task as usize,
        first,
        trip,
        step,
        deferred: if_clause != 0,
        duplicate,
    };
    // To tools the taskgroup is around the taskloop.
    if nogroup == 0 {
        tasks::begin_group(thread, caller);
    }
    if wants(Kind::Work) {
        tasks::taskloop_event(thread, Endpoint::Begin, trip, caller);
    }
    let grain = match schedule {
        GRAINSIZE if strict => Grain::StrictSize(number),
        GRAINSIZE => Grain::Size(number),
        NUM_TASKS => Grain::Tasks(number),
        _ => Grain::Default(u64::from(thread.team().size.get()) * TASKS_PER_THREAD),
    };
    if !tasks::group_is_cancelled(thread) {
        for share in Deal::new(trip, grain).shares() {
            // SAFETY: as above.
            unsafe { this.spawn(thread, share, share.0 + share.1 == trip, caller) };
        }
    }
    discard_pattern(thread, pattern);
    if wants(Kind::Work) {
        tasks::taskloop_event(thread, Endpoint::End, this.trip, caller);
    }
    if nogroup == 0 {
        tasks::end_group(thread, caller);
    }
}

/// The pattern itself is never executed, but its private part may want its destructors.
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
unsafe extern "C" fn taskloop_4(
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
    let caller = caller();
    // SAFETY: LLVM's code passes a whole loop.
    unsafe {
        taskloop(
            task, if_clause, lower, upper, step, nogroup, schedule, number, false, duplicate,
            caller,
        )
    };
}

#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn taskloop_5(
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
    let caller = caller();
    // SAFETY: LLVM's code passes a whole loop.
    unsafe {
        taskloop(
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

omphalos_sys::entries! {
    /// A taskloop.
    __kmpc_taskloop => taskloop_4;
    /// A taskloop whose grainsize or number of tasks may be strict.
    __kmpc_taskloop_5 => taskloop_5;
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
