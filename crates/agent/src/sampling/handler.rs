//! What happens at a tick.
//!
//! What must hold: no allocation, no lock, `errno` as before, no thread-local storage but the one
//! initial-exec word; a tick that cannot be a sample adds to the weight of the next one.

use crate::accounting::totals;
use crate::clock::{self, moment, ticks};
use crate::sampling::rest;
use crate::thread::Thread;
use crate::tool::stretch;
use crate::{tool, unwind};
use core::ffi::{c_int, c_void};
use core::sync::atomic::Ordering::{Acquire, Relaxed};
use omphalos_ompt::State;
use omphalos_profile_format::Sample;

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

/// Its address is the value that our timers send.
static OURS: u8 = 0;

/// What a timer of ours sends along.
pub fn mark() -> *mut c_void {
    core::ptr::from_ref(&OURS).cast_mut().cast()
}

/// The signal handler.
///
/// # Safety
/// Called by the kernel only, as SA_SIGINFO promises.
pub unsafe extern "C" fn on_tick(_signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: every thread has its errno; the pointers are the kernel's.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        let timer = &*info.cast::<TimerInfo>();
        // Anything else would be ignored by default, and the program has no handler for it.
        if timer.code == libc::SI_TIMER
            && timer.value == mark().cast_const()
            && let Some(thread) = Thread::current()
            && thread.alive.load(Acquire)
        {
            let overrun = u32::try_from(timer.overrun).unwrap_or(0);
            sample(thread, overrun, context.cast());
        }
        *errno = before;
    }
}

/// # Safety
/// `context` must be the handler's.
unsafe fn sample(thread: &Thread, overrun: u32, context: *const libc::ucontext_t) {
    let begin = ticks();
    stretch::tick(thread, begin);
    // SAFETY: the caller's promise.
    let registers = unsafe { unwind::capture::from_signal(context) };
    let taken = thread.with_sampler(|sampler| {
        let late = overrun.saturating_add(thread.carried.swap(0, Relaxed));
        let stretch = thread.stretch.load(Relaxed);
        let weight = stretch.saturating_mul(1 + overrun).saturating_add(late - overrun);
        let (mut state, wait_id) = tool::state();
        let mut region = thread.place.region.load(Relaxed);
        if thread.account.is_past_region(begin) {
            state = State::Idle.number() as u32;
            region = 0;
        }
        let stack = sampler.stack(thread, registers);
        let cpu = super::sampler::cpu_time();
        let cpu_time = cpu.saturating_sub(core::mem::replace(&mut sampler.last_cpu, cpu));
        let mut sample = Sample {
            time: moment(begin),
            thread: thread.index.load(Relaxed),
            state,
            wait_id,
            stack,
            region,
            region_codeptr: if region == 0 { 0 } else { thread.place.codeptr.load(Relaxed) },
            thread_num: thread.place.number.load(Relaxed),
            task_flags: thread.place.task_flags.load(Relaxed),
            task_codeptr: thread.place.task_codeptr.load(Relaxed),
            cpu_time,
            weight,
        };
        sample.weight = rest::settle(sampler, thread, &sample, begin);
        sampler.push(thread, sample.into());
        thread.samples.store(thread.samples.load(Relaxed) + 1, Relaxed);
        let missed = thread.missed.load(Relaxed) + u64::from(late);
        thread.missed.store(missed, Relaxed);
        if sampler.is_due(begin) && crate::stream::is_open() {
            sampler.flush(thread);
        }
    });
    match taken {
        Some(()) => totals::write_if_due(begin),
        None => {
            let periods = thread.stretch.load(Relaxed).saturating_mul(overrun.saturating_add(1));
            let carried = thread.carried.load(Relaxed).saturating_add(periods);
            thread.carried.store(carried, Relaxed);
        }
    }
    clock::settle(begin);
    thread.book(&thread.in_handler, begin, 50_000);
}
