//! Workers: hired by a primary thread, they wait at their gate, run what they are ordered, join,
//! and wait again, until the process ends or they are dismissed for good (`reserve.rs`, `omp_pause_resource`).

use super::{registry, unwatched};
use crate::records::{Thread, summons};
use crate::{hooks, tasks, team};
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_events::{Endpoint, State, ThreadKind};
use omphalos_settings::settings;
use omphalos_sync::word_lock;
use omphalos_sys::cpus::Mask;
use omphalos_sys::thread::{Made, Refused};

/// How often a new thread gives way to the maker that places it, before it sleeps.
const PLACING_TURNS: u32 = 16;

/// Why there is no worker.
pub enum NoWorker {
    /// The system refuses to make a thread.
    Refused(Refused),
    /// The process has as many as it may have (`KMP_DEVICE_THREAD_LIMIT`).
    Limit,
}

/// Gets a worker: an idle one, or a new thread.
pub fn hire() -> Result<&'static Thread, NoWorker> {
    let limit = settings().process_limit as usize;
    let found = registry::with(|lists| match lists.idle.pop() {
        Some(thread) => Some((thread, false)),
        None if registry::live() >= limit => None,
        None => {
            let again = registry::again(lists);
            Some((again.unwrap_or_else(|| registry::enrol(lists, ThreadKind::Worker)), true))
        }
    });
    let Some((thread, is_new)) = found else { return Err(NoWorker::Limit) };
    if is_new && let Err(refused) = begin(thread) {
        registry::with(|lists| registry::never_started(lists, thread));
        return Err(NoWorker::Refused(refused));
    }
    Ok(thread)
}

/// Makes the thread of a record.
///
/// The new thread needs some ten microseconds before it looks for anything: whatever need not precede it is
/// done meanwhile.
fn begin(thread: &'static Thread) -> Result<(), Refused> {
    let stack = settings().stack_size();
    let placed = may_place() && word_lock::try_acquire(&thread.placing);
    let here = omphalos_sys::cpus::current();
    let record = core::ptr::from_ref(thread).cast_mut().cast();
    // SAFETY: records are never freed, and `main` expects one.
    let made = unsafe { omphalos_sys::thread::spawn(main, record, stack) };
    if placed {
        if let Ok(made) = &made {
            place(made, here);
        }
        word_lock::release(&thread.placing);
    }
    made.map(|_| ())
}

/// Starts hidden helper thread `index`, from 0.
pub(crate) fn start_helper(index: u32) -> Result<&'static Thread, Refused> {
    let number = (tasks::FIRST_HELPER + index) as i32;
    let thread = registry::with(|lists| registry::enrol_helper(lists, number));
    match begin(thread) {
        Ok(()) => Ok(thread),
        Err(refused) => {
            registry::with(|lists| registry::forget_helper(lists, thread));
            Err(refused)
        }
    }
}

/// Whether a new thread may have to be placed.
fn may_place() -> bool {
    let settings = settings();
    settings.places.is_none() && !settings.processors.fewer_known_than(registry::live())
}

/// Places a new thread, as long as there is a processor for each: not on `here`, its maker's, where the
/// kernel often leaves it beside an idle one until its balancer comes by, milliseconds later. It has the mask
/// of its maker again before it runs anything of the program's or a tool's. The thread waits for the maker.
fn place(made: &Made, here: i32) {
    let all = Mask::of_caller();
    let processors = &settings().processors;
    if all.is_empty() {
        return;
    }
    processors.note(all.count());
    let elsewhere = all.without(here);
    if registry::live() <= processors.known() && !elsewhere.is_empty() {
        // SAFETY: it does not end while it waits.
        unsafe { made.place(&elsewhere, &all) };
    }
}

/// The new thread waits until its maker has placed it. On another processor the maker is done before the
/// thread gets here; on the maker's it gives way to it, and goes on elsewhere.
#[cold]
#[inline(never)]
fn wait_for_place(thread: &Thread) {
    for _ in 0..PLACING_TURNS {
        omphalos_sys::thread::give_way();
        if thread.placing.load(Ordering::Acquire) == 0 {
            return;
        }
    }
    word_lock::acquire_contended(&thread.placing, 0);
    word_lock::release(&thread.placing);
}

/// Says once that the system refused a thread; the program goes on with smaller teams.
pub fn warn_refused(refused: Refused, wanted: u32, got: u32) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Ordering::Relaxed) {
        let why = std::io::Error::from_raw_os_error(refused.0);
        omphalos_sys::message!(
            "a team of {wanted} threads gets only {got}: the system refused another thread ({why}); \
             see ulimit -u and -v, OMP_NUM_THREADS and OMP_STACKSIZE"
        );
    }
}

extern "C" fn main(record: *mut c_void) -> *mut c_void {
    // SAFETY: `hire` hands over a record that is never freed.
    let thread: &'static Thread = unsafe { &*record.cast::<Thread>() };
    if thread.placing.load(Ordering::Acquire) != 0 {
        wait_for_place(thread);
    }
    // Before anything can ask, a signal handler perhaps.
    thread.set_state(State::IDLE);
    thread.is_callers();
    // SAFETY: as above.
    let mistaken =
        unsafe { omphalos_sys::tls::replace_record(record.cast()).cast::<Thread>().as_ref() };
    if let Some(mistaken) = mistaken {
        registry::take_back(mistaken);
    }
    unwatched::allow(thread, false);
    if thread.is_helper() {
        tasks::settle_helper(thread);
    }
    let here = 0u8;
    thread.idle_frame.set(&raw const here as u64);
    hooks::thread_begin(thread, ThreadKind::Worker);
    omphalos_sys::debugger::thread_begin();
    hooks::idle(thread, Endpoint::Begin);
    // An order may have come before the thread ran.
    let mut last = thread.first_order.get();
    let mut fresh = true;
    loop {
        last = team::wait_for_order(thread, last);
        match thread.summons.load(Ordering::Acquire) {
            summons::NONE => team::obey(thread),
            summons::HELPER => {
                thread.summons.store(summons::NONE, Ordering::Relaxed);
                hooks::idle(thread, Endpoint::End);
                tasks::serve_hidden(thread);
            }
            summons::AGENT => {
                thread.summons.store(summons::NONE, Ordering::Relaxed);
                hooks::idle(thread, Endpoint::End);
                tasks::serve_pool(thread);
            }
            _ => {
                hooks::idle(thread, Endpoint::End);
                registry::worker_ends(thread);
                return core::ptr::null_mut();
            }
        }
        if core::mem::take(&mut fresh) {
            // Often a new thread runs where the one that made it ran, which is now in its way.
            omphalos_sys::thread::give_way();
        }
        thread.set_state(State::IDLE);
        hooks::idle(thread, Endpoint::Begin);
    }
}
