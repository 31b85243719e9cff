//! Starts and ends the agent in a process, and handles forks. [`threads`] begins and ends the
//! recording of each thread. Confinement by the program ends recording early ([`confined`]).
//!
//! The agent starts when the loader runs the library's initialiser (preloaded: the program's serial
//! begin is then seen too) or at `ompt_start_tool`, whichever is first. It ends at OMPT's finalize,
//! or when the loader runs the finaliser.
//!
//! What must hold: start and end each happen once in a process, and a forked child starts with its
//! one thread alone.

pub mod confined;
mod late;
pub mod threads;

pub use late::{State, first_region, leave_process, start_late, state};

use crate::accounting::Class;
use crate::clock::{self, ticks};
use crate::sampling::{handler, only, part, signal, timer, watch};
use crate::stream::{self, process};
use crate::thread::{self, Thread};
use crate::{counting, nodes, numbers, python, recording, sched, totals, unwind};
use core::sync::atomic::{
    AtomicBool, AtomicU32,
    Ordering::{Relaxed, SeqCst},
};
use omphalos_ompt::ThreadKind;
use omphalos_profile_format::{End, severity};
use omphalos_sync::process_lock;
use omphalos_sys::clock::nanoseconds;

/// The size, bytes, of the initial thread's chunk buffer, which keeps its samples until the first
/// region: those of some minutes. Pages that are never reached cost nothing.
const INITIAL_BUFFER: usize = 1 << 24;

/// Starts the agent if it has not started; `runtime` is a runtime's version and name. Returns false
/// if the agent has ended already.
pub fn start(runtime: Option<(u32, &[u8])>) -> bool {
    if let Some((version, name)) = runtime {
        recording::set_runtime(version, name);
    }
    if !recording::may_start() {
        if runtime.is_some() {
            part::watch_clock();
            confined::is_late();
        }
        return recording::is_running();
    }
    recording::book_loaded();
    recording::paying(start_now);
    if runtime.is_some() {
        part::watch_clock();
    }
    true
}

fn start_now() {
    clock::start();
    let now = ticks();
    recording::set_started(clock::moment(now));
    recording::note_process();
    sched::count_processors();
    counting::start();
    nodes::look();
    let config = recording::config();
    unwind::modules::make();
    python::find();
    totals::start(now);
    if let Err(error) = signal::install() {
        process::warn(format_args!(
            "the sampling signal is refused (errno {error}): no samples are taken"
        ));
    }
    recording::set_real_period(config.period.max(timer::tick()));
    watch_forks();
    part::prepare(now);
    recording::run();
    threads::begin(Class::Serial, ThreadKind::Initial, now, INITIAL_BUFFER);
    threads::watch_end();
    let period = recording::real_period();
    recording::say(format_args!("sampling every {period} ns with signal {}", signal::NUMBER));
}

fn watch_forks() {
    static ONCE: AtomicBool = AtomicBool::new(false);
    if !ONCE.swap(true, Relaxed) {
        // SAFETY: the handlers are functions of this library, which is never unloaded once it runs.
        unsafe { libc::pthread_atfork(Some(forks), Some(forked), Some(in_child)) };
    }
}

/// Ends the agent: stops all timers, writes what all threads have recorded, the totals and the end
/// record.
pub fn finish(note: &str) {
    end(0, note);
}

/// Does what [`finish`] does, where the process goes on.
pub fn stop(note: &str) {
    end(2, note);
}

/// The number of threads that are ending the agent.
static ENDING: AtomicU32 = AtomicU32::new(0);

/// Whether a thread is ending the agent.
fn is_ending() -> bool {
    ENDING.load(SeqCst) != 0
}

fn end(exit_kind: u32, note: &str) {
    ENDING.fetch_add(1, SeqCst);
    if recording::may_end() {
        end_now(exit_kind, note);
    }
    ENDING.fetch_sub(1, SeqCst);
}

fn end_now(exit_kind: u32, note: &str) {
    let begin = clock::used_here();
    watch::rest();
    let now = ticks();
    clock::refine();
    for thread in thread::all() {
        timer::stop(thread);
    }
    let given_up = timer::given_up();
    if given_up > 0 && stream::is_open() {
        let text = format!(
            "sampling of {given_up} of the threads ended early: the program's own timers or queued \
             signals needed their places (ulimit -i)"
        );
        process::write_message(severity::WARNING, &text);
    }
    let without_files = counting::without_files();
    if without_files > 0 && stream::is_open() {
        let text = format!(
            "the processor's events of {without_files} of the threads are not counted: the process \
             may open no more files (ulimit -n)"
        );
        process::write_message(severity::WARNING, &text);
    }
    only::finish();
    totals::look_at_processors();
    // A thread that ends by itself at this moment may have lost its processor.
    let since = nanoseconds();
    while thread::all().any(Thread::is_ending) && nanoseconds() - since < totals::PATIENCE {
        omphalos_sys::thread::give_way();
    }
    for thread in thread::all().filter(|thread| thread.alive.load(Relaxed)) {
        // A handler may be on its way on that thread: wait for it, but not for ever.
        for _ in 0..1000 {
            if thread.with_sampler(|_| ()).is_some() {
                break;
            }
            omphalos_sys::thread::give_way();
        }
        threads::end(thread, now);
    }
    totals::write_all(now);
    if unwind::modules::renew() {
        process::write_modules();
    }
    process::write_control_group();
    recording::book_used(begin);
    let (time, agent) = (clock::moment(now), agents(now));
    process::write(End { time, exit_kind, agent, note: note.as_bytes() }.into());
    stream::close();
}

/// Returns the processor time that the agent took up to `now`, ns. Async-signal-safe.
fn agents(now: u64) -> u64 {
    let of_threads: u64 = thread::all().map(|thread| totals::total_of(thread, now).agent).sum();
    of_threads + recording::used()
}

/// Writes what was recorded, because the process is about to execute another program or to end at
/// once; `note` says which. If that fails, the process goes on and ends later. Async-signal-safe;
/// does nothing in a child that shares the memory.
pub fn executes(note: &[u8]) {
    if !recording::is_running() || !stream::is_ours() {
        return;
    }
    let begin = clock::used_here();
    let now = ticks();
    for thread in thread::all().filter(|thread| thread.alive.load(Relaxed)) {
        // A handler may be on its way on that thread, as in `end_now`.
        for _ in 0..1000 {
            if thread.with_sampler(|sampler| sampler.flush()).is_some() {
                break;
            }
            omphalos_sys::thread::give_way();
        }
    }
    totals::write(now);
    process::write_control_group();
    recording::book_used(begin);
    process::write(End { time: clock::moment(now), exit_kind: 1, agent: agents(now), note }.into());
}

/// Prepares for `fork`: the thread that forks holds the agent's locks meanwhile.
unsafe extern "C" fn forks() {
    process_lock::before_fork();
}

unsafe extern "C" fn forked() {
    process_lock::after_fork();
}

/// Begins anew in the child of `fork`: it has one thread, no timer, and no part of the parent's
/// file.
unsafe extern "C" fn in_child() {
    process_lock::after_fork_in_child();
    if recording::is_late() {
        return late::end_in_child();
    }
    if !recording::is_running() {
        return;
    }
    let now = ticks();
    recording::note_process();
    recording::reset_used();
    handler::reset_in_child();
    watch::reset_in_child();
    numbers::reset_in_child();
    stream::reset_in_child();
    thread::close_in_child();
    unwind::modules::reset_in_child();
    python::codes::forget();
    totals::reset_in_child(now);
    counting::begin_process();
    recording::set_started(clock::moment(now));
    match Thread::current() {
        Some(thread) => {
            thread.restart_in_child(Class::Serial, now);
            threads::restart(thread, ThreadKind::Initial);
        }
        None => thread::forget_all(),
    }
}
