//! `__kmpc_taskloop`: the program passes one task as a pattern, with the bounds in its private
//! part.

mod copies;
mod split;

use super::graph;
use super::layout::{AllocFlags, KmpTask};
use crate::shared::location::Ident;
use copies::Loop;
use core::ffi::c_void;
use omphalos_engine::tasks::{self, Deal, Grain, Task};
use omphalos_engine::{Call, Thread, Unwatched, Watched};
use omphalos_events::{Endpoint, Kind};

/// Finishes a copy of the pattern: `duplicate(copy, pattern, has_last_iteration)`.
type Duplicate = Option<unsafe extern "C" fn(*mut c_void, *mut c_void, i32)>;

/// The properties of a taskloop that the construct gives, besides the pattern.
#[derive(Clone, Copy)]
pub struct Construct {
    /// The `if` clause.
    pub(super) deferred: bool,
    /// The offset of the lower bound in the task structure, and that of the upper bound, which the
    /// loop includes.
    lower: usize,
    upper: usize,
    step: i64,
    grouped: bool,
    /// The clause that `number` belongs to.
    schedule: i32,
    number: u64,
    strict: bool,
    duplicate: Duplicate,
}

impl Construct {
    /// Whether the construct has neither `grainsize` nor `num_tasks`.
    pub(super) fn deals_by_default(&self) -> bool {
        !matches!(self.schedule, GRAINSIZE | NUM_TASKS)
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
#[inline(never)]
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
    let may_split = || match construct.grouped {
        true => tasks::may_split(thread),
        false => tasks::may_split_kept(thread),
    };
    let splits = split::is_plain(pattern, construct) && may_split();
    let unseen = splits && !caller.is_watched();
    let grain = match construct.schedule {
        GRAINSIZE if construct.strict => Grain::StrictSize(number),
        GRAINSIZE => Grain::Size(number),
        NUM_TASKS => Grain::Tasks(number),
        _ => Grain::by_default(thread, unseen),
    };
    let deal = Deal::new(trip, grain);
    let mut this = Loop { pattern, construct: *construct, first, trip, deal, counted: None };
    let dealt = if unseen && tasks::splits_into(deal.tasks) {
        true
    } else if !tasks::group_is_cancelled(thread) {
        // SAFETY: the caller's promise.
        unsafe { this.make_all(thread, splits, caller) }
    } else {
        false
    };
    let kept = dealt && !construct.grouped;
    if kept {
        // SAFETY: as asked.
        unsafe { this.split_kept(thread) };
    } else if dealt {
        // SAFETY: the pattern lasts until the taskgroup has ended.
        unsafe { Loop::split(&raw const this, thread, core::ptr::null()) };
    } else {
        discard_pattern(thread, pattern);
    }
    if caller.wants(Kind::Work) {
        tasks::taskloop_event(thread, Endpoint::End, trip, caller.caller());
    }
    if construct.grouped {
        tasks::end_group(thread, caller);
    }
    if dealt && !kept {
        discard_pattern(thread, pattern);
    }
}

/// Executes a taskloop, called by the program.
///
/// # Safety
/// `task` is a structure that `alloc` gave, with the bounds inside it.
#[inline(always)]
unsafe fn call(task: *mut c_void, construct: &Construct, caller: impl Call) {
    let thread = caller.thread();
    // SAFETY: the caller's promise.
    unsafe {
        let pattern = Task::of_payload(task);
        graph::looped(thread, pattern, construct);
        taskloop(thread, pattern, construct, caller);
    }
}

/// Drops the pattern, which is never executed. Its private part may need its destructors.
pub(super) fn discard_pattern(thread: &'static Thread, pattern: &'static Task) {
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

/// The entries take the same arguments; one has a `$modifier` besides.
macro_rules! called {
    ($name:ident $(, $modifier:ident)?) => {
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $name<C: Call>(
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
            $($modifier: i32,)?
            duplicate: Duplicate,
        ) {
            let caller = C::here();
            let construct = Construct {
                deferred: if_clause != 0,
                lower: lower as usize - task as usize,
                upper: upper as usize - task as usize,
                step,
                grouped: nogroup == 0,
                schedule,
                number,
                strict: false $(|| $modifier != 0)?,
                duplicate,
            };
            // SAFETY: LLVM's code passes a structure that `alloc` gave, and the bounds inside it.
            unsafe { call(task, &construct, caller) };
        }
    };
}

called!(taskloop_4);
called!(taskloop_5, modifier);

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
