//! The functions of OMPT of 2013, which the runtime exports under their own names.
//!
//! There is at most one tool of that generation, and the functions answer for it. Without one they
//! give the specification's answers for that case. Later generations have functions of the same
//! names with other meanings; their tools get those by lookup. All but registration are
//! async-signal-safe.

use super::entry_points::{region, region_id, state, task, thread};
use super::generation::Generation;
use super::states;
use super::tool::tool;
use crate::entry::{put, put_next};
use core::ffi::{c_char, c_int, c_void};
use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicUsize, Ordering};
use omphalos_abi::earlier::ompt2013::ompt_state_undefined;
use omphalos_events::SLOTS;

/// The slot of the tool; [`SLOTS`] without one. Written while the runtime starts,
/// or where a debugger asks for support.
static SLOT: AtomicUsize = AtomicUsize::new(SLOTS);

/// Makes these functions answer for the tool in `slot` from this call on ([`SLOTS`]: for none).
pub fn answer_for(slot: usize) {
    SLOT.store(slot, Ordering::Release);
}

/// Returns the slot of the tool for which these functions answer.
pub fn slot() -> Option<usize> {
    let slot = SLOT.load(Ordering::Acquire);
    (slot < SLOTS).then_some(slot)
}

omphalos_sys::exported_routines! {
    /// Registers a callback. 0: no callback is possible; 1: the event never occurs; 2: called when
    /// convenient; 3: always. Only during `ompt_initialize` and after it.
    ompt_set_callback(event: c_int, callback: usize) -> c_int
        = slot().map_or(0, |slot| tool(slot).register(slot, event, callback));
    /// Writes the registered callback. Returns 1 if there is one.
    ompt_get_callback(event: c_int, callback: *mut usize) -> c_int = {
        let registered = slot().zip(usize::try_from(event).ok());
        let address = registered.map_or(0, |(slot, event)| tool(slot).callback(event));
        if address != 0 {
            put(callback, address);
        }
        c_int::from(address != 0)
    };
    /// Writes the next state, from `ompt_state_first` to `ompt_state_last`. Returns 0 for a number
    /// that is no state.
    ompt_enumerate_state(current: c_int, next: *mut c_int, name: *mut *const c_char) -> c_int
        = put_next(states::next_state(Generation::Y2013, current), next, name);
    /// Returns the tool's word on the calling thread; null before the runtime's start and without a
    /// tool.
    ompt_get_thread_data() -> *mut u64
        = slot().and_then(|slot| Some(thread(slot)?.word(slot))).unwrap_or(null_mut());
    /// Returns the calling thread's state, and writes its wait id.
    ompt_get_state(wait_id: *mut u64) -> c_int = {
        let (state, wait) = slot().map_or((ompt_state_undefined, 0), state);
        put(wait_id, wait);
        state
    };
    /// Returns the id of the region at a level, 0 outside of regions.
    ompt_get_parallel_id(level: c_int) -> u64 = slot().map_or(0, |slot| region_id(slot, level));
    /// Returns the outlined function of the region at a level, null if there is none.
    ompt_get_parallel_function(level: c_int) -> u64
        = slot()
            .filter(|slot| region_id(*slot, level) != 0)
            .and_then(|slot| region(slot, level))
            .map_or(0, |region| region.function);
    /// Returns the tool's word on the task at a level. The engine's task lives while it is on the
    /// calling thread's stack of tasks.
    ompt_get_task_data(level: c_int) -> *mut u64
        = slot()
            .and_then(|slot| Some(task(slot, level)?.task.as_ref()?.identity.word(slot)))
            .unwrap_or(null_mut());
    /// Returns the frames of the task at a level.
    ompt_get_task_frame(level: c_int) -> *const c_void
        = slot()
            .and_then(|slot| task(slot, level)?.task.as_ref())
            .map_or(null(), |task| (&raw const task.frame).cast());
    /// Returns the outlined function of the task at a level.
    ompt_get_task_function(level: c_int) -> u64
        = slot().and_then(|slot| task(slot, level)).map_or(0, |task| task.function);
    /// Returns 1, the version of April 2013.
    ompt_get_ompt_version() -> c_int = 1;
}

/// Writes vendor and version into `buffer`, with a zero at the end, cut to `length`. Returns the
/// length of the whole text.
///
/// # Safety
/// `buffer` is null or valid for `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompt_get_runtime_version(buffer: *mut c_char, length: c_int) -> c_int {
    let text = version();
    if let Ok(room @ 1..) = usize::try_from(length)
        && !buffer.is_null()
    {
        let copied = text.len().min(room - 1);
        // SAFETY: the caller's promise; the text and its zero fit.
        unsafe {
            core::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast(), copied);
            buffer.add(copied).write(0);
        }
    }
    text.len() as c_int
}

/// The function under its Fortran name: pads the text with blanks, without a zero.
///
/// # Safety
/// `buffer` is valid for `room` bytes; `length` is null or points to the number of bytes to fill.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompt_get_runtime_version_(
    buffer: *mut c_char,
    length: *const c_int,
    room: usize,
) -> c_int {
    let text = version();
    // SAFETY: the caller's promise.
    let wanted = unsafe { length.as_ref() }.and_then(|&length| usize::try_from(length).ok());
    let room = wanted.unwrap_or(room).min(room);
    if !buffer.is_null() {
        for at in 0..room {
            // SAFETY: below the room that the caller has.
            unsafe { buffer.add(at).write(*text.get(at).unwrap_or(&b' ') as c_char) };
        }
    }
    text.len() as c_int
}

/// Returns `<vendor>-<version>`, as 2013 suggests it.
fn version() -> &'static [u8] {
    const TEXT: &str =
        concat!("Omphalos-", env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));
    TEXT.as_bytes()
}
