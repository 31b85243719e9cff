//! A runtime's answers about the machine and itself: processors, places, devices, the names of
//! states and mutexes.

use super::*;

impl Host {
    /// The number of the machine's processors, 0 if not known. Async-signal-safe.
    pub fn num_procs(self) -> i32 {
        // SAFETY: no arguments.
        ompt_get_num_procs().map_or(0, |ask| unsafe { ask() })
    }

    /// Processor of the calling thread, negative if not known. Async-signal-safe.
    pub fn proc_id(self) -> i32 {
        // SAFETY: no arguments.
        ompt_get_proc_id().map_or(-1, |ask| unsafe { ask() })
    }

    /// The number of places of the initial task. Async-signal-safe.
    pub fn num_places(self) -> i32 {
        // SAFETY: no arguments.
        ompt_get_num_places().map_or(0, |ask| unsafe { ask() })
    }

    /// The place of the calling thread, `None` if it is not bound. Async-signal-safe.
    pub fn place_num(self) -> Option<i32> {
        // SAFETY: no arguments.
        let place = ompt_get_place_num().map_or(-1, |ask| unsafe { ask() });
        (place >= 0).then_some(place)
    }

    /// The processors of a place.
    pub fn place_proc_ids(self, place: i32) -> Vec<i32> {
        let Some(ask) = ompt_get_place_proc_ids() else { return Vec::new() };
        // SAFETY: as many numbers are written as the second argument says there is room for.
        fill(|size, numbers| unsafe { ask(place, size, numbers) })
    }

    /// The places of the current task's partition.
    pub fn partition_place_nums(self) -> Vec<i32> {
        let Some(ask) = ompt_get_partition_place_nums() else { return Vec::new() };
        // SAFETY: as above.
        fill(|size, numbers| unsafe { ask(size, numbers) })
    }

    /// The number of devices that the program can use, without the host. Async-signal-safe.
    pub fn num_devices(self) -> i32 {
        // SAFETY: no arguments.
        ompt_get_num_devices().map_or(0, |ask| unsafe { ask() })
    }

    /// Every state that the runtime can be in, with its name.
    pub fn states(self) -> Vec<(State, String)> {
        let Some(ask) = ompt_enumerate_states() else { return Vec::new() };
        // SAFETY: the pointers are valid for the call.
        let list = enumerate(ompt_state_undefined, |current, next, name| unsafe {
            ask(current, next, name)
        });
        list.into_iter().map(|(number, name)| (State::from(number), name)).collect()
    }

    /// Every kind of mutex that the runtime has, with its name.
    pub fn mutex_implementations(self) -> Vec<(i32, String)> {
        let Some(ask) = ompt_enumerate_mutex_impls() else { return Vec::new() };
        // SAFETY: the pointers are valid for the call.
        enumerate(ompt_mutex_impl_none, |current, next, name| unsafe { ask(current, next, name) })
    }
}

/// Asks for numbers until all fit; `ask` returns how many there are.
fn fill(ask: impl Fn(c_int, *mut c_int) -> c_int) -> Vec<i32> {
    let mut numbers = vec![0; 64];
    loop {
        let count = ask(numbers.len() as c_int, numbers.as_mut_ptr()).max(0) as usize;
        if count <= numbers.len() {
            numbers.truncate(count);
            return numbers;
        }
        numbers = vec![0; count];
    }
}

fn enumerate(
    first: c_int,
    ask: impl Fn(c_int, *mut c_int, *mut *const c_char) -> c_int,
) -> Vec<(c_int, String)> {
    let (mut list, mut current) = (Vec::new(), first);
    let (mut next, mut name) = (0, core::ptr::null());
    // The list is bounded, in case a runtime never says that there are no more.
    while list.len() < 10_000 && ask(current, &mut next, &mut name) == 1 {
        let text = if name.is_null() {
            String::new()
        } else {
            // SAFETY: not null, so the runtime's own string.
            unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
        };
        list.push((next, text));
        current = next;
    }
    list
}
