//! The work of the signal handler at a tick.
//!
//! What must hold: no allocation, no lock, `errno` as before, no thread-local storage except the
//! one initial-exec word; a tick that cannot be a sample adds to the weight of the next one.

use crate::accounting::Class;
use crate::clock::{self, moment, ticks};
use crate::counting::{self, Place};
use crate::thread::{Thread, asked, stretch, summed};
use crate::unwind::operand::{self, Operand};
use crate::{nodes, recording, totals, unwind};
use core::ffi::{c_int, c_void};
use core::sync::atomic::{
    AtomicU32,
    Ordering::{Acquire, Relaxed, SeqCst},
};
use omphalos_ompt::State;
use omphalos_profile_format::{Sample, SampleMemory, SampleNode};

/// The part of `siginfo_t` that a timer fills.
#[repr(C)]
struct TimerInfo {
    signo: c_int,
    errno: c_int,
    code: c_int,
    pad: c_int,
    timer: c_int,
    overrun: c_int,
    value: *const c_void,
}

/// A static whose address is the value that the agent's timers send.
static OURS: u8 = 0;

/// Returns the value that a timer of the agent's sends.
pub fn mark() -> *mut c_void {
    core::ptr::from_ref(&OURS).cast_mut().cast()
}

/// The number of handlers that are taking a sample.
static AT_WORK: AtomicU32 = AtomicU32::new(0);

/// Whether a thread takes a sample.
pub fn is_at_work() -> bool {
    AT_WORK.load(SeqCst) != 0
}

/// Resets the number in a forked child: its one thread forked outside the handler.
pub fn reset_in_child() {
    AT_WORK.store(0, SeqCst);
}

/// The signal handler.
///
/// # Safety
/// Called by the kernel only, as SA_SIGINFO promises.
pub unsafe extern "C" fn on_signal(
    signal: c_int,
    info: *mut libc::siginfo_t,
    context: *mut c_void,
) {
    // SAFETY: every thread has its errno; the pointers are the kernel's.
    unsafe {
        let timer = &*info.cast::<TimerInfo>();
        if timer.code != libc::SI_TIMER || timer.value != mark().cast_const() {
            return super::signal::pass_on(signal, info, context);
        }
        let errno = libc::__errno_location();
        let before = *errno;
        AT_WORK.fetch_add(1, SeqCst);
        if let Some(thread) = Thread::current()
            && thread.alive.load(Acquire)
        {
            sample(thread, context.cast());
        }
        AT_WORK.fetch_sub(1, SeqCst);
        *errno = before;
    }
}

/// # Safety
/// `context` must be the handler's.
unsafe fn sample(thread: &'static Thread, context: *const libc::ucontext_t) {
    let (begin, used) = (ticks(), clock::used_here());
    let account = &thread.account;
    let is_timed = !account.is_off();
    // SAFETY: this is the thread's handler; the caller's promise.
    let registers = unsafe {
        stretch::tick_or_note(thread, begin);
        unwind::capture::from_signal(context)
    };
    if thread.mark.call().is_some() && thread.mark.is_left(registers.sp()) {
        thread.mark.end();
    }
    // The time in a marked call is booked when the call returns.
    if thread.mark.call().is_some() && unwind::capture::is_behind_call(&registers) {
        return thread.cost.book_handler(used);
    }
    thread.with_sampler(|sampler| {
        super::waits::woke(sampler, thread, begin);
        super::waits::unseen(sampler, thread, begin, registers);
        // The thread lost its processor on its way into a call that only waits: the time since then
        // belongs to the call, as in its account.
        let called = thread.mark.call().filter(|call| call.only_waits);
        let called = called.map(|_| thread.mark.since());
        let is_past = account.is_past_region(begin);
        let since = if is_past { account.over.load(Relaxed) } else { account.since() };
        if is_past && is_timed {
            super::waits::until(sampler, thread, account.since(), since, registers);
        }
        // A tick may find a thread that spins in a wait. The moments before the wait belong to the
        // next tick outside of one.
        let weight = match account.class() {
            Class::Barrier | Class::Mutex | Class::TaskWait | Class::Idle if is_timed => {
                sampler.points.take(since, begin)
            }
            _ => sampler.points.take_rest(called.unwrap_or(begin)),
        };
        thread.next_point.store(sampler.points.next(begin), Relaxed);
        let mut place = None;
        if weight > 0 && recording::is_measured() {
            let (mut state, wait_id) = asked::state();
            let mut region = thread.place.region.load(Relaxed);
            let mut codeptr = thread.place.codeptr.load(Relaxed);
            let mut number = thread.place.number.load(Relaxed);
            if let Some((summed, own)) = summed::waits_in(thread) {
                region = summed.id.load(Relaxed);
                (codeptr, number) = (summed.codeptr.load(Relaxed), own);
            }
            if is_past {
                state = State::Idle.number() as u32;
                region = 0;
            }
            let sample = Sample {
                time: moment(begin),
                thread: thread.index.load(Relaxed),
                state,
                wait_id,
                stack: sampler.stack(registers),
                region,
                region_codeptr: if region == 0 { 0 } else { codeptr },
                thread_num: number,
                task_flags: thread.place.task_flags.load(Relaxed),
                task_codeptr: thread.place.task_codeptr.load(Relaxed),
                cpu_time: sampler.cpu_since(),
                weight,
            };
            sampler.push(sample.into());
            let (region_codeptr, stack) = (sample.region_codeptr, sample.stack);
            place = Some(Place { state, region_codeptr, stack });
            if state == State::WorkParallel.number() as u32 && operand::is_ready() {
                let nothing = (!sampler.said_memory).then_some(Operand { behind: 0, address: 0 });
                sampler.said_memory = true;
                let thread = sample.thread;
                let found = operand::find(&registers).into_iter().flatten().chain(nothing);
                let mut first = None;
                for Operand { behind, address } in found {
                    first.get_or_insert(address);
                    sampler.push(SampleMemory { thread, behind, address }.into());
                }
                if let Some((node, from_node)) = first.and_then(nodes::of) {
                    sampler.push(SampleNode { thread, node, from_node }.into());
                }
            }
            if region != 0 {
                thread.place.note_sampled();
            }
        }
        if counting::is_on() {
            super::waits::count(sampler, thread, place);
        }
        if sampler.is_due(begin) && crate::stream::is_open() {
            sampler.flush();
        }
    });
    if !super::watch::runs() && !thread.is_in_callback() {
        totals::write_if_due(begin);
    }
    clock::settle(begin);
    thread.cost.book_handler(used);
}
