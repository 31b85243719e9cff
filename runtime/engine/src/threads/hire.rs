//! Hires workers: an idle one, or a new thread. `process/worker.rs` has a worker's life.

use super::registry;
use crate::process::worker;
use crate::records::Thread;
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_events::{State, ThreadKind};
use omphalos_settings::Helpers;
use omphalos_settings::settings;
use omphalos_sync::word_lock;
use omphalos_sys::cpus::Mask;
use omphalos_sys::thread::{Made, Refused};

/// The cause why there is no worker.
pub enum NoWorker {
    /// The system refuses to make a thread.
    Refused(Refused),
    /// The process has as many workers as it may have (`KMP_DEVICE_THREAD_LIMIT`).
    Limit,
}

/// Gets a worker that serves the host (0), or a device (its number + 1): an idle one, or a new
/// thread.
pub fn hire(serves: u8) -> Result<&'static Thread, NoWorker> {
    let limit = settings().process_limit as usize;
    let found = registry::with(|lists| match registry::idle(lists, serves) {
        Some(thread) => Some((thread, false)),
        None if registry::live() >= limit => None,
        None => {
            let again = registry::take_free(lists);
            let thread = again.unwrap_or_else(|| registry::enrol(lists, ThreadKind::Worker));
            thread.serves.set(thread.as_owner(), serves);
            Some((thread, true))
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
/// The new thread needs some ten microseconds before it does anything. Meanwhile its maker chooses
/// a processor for it; the thread waits on `placing` until this is done.
fn begin(thread: &'static Thread) -> Result<(), Refused> {
    let stack = settings().next_stack();
    // A debugger may look before the thread runs.
    thread.set_state(State::IDLE);
    let placed = may_place() && word_lock::try_acquire(&thread.placing);
    let here = omphalos_sys::cpus::current();
    let record = core::ptr::from_ref(thread).cast_mut().cast();
    // SAFETY: records are never freed, and `main` expects one.
    let spawn = |stack| unsafe { omphalos_sys::thread::spawn(worker::main, record, stack) };
    let made =
        spawn(stack).or_else(|refused| settings().smaller_stack(stack).map_or(Err(refused), spawn));
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
    let number = (Helpers::FIRST_NUMBER + index) as i32;
    let thread = registry::with(|lists| registry::enrol_helper(lists, number));
    match begin(thread) {
        Ok(()) => Ok(thread),
        Err(refused) => {
            registry::with(|lists| registry::forget_helper(lists, thread));
            Err(refused)
        }
    }
}

/// Whether a new thread may have to be placed on a processor other than its maker's.
fn may_place() -> bool {
    let settings = settings();
    settings.places.is_none() && !settings.processors.fewer_known_than(registry::live())
}

/// Places a new thread on a processor other than `here`, its maker's, if there is a processor for
/// each thread. Otherwise the kernel often leaves it on its maker's processor, although another one
/// is idle, until its balancer runs, milliseconds later. The new thread waits for its maker, and it
/// has its maker's mask again before it runs anything of the program or of a tool.
fn place(made: &Made, here: i32) {
    let all = Mask::of_caller();
    let processors = &settings().processors;
    if all.is_empty() {
        return;
    }
    processors.note(&all);
    let elsewhere = all.without(here);
    if registry::live() <= processors.known() && !elsewhere.is_empty() {
        // SAFETY: it does not end while it waits.
        unsafe { made.place(&elsewhere, &all) };
    }
}

/// Says once that the system refused a thread; the program goes on with smaller teams.
pub fn warn_refused(refused: Refused, wanted: u32, got: u32) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Ordering::Relaxed) {
        let why = std::io::Error::from_raw_os_error(refused.0);
        omphalos_sys::message!(
            "a team of {wanted} threads gets only {got}: the system refused another thread \
             ({why}); see ulimit -u and -v, OMP_NUM_THREADS and OMP_STACKSIZE"
        );
    }
}
