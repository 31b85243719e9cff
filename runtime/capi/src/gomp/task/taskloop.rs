//! `GOMP_taskloop`: the first two words of a task's data are its first iteration and the one after
//! its last.

use super::make::{fill, placed, room};
use super::split::{Shared, split};
use super::{Body, Copy, Flag, ompt_flags};
use core::ffi::{c_int, c_long, c_uint, c_ulong, c_void};
use omphalos_engine::tasks::{self, Counted, Deal, Grain, Shares, Spec};
use omphalos_engine::{Call, Thread, Unwatched, Watched};
use omphalos_events::{Endpoint, Kind, TaskFlags};

/// A taskloop as GCC's code describes it.
pub(super) struct Loop {
    pub(super) body: Body,
    pub(super) data: *mut c_void,
    copy: Copy,
    pub(super) size: usize,
    pub(super) align: usize,
    pub(super) flags: c_uint,
    /// `num_tasks` or `grainsize`, 0 = neither.
    number: u64,
    priority: c_int,
    first: u64,
    trip: u64,
    step: u64,
}

impl Loop {
    fn grain(&self, thread: &Thread, splits: bool) -> Grain {
        if self.deals_by_default() {
            Grain::by_default(thread, splits)
        } else if self.flags & Flag::GRAINSIZE == 0 {
            Grain::Tasks(self.number)
        } else if self.flags & Flag::STRICT != 0 {
            Grain::StrictSize(self.number)
        } else {
            Grain::Size(self.number)
        }
    }

    /// Whether the construct has neither `grainsize` nor `num_tasks`.
    pub(super) fn deals_by_default(&self) -> bool {
        self.number == 0 && self.flags & Flag::GRAINSIZE == 0
    }

    /// Returns the third word of the data of a taskloop with a reduction: the table to register.
    unsafe fn reductions(&self) -> *mut usize {
        // SAFETY: the caller checked the flag.
        unsafe { *self.data.cast::<*mut usize>().add(2) }
    }

    unsafe fn run(&self, thread: &'static Thread, caller: impl Call) {
        let reduces = self.flags & Flag::REDUCTION != 0;
        let groups = self.flags & Flag::NOGROUP == 0;
        if self.trip == 0 && reduces && !groups {
            // SAFETY: GCC's code passes a table; 0 says that it was not registered.
            unsafe { *self.reductions().add(2) = 0 };
        }
        // The program combines and unregisters the copies even if the loop has no iterations.
        let nothing = self.trip == 0 && !reduces && !caller.is_watched();
        if nothing {
            return;
        }
        let splits = groups && tasks::may_split(thread) && self.is_plain();
        let unseen = splits && !caller.is_watched();
        let deal = Deal::new(self.trip, self.grain(thread, unseen));
        let shared;
        // Tools see the taskgroup around the taskloop.
        if groups {
            tasks::begin_group(thread, caller);
            if reduces {
                // SAFETY: GCC's code passes a table.
                unsafe { tasks::gomp_register(thread, self.reductions(), core::ptr::null_mut()) };
            }
        }
        if caller.wants(Kind::Work) {
            tasks::taskloop_event(thread, Endpoint::Begin, self.trip, caller.caller());
        }
        if self.trip != 0 && !tasks::group_is_cancelled(thread) {
            // SAFETY: GCC's code passes a body and its data; `shared` lasts longer than the
            // taskgroup.
            unsafe {
                let dealt = match unseen && tasks::splits_into(deal.tasks) {
                    true => Some((deal, None)),
                    false => self.make_all(thread, deal, splits, caller),
                };
                if let Some((deal, counted)) = dealt {
                    shared = Shared { of: self, deal, counted };
                    split(&shared, thread);
                }
            }
        }
        if caller.wants(Kind::Work) {
            tasks::taskloop_event(thread, Endpoint::End, self.trip, caller.caller());
        }
        if groups {
            tasks::end_group(thread, caller);
        }
    }

    /// Writes a share's bounds into its task's data.
    ///
    /// # Safety
    /// `place` is valid for the data.
    #[inline(always)]
    pub(super) unsafe fn bound(&self, place: *mut c_void, (first, count): (u64, u64)) {
        let begin = self.first.wrapping_add(first.wrapping_mul(self.step));
        let end = begin.wrapping_add(count.wrapping_mul(self.step));
        // SAFETY: the two words in front of the data.
        unsafe {
            place.cast::<u64>().write(begin);
            place.cast::<u64>().add(1).write(end);
        }
    }

    /// Whether each task is a mere call of the body.
    fn is_plain(&self) -> bool {
        let more = Flag::FINAL | Flag::PRIORITY;
        self.flags & Flag::IF != 0
            && self.flags & more == 0
            && self.copy.is_none()
            && self.body.is_some()
    }

    /// Makes all tasks, except those that are dealt out because a tool has counted them. `splits`:
    /// the tasks may be dealt out.
    unsafe fn make_all(
        &self,
        thread: &'static Thread,
        deal: Deal,
        splits: bool,
        caller: impl Call,
    ) -> Option<(Deal, Option<Counted>)> {
        let mut shares = deal.shares();
        loop {
            if splits
                && caller.is_watched()
                && let Some(counted) = Counted::count(thread, shares.rest(), caller.caller())
            {
                return Some((shares.rest(), Some(counted)));
            }
            let share = shares.next()?;
            // SAFETY: GCC's code passes a body and its data.
            unsafe { self.spawn(thread, share, &mut shares, caller) };
        }
    }

    /// Makes the task of a share. If it must be executed at once, so must all later ones: then this
    /// executes them too.
    unsafe fn spawn(
        &self,
        thread: &'static Thread,
        share: (u64, u64),
        shares: &mut Shares,
        caller: impl Call,
    ) {
        let deferred = self.flags & Flag::IF != 0;
        let undeferred = !deferred || tasks::includes(thread);
        let priority = if self.flags & Flag::PRIORITY != 0 { self.priority } else { 0 };
        let in_row = undeferred || tasks::is_alone(thread);
        if in_row
            && self.copy.is_none()
            && self.flags & Flag::FINAL == 0
            && let Some(body) = self.body
            && tasks::may_prepare()
        {
            // SAFETY: GCC's code passes data with the two words in front. Without a copy function
            // the shares may use it in place, one after the other.
            unsafe {
                if caller.is_watched() {
                    let undeferred = if undeferred { TaskFlags::UNDEFERRED } else { 0 };
                    let flags = ompt_flags(self.flags) | undeferred;
                    let mut begun = Some(share);
                    tasks::call_shares_shown(
                        thread,
                        body,
                        self.data,
                        flags,
                        caller.caller(),
                        || {
                            let share = begun.take().or_else(|| shares.next())?;
                            self.bound(self.data, share);
                            Some((
                                self.first.wrapping_add(share.0.wrapping_mul(self.step)),
                                share.1,
                            ))
                        },
                    );
                } else {
                    self.bound(self.data, share);
                    tasks::call_row_unseen(thread, body, self.data, || {
                        let next = shares.next();
                        next.inspect(|&share| self.bound(self.data, share)).is_some()
                    });
                }
            }
            return;
        }
        let queued = deferred && tasks::may_queue(thread, priority);
        let mut spec = Spec {
            code: self.body.map_or(core::ptr::null(), |f| f as *const c_void),
            flags: ompt_flags(self.flags),
            traits: super::traits(self.copy),
            priority,
        };
        // SAFETY: GCC's code passes data of that size.
        unsafe {
            let noted = tasks::chunk_room(caller);
            let task = room(thread, self.size + noted, self.align);
            let place = placed(task, self.align);
            fill(place, self.data, self.copy, self.size);
            self.bound(place, share);
            let begin = self.first.wrapping_add(share.0.wrapping_mul(self.step));
            spec.traits |= tasks::note_chunk(task, noted, begin, share.1);
            if queued {
                tasks::defer(thread, task, spec, place, caller);
            } else {
                tasks::call(thread, task, spec, place, undeferred, caller);
            }
        }
    }
}

#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn taskloop<C: Call>(
    body: Body,
    data: *mut c_void,
    copy: Copy,
    size: c_long,
    align: c_long,
    flags: c_uint,
    number: c_ulong,
    priority: c_int,
    start: c_long,
    end: c_long,
    step: c_long,
) {
    let call = C::here();
    let distance = if step > 0 { end.wrapping_sub(start) } else { start.wrapping_sub(end) };
    let empty = if step > 0 { start >= end } else { start <= end };
    let trip = if empty { 0 } else { (distance as u64).div_ceil(step.unsigned_abs().max(1)) };
    let (size, align) = (size as usize, align as usize);
    let (first, step) = (start as u64, step as u64);
    let this = Loop { body, data, copy, size, align, flags, number, priority, first, trip, step };
    // SAFETY: GCC's code passes a whole loop.
    unsafe { this.run(call.thread(), call) };
}

#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn taskloop_ull<C: Call>(
    body: Body,
    data: *mut c_void,
    copy: Copy,
    size: c_long,
    align: c_long,
    flags: c_uint,
    number: c_ulong,
    priority: c_int,
    first: u64,
    end: u64,
    step: u64,
) {
    let call = C::here();
    let trip = if flags & Flag::UP != 0 {
        end.saturating_sub(first).div_ceil(step.max(1))
    } else {
        first.saturating_sub(end).div_ceil(step.wrapping_neg().max(1))
    };
    let (size, align) = (size as usize, align as usize);
    let this = Loop { body, data, copy, size, align, flags, number, priority, first, trip, step };
    // SAFETY: GCC's code passes a whole loop.
    unsafe { this.run(call.thread(), call) };
}

omphalos_sys::quick_noted_entries! {
    /// A taskloop over `long` (GOMP_4.5).
    GOMP_taskloop => taskloop::<Unwatched>, taskloop::<Watched>;
    /// A taskloop over `unsigned long long` (GOMP_4.5).
    GOMP_taskloop_ull => taskloop_ull::<Unwatched>, taskloop_ull::<Watched>;
}
