//! Samples of waits in the runtime and of calls of the C library, in which a thread gets no tick.
//! They are taken when the wait or call ends. A sample's weight is the number of the thread's
//! moments (points in time, one in each period: `sampler/points.rs`) that passed meanwhile.
//!
//! What must hold: a thread has at most one such sample in each period, so that short waits cost
//! only a comparison.

use crate::accounting::Class;
use crate::accounting::sites::{call as call_site, mutex as mutex_site};
use crate::clock::{in_ticks, moment, ns};
use crate::counting::Place;
use crate::mark::Call;
use crate::sampler::Sampler;
use crate::thread::Thread;
use crate::unwind::{Registers, capture};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::State;
use omphalos_profile_format::{Sample, SampleCall, UNSEEN_SLEEP};

/// The time, ns, from which on work without a tick gets a sample of its own: five of the kernel's
/// slowest ticks.
const LACKING: u64 = 50_000_000;

/// Whether one of the thread's moments has passed since its last sample. Async-signal-safe.
#[inline(always)]
pub fn is_due(thread: &Thread, now: u64) -> bool {
    now >= thread.next_point.load(Relaxed)
}

/// The agent's knowledge of a place that it samples without the runtime's help.
pub struct Seen<'a> {
    /// `ompt_state_t`.
    pub state: u32,
    /// The registers to walk from; none for a place that is no code.
    pub registers: Option<Registers>,
    /// The call, and how much of the time the thread was off its processor in it, ns.
    pub call: Option<(&'a Call, u64)>,
}

/// Puts a sample of this weight into the buffer, with its record of the call. Async-signal-safe.
pub fn push(
    sampler: &mut Sampler,
    thread: &Thread,
    seen: &Seen<'_>,
    weight: u32,
    now: u64,
    cpu: u64,
) {
    let stack = match (seen.registers, seen.call) {
        (Some(registers), Some((call, _))) => sampler.stack_of_call(registers, call.real() as u64),
        (Some(registers), None) => sampler.stack(registers),
        (None, _) => 0,
    };
    push_at(sampler, thread, seen.state, stack, weight, now, cpu);
    if let Some((call, blocked)) = seen.call {
        name_call(sampler, thread, call.name.to_bytes(), blocked);
    }
}

/// Writes the record that names the call of the last sample. Async-signal-safe.
pub fn name_call(sampler: &mut Sampler, thread: &Thread, call: &[u8], blocked: u64) {
    let record = SampleCall { thread: thread.index.load(Relaxed), blocked, call };
    sampler.push(record.into());
}

/// Does what [`push`] does, for a known stack.
pub fn push_at(
    sampler: &mut Sampler,
    thread: &Thread,
    state: u32,
    stack: u64,
    weight: u32,
    now: u64,
    cpu: u64,
) {
    let idles = state == State::Idle.number() as u32;
    let place = &thread.place;
    let mut region = place.region.load(Relaxed);
    let mut codeptr = place.codeptr.load(Relaxed);
    let mut number = place.number.load(Relaxed);
    if region == 0
        && let Some((_, untold, own)) = thread.account.summed().seen()
    {
        region = untold.id.load(Relaxed);
        (codeptr, number) = (untold.codeptr.load(Relaxed), own);
    }
    let region = if idles { 0 } else { region };
    let waits = matches!(state, 0x40..0x80);
    let sample = Sample {
        time: moment(now),
        thread: thread.index.load(Relaxed),
        state,
        wait_id: if waits { place.wait_id.load(Relaxed) } else { 0 },
        stack,
        region,
        region_codeptr: if region == 0 { 0 } else { codeptr },
        thread_num: number,
        task_flags: place.task_flags.load(Relaxed),
        task_codeptr: place.task_codeptr.load(Relaxed),
        cpu_time: cpu,
        weight,
    };
    sampler.push(sample.into());
    if region != 0 {
        thread.place.note_sampled();
    }
}

/// Books the growth of the calling thread's counters since the last call: to `place`, or, without
/// one, to the place that its events tell. Async-signal-safe.
pub fn count(sampler: &mut Sampler, thread: &Thread, place: Option<Place>) {
    let place = place.unwrap_or_else(|| place_by_events(sampler, thread));
    sampler.count(place);
}

/// Does what [`count`] does, at an event that ends what the thread did so far.
#[cold]
#[inline(never)]
pub fn count_at_event(thread: &Thread) {
    thread.own_sampler(|sampler| count(sampler, thread, None));
}

/// Returns the thread's place by its events. The last sample tells the code, if it is of the same
/// region.
fn place_by_events(sampler: &Sampler, thread: &Thread) -> Place {
    let (place, state) = (&thread.place, state_of(thread, thread.account.class()));
    let mut region_codeptr = match place.region.load(Relaxed) {
        0 => {
            thread.account.summed().seen().map_or(0, |(_, untold, _)| untold.codeptr.load(Relaxed))
        }
        _ => place.codeptr.load(Relaxed),
    };
    if state == State::Idle.number() as u32 {
        region_codeptr = 0;
    }
    let is_same =
        |(last, _): &(u32, u64)| *last == state && (region_codeptr == 0 || place.is_sampled());
    let stack = sampler.last.filter(is_same).map_or(0, |(_, stack)| stack);
    Place { state, region_codeptr, stack }
}

/// Gives the moments that no tick took, of a thread that ends at `now`, to the place where it was
/// last seen. If neither a tick nor a look saw the thread, because it slept for all of a short
/// life, only its state is known.
pub fn close(sampler: &mut Sampler, thread: &Thread, now: u64) {
    let weight = sampler.points.take_rest(now);
    if weight > 0 {
        let unseen = || (state_of(thread, thread.account.class()), 0);
        let (state, stack) = sampler.last.unwrap_or_else(unseen);
        let cpu = sampler.cpu_since();
        push_at(sampler, thread, state, stack, weight, now, cpu);
    }
    if omphalos_sys::thread::id() == thread.os_tid.load(Relaxed) {
        count(sampler, thread, None);
    }
}

/// Returns the state of a thread in `class`, as far as events tell. Async-signal-safe.
pub fn state_of(thread: &Thread, class: Class) -> u32 {
    let state = match class {
        Class::Serial => State::WorkSerial,
        Class::Work => State::WorkParallel,
        Class::Idle => State::Idle,
        Class::Overhead => State::Overhead,
        Class::Barrier | Class::Mutex | Class::TaskWait => {
            return thread.place.wait_state.load(Relaxed);
        }
    };
    state.number() as u32
}

/// Books a sleep that is over: a look found the thread asleep in a system call, and since then it
/// ran until `now`. All the time since that look in which it neither ran nor waited for a processor
/// belongs to that call. Short calls in between are not known. Async-signal-safe.
pub fn woke(sampler: &mut Sampler, thread: &Thread, now: u64) {
    let Some(slept) = sampler.slept.filter(|slept| slept.at == sampler.points.last()) else {
        return;
    };
    let (_, queued) = sampler.queued();
    sampler.slept = None;
    let awake = in_ticks(sampler.cpu_so_far() + queued);
    let until = now.saturating_sub(awake).max(slept.at);
    let weight = sampler.points.take(slept.at, until);
    if weight > 0 {
        push_at(sampler, thread, slept.state, slept.stack, weight, until, 0);
        let name = crate::mark::sleeping::name(slept.call);
        name_call(sampler, thread, name, ns(until - slept.at));
    }
    sampler.off_cpu += until - slept.at;
    thread.book_found(slept.in_region, until - slept.at);
}

/// Books unseen sleep at a tick that finds the thread at its own work: the sleep since the last
/// sample in no known call, which no look from outside saw, happened at about the same place.
/// Async-signal-safe.
pub fn unseen(sampler: &mut Sampler, thread: &Thread, now: u64, registers: Registers) {
    let account = &thread.account;
    if !account.is_at_work() || account.is_off() || thread.mark.call().is_some() {
        return;
    }
    // At the end of a region that is not reported, the thread sleeps, too.
    if account.summed().waits() {
        return;
    }
    let asleep = sampler.slept_unseen(account.since(), now);
    if asleep > 0 {
        slept_at_work(sampler, thread, now, asleep, registers);
    }
}

/// Books that the thread slept for `asleep` ticks at its own work, by an event at `now`.
#[cold]
#[inline(never)]
pub fn slept(thread: &Thread, now: u64, asleep: u64) {
    let registers = capture::here();
    thread.own_sampler(|sampler| slept_at_work(sampler, thread, now, asleep, registers));
}

/// Books that the thread slept for `asleep` ticks at its own work, up to `now`, in an unknown call.
/// Async-signal-safe.
fn slept_at_work(
    sampler: &mut Sampler,
    thread: &Thread,
    now: u64,
    asleep: u64,
    registers: Registers,
) {
    let class = thread.account.class();
    let weight = sampler.points.take(now - asleep, now);
    if weight > 0 {
        let stack = sampler.stack(registers);
        push_at(sampler, thread, state_of(thread, class), stack, weight, now, 0);
        name_call(sampler, thread, UNSEEN_SLEEP.as_bytes(), ns(asleep));
    }
    sampler.off_cpu += asleep;
    thread.book_found(class == Class::Work, asleep);
}

/// Gives a sample to the barrier that the thread was in until the region was over.
/// Async-signal-safe.
pub fn until(sampler: &mut Sampler, thread: &Thread, begin: u64, over: u64, registers: Registers) {
    let weight = sampler.points.take(begin, over);
    if weight > 0 {
        let (state, registers) = (state_of(thread, Class::Barrier), Some(registers));
        push(sampler, thread, &Seen { state, registers, call: None }, weight, over, 0);
    }
}

/// Gives a sample to work from `begin` to an event at `now`, where no tick came for long: those
/// moments belong to the region, and not to the next tick, which may be outside of it. Ticks fail
/// to come where the kernel's own ticks fall into other threads' slices, or where the program
/// blocks all signals.
fn lacking(sampler: &mut Sampler, thread: &Thread, begin: u64, now: u64, registers: Registers) {
    if now.saturating_sub(sampler.points.last()) < in_ticks(LACKING) {
        return;
    }
    let weight = sampler.points.take(begin, now);
    if weight == 0 {
        return;
    }
    let state = state_of(thread, Class::Work);
    // A place that a tick found in this region is a better guess than the region's end.
    let found = sampler.last.filter(|(last, _)| *last == state && thread.place.is_sampled());
    let stack = found.map_or_else(|| sampler.stack(registers), |(_, stack)| stack);
    let cpu = sampler.cpu_since();
    push_at(sampler, thread, state, stack, weight, now, cpu);
}

/// Gives the wait a sample, if the thread waited when one of its moments passed, at an event at
/// `now`.
#[cold]
#[inline(never)]
pub fn passed(thread: &Thread, now: u64) {
    let account = &thread.account;
    let (class, begin) = (account.class(), account.since());
    let waited = matches!(class, Class::Barrier | Class::Mutex | Class::TaskWait | Class::Idle);
    let registers = capture::here();
    thread.own_sampler(|sampler| {
        woke(sampler, thread, if waited { begin.min(now) } else { now });
        if waited && !account.is_off() {
            let over = match account.over.load(Relaxed) {
                over if class == Class::Barrier && over >= begin && over < now => over,
                _ => now,
            };
            let mut take = |class, begin, end| {
                let weight = sampler.points.take(begin, end);
                if weight > 0 {
                    let registers = (class != Class::Idle).then_some(registers);
                    let seen = Seen { state: state_of(thread, class), registers, call: None };
                    let cpu = sampler.cpu_since();
                    push(sampler, thread, &seen, weight, end, cpu);
                }
            };
            take(class, begin, over);
            if over < now {
                take(Class::Idle, over, now);
            }
        } else if class == Class::Work && !account.is_off() {
            lacking(sampler, thread, begin.min(now), now, registers);
        }
        thread.next_point.store(sampler.points.next(now), Relaxed);
    });
}

/// Notes a marked call that has returned after a time that is worth a sample. May change errno.
pub fn called(thread: &Thread, call: &'static Call, begin: u64, now: u64) {
    let account = &thread.account;
    let mut blocked = now.saturating_sub(begin);
    let codeptr = thread.place.codeptr.load(Relaxed);
    let in_region = account.class() == Class::Work;
    thread.own_sampler(|sampler| {
        if !call.only_waits {
            blocked = sampler.slept_in_call(begin, now);
        }
        sampler.off_cpu += blocked;
        let since = sampler.points.last().max(begin);
        let weight = sampler.points.take(begin, now);
        if weight > 0 {
            let registers = Some(thread.mark.registers());
            let state = state_of(thread, account.class());
            let call = Some((call, ns(blocked.min(now.saturating_sub(since)))));
            let cpu = sampler.cpu_since();
            push(sampler, thread, &Seen { state, registers, call }, weight, now, cpu);
            count(sampler, thread, None);
        }
        thread.next_point.store(sampler.points.next(now), Relaxed);
    });
    if account.is_untimed() {
        return;
    }
    thread.book_blocked(in_region, blocked);
    for (key, held) in thread.holding.open(now) {
        let known = thread.mutexes.find(key);
        known.into_iter().for_each(|entry| entry.add(mutex_site::SLEPT, blocked.min(held)));
    }
    // Sleep in a call of MPI is time of that call.
    if thread.mpi.is_open() {
        return;
    }
    let key = [core::ptr::from_ref(call).addr() as u64, if in_region { codeptr } else { 0 }, 0];
    if let Some(entry) = thread.calls.find_or_add(key) {
        entry.add(call_site::COUNT, 1);
        entry.add(call_site::BLOCKED, blocked);
        entry.add(call_site::ELAPSED, now.saturating_sub(begin));
        entry.raise(call_site::LONGEST, blocked);
    }
}
