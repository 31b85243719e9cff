//! The way from a runtime to a tool: the result of `ompt_start_tool`, registration, the end.
//!
//! What must hold: nothing unwinds into the runtime; a tool is made once in a process, however many
//! runtimes ask for one.

use crate::events::Events;
use crate::host::Host;
use crate::tool::{Runtime, Tool};
use core::ffi::{CStr, c_char, c_int, c_uint};
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering::Relaxed};
use omphalos_abi::ompt::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// The place that holds a tool; [`tool!`](crate::tool!) makes the one of a library.
pub struct Place<T> {
    tool: OnceLock<Option<T>>,
    failed: AtomicBool,
    result: AtomicPtr<ompt_start_tool_result_t>,
}

impl<T> Place<T> {
    /// Makes an empty place.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Place {
            tool: OnceLock::new(),
            failed: AtomicBool::new(false),
            result: AtomicPtr::new(core::ptr::null_mut()),
        }
    }
}

/// A tool that has a place; implemented by [`tool!`](crate::tool!).
pub trait Attached: Tool {
    /// The place.
    fn place() -> &'static Place<Self>;
}

/// Runs `body` on the tool. A panic is reported, and the tool is not called again.
#[inline]
pub(crate) fn call<T: Attached, R>(otherwise: R, body: impl FnOnce(&'static T) -> R) -> R {
    let place = T::place();
    let Some(Some(tool)) = place.tool.get() else { return otherwise };
    if cfg!(panic = "abort") {
        return body(tool);
    }
    if place.failed.load(Relaxed) {
        return otherwise;
    }
    catch_unwind(AssertUnwindSafe(|| body(tool))).unwrap_or_else(|_| {
        failed(place);
        otherwise
    })
}

#[cold]
fn failed<T>(place: &Place<T>) {
    if !place.failed.swap(true, Relaxed) {
        let name = core::any::type_name::<T>();
        eprintln!("omphalos-ompt: the tool {name} panicked: it is not called any more");
    }
}

/// Does the work of `ompt_start_tool`.
///
/// # Safety
/// For an OpenMP runtime; `name` is null or a C string.
pub unsafe fn start<T: Attached>(
    openmp: c_uint,
    name: *const c_char,
) -> *mut ompt_start_tool_result_t {
    let place = T::place();
    // SAFETY: not null, so the runtime's own string.
    let name = if name.is_null() { c"" } else { unsafe { CStr::from_ptr(name) } };
    let runtime = Runtime { openmp, name };
    let made = place.tool.get_or_init(|| {
        catch_unwind(AssertUnwindSafe(|| T::start(runtime))).unwrap_or_else(|_| {
            failed(place);
            None
        })
    });
    if made.is_none() {
        return core::ptr::null_mut();
    }
    let known = place.result.load(Relaxed);
    if !known.is_null() {
        return known;
    }
    let result = Box::into_raw(Box::new(ompt_start_tool_result_t {
        initialize: Some(initialize::<T>),
        finalize: Some(finalize::<T>),
        tool_data: ompt_data_none,
    }));
    place.result.store(result, Relaxed);
    result
}

unsafe extern "C" fn initialize<T: Attached>(
    lookup: ompt_function_lookup_t,
    _initial_device: c_int,
    _data: *mut ompt_data_t,
) -> c_int {
    // SAFETY: the runtime's lookup.
    let host = unsafe { Host::new(lookup) };
    call::<T, c_int>(0, |tool| {
        for (event, answer) in host.attach_events(tool, T::EVENTS) {
            let number = event.bits().trailing_zeros() as c_int;
            tool.answered(number, Events::name(number), answer);
        }
        c_int::from(tool.ready(host))
    })
}

unsafe extern "C" fn finalize<T: Attached>(_data: *mut ompt_data_t) {
    call::<T, ()>((), |tool| tool.end());
}
