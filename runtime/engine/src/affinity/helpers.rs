//! Binds hidden helper threads to processors, and tells the user which ones.
//!
//! Who calls: `tasks::helpers`, before the first helper starts, and at the begin of each one.

use crate::records::Thread;
use omphalos_settings::places::{Wish, range_list};
use omphalos_settings::settings;
use omphalos_sys::{cpus, stderr};

/// The numbers of LLVM's messages.
const MIGRATE: u32 = 145;
const BOUND: u32 = 254;

/// Prints how far helpers may move, if the environment asks for it. Called before the first helper
/// starts.
pub(crate) fn tell_range() {
    let Some(places) = settings().helpers.places.as_ref().filter(|places| places.verbose) else {
        return;
    };
    if places.levels > 0 {
        let levels = places.levels;
        stderr::info(
            MIGRATE,
            format_args!(
                "KMP_HIDDEN_HELPER_AFFINITY: Threads may migrate across {levels} innermost levels \
                 of machine"
            ),
        );
    }
}

/// Binds the calling thread, a new helper, to the processors of the helpers. A new thread has the
/// mask of its maker, which may be bound to one of the program's places.
pub(crate) fn settle(thread: &Thread, index: u32) {
    let settings = settings();
    let places = settings.helpers.places.as_ref();
    let wish = places.and_then(|places| places.wish.as_ref());
    let own = match wish {
        Some(Wish { places, .. }) if !places.is_empty() => &places[index as usize % places.len()],
        _ => &settings.mask,
    };
    if !own.is_empty() {
        // A refusal (the mask shrank meanwhile) leaves the thread where it is.
        cpus::bind(0, own);
    }
    if places.is_some_and(|places| places.verbose) {
        let (process, number) = (std::process::id(), thread.gtid);
        let (system, set) = (omphalos_sys::thread::id(), range_list(&cpus::affinity()));
        stderr::info(
            BOUND,
            format_args!(
                "KMP_HIDDEN_HELPER_AFFINITY: pid {process} tid {system} thread {number} bound to \
                 OS proc set {set}"
            ),
        );
    }
}
