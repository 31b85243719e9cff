//! Answers to questions about places.
//!
//! Who calls: the routines of OpenMP in `capi` (`omp_get_place_num` and the like), and tools, by
//! the table in the engine's `inquire.rs`. A tool may call in a signal handler, so all functions
//! but [`place_num`] are async-signal-safe: they read the settings and the calling thread's
//! records. `place_num` may bind the thread and print its line of affinity; tools have
//! [`known_place`] instead.

use crate::records::Thread;
use omphalos_settings::settings;

/// Returns the number of places; 0 if threads are not bound.
pub fn num_places() -> i32 {
    settings().places.as_ref().map_or(0, |places| places.count() as i32)
}

/// Writes the processors of a place, as many as fit, and returns how many the place has; 0 if there
/// is no such place.
pub fn place_proc_ids(place: i32, into: &mut [i32]) -> i32 {
    let Some(places) = &settings().places else { return 0 };
    let cpus = places.cpus(place);
    for (to, &cpu) in into.iter_mut().zip(cpus) {
        *to = cpu as i32;
    }
    cpus.len() as i32
}

/// Returns the place that the calling thread is bound to; -1 for none. Binds the process's first
/// thread first, if nothing has bound it yet.
pub fn place_num() -> i32 {
    let Some(thread) = Thread::known() else { return -1 };
    if settings().places.is_some() && !thread.slot.get().is_null() {
        super::settle::bind_first(thread);
    }
    thread.place.get()
}

/// Returns the place that the calling thread was bound to; -1 for none. Binds nothing.
pub fn known_place() -> i32 {
    Thread::known().map_or(-1, |thread| thread.place.get())
}

/// Writes the numbers of the places in the calling task's partition, as many as fit, and returns
/// how many the partition has.
pub fn partition_place_nums(into: &mut [i32]) -> i32 {
    let Some(thread) = Thread::known() else { return 0 };
    let slot = thread.slot.get();
    if slot.is_null() || settings().places.is_none() {
        return 0;
    }
    // SAFETY: slots are never freed.
    let (first, last) = unsafe { &*slot }.partition.get();
    if first < 0 {
        return 0;
    }
    for (to, place) in into.iter_mut().zip(first..=last) {
        *to = place;
    }
    last - first + 1
}
