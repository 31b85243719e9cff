//! Tracing of devices: a tool gets a [`Device`] with [`DeviceInitialize`](crate::DeviceInitialize).
//!
//! Buffers are this crate's own: it gives the tool each record and frees them.
//!
//! What must hold: a device is asked only through its own lookup; each function from it has the
//! type for its name.

mod record;

pub use record::{Record, Recorded};

use crate::attach::{Attached, call};
use crate::kinds::Answer;
use core::ffi::{c_int, c_void};
use core::mem::transmute;
use omphalos_abi::ompt::*;
use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A device that can be traced. Any thread may ask it, until the device is finalized. Not in a
/// signal handler.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    number: i32,
    handle: *mut ompt_device_t,
    lookup: ompt_function_lookup_t,
}

// SAFETY: a handle and a function of the runtime's, which any thread may use.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

/// The devices whose traces were started, by number.
static TRACED: Mutex<BTreeMap<i32, Device>> = Mutex::new(BTreeMap::new());

/// The size of buffers, bytes, where the runtime does not ask for another.
const BUFFER_BYTES: usize = 64 << 10;

macro_rules! functions {
    ($($name:ident: $type:ty,)*) => { $(
        fn $name(self) -> Option<$type> {
            // SAFETY: a C string; the device's own function.
            let found = unsafe { (self.lookup)(concat!(stringify!($name), "\0").as_ptr().cast()) };
            // SAFETY: what the runtime gave for this name has this type.
            found.map(|found| unsafe { transmute::<ompt_interface_fn_t, $type>(found) })
        }
    )* };
}

impl Device {
    pub(crate) fn new(
        number: i32,
        handle: *mut ompt_device_t,
        lookup: ompt_function_lookup_t,
    ) -> Device {
        Device { number, handle, lookup }
    }

    functions! {
        ompt_get_device_num_procs: ompt_get_device_num_procs_t,
        ompt_get_device_time: ompt_get_device_time_t,
        ompt_translate_time: ompt_translate_time_t,
        ompt_set_trace_ompt: ompt_set_trace_ompt_t,
        ompt_start_trace: ompt_start_trace_t,
        ompt_pause_trace: ompt_pause_trace_t,
        ompt_flush_trace: ompt_flush_trace_t,
        ompt_stop_trace: ompt_stop_trace_t,
        ompt_advance_buffer_cursor: ompt_advance_buffer_cursor_t,
        ompt_get_record_type: ompt_get_record_type_t,
        ompt_get_record_ompt: ompt_get_record_ompt_t,
        omphalos_lost_records: omphalos_lost_records_t,
    }

    /// Its number.
    pub fn number(self) -> i32 {
        self.number
    }

    /// The number of its processors, 0 if not known.
    pub fn num_procs(self) -> i32 {
        // SAFETY: the device's handle.
        self.ompt_get_device_num_procs().map_or(0, |ask| unsafe { ask(self.handle) })
    }

    /// The time on the device, in its own unit; 0 if not known.
    pub fn time(self) -> u64 {
        // SAFETY: as above.
        self.ompt_get_device_time().map_or(0, |ask| unsafe { ask(self.handle) })
    }

    /// A time of the device's in seconds of `omp_get_wtime`; 0 if not known.
    pub fn seconds(self, time: u64) -> f64 {
        // SAFETY: as above.
        self.ompt_translate_time().map_or(0.0, |ask| unsafe { ask(self.handle, time) })
    }

    /// Makes the device record events of this number (`ompt_callbacks_t`, 0: all), or, without
    /// `enable`, leave them out.
    pub fn record(self, number: c_int, enable: bool) -> Answer {
        let Ok(number) = u32::try_from(number) else { return Answer::from(ompt_set_error) };
        let set = self.ompt_set_trace_ompt();
        // SAFETY: as above.
        let answer =
            set.map_or(ompt_set_error, |set| unsafe { set(self.handle, enable.into(), number) });
        Answer::from(answer)
    }

    /// Makes the device record from here on; the tool gets each record ([`Tool::recorded`]). False
    /// if it cannot, or does already.
    ///
    /// [`Tool::recorded`]: crate::Tool::recorded
    pub fn start<T: Attached>(self) -> bool {
        let mut traced = TRACED.lock().unwrap_or_else(PoisonError::into_inner);
        let before = traced.insert(self.number, self);
        drop(traced);
        // SAFETY: the device's handle; the two functions have the types that it wants.
        let started = self
            .ompt_start_trace()
            .is_some_and(|start| unsafe { start(self.handle, request, complete::<T>) == 1 });
        if !started && before.is_none() {
            TRACED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.number);
        }
        started
    }

    /// Pauses the trace, or, without `pause`, lets it go on. False if there is no trace.
    pub fn pause(self, pause: bool) -> bool {
        // SAFETY: the device's handle.
        self.ompt_pause_trace().is_some_and(|ask| unsafe { ask(self.handle, pause.into()) == 1 })
    }

    /// Gives the tool the records so far. False if nothing records.
    pub fn flush(self) -> bool {
        // SAFETY: as above.
        self.ompt_flush_trace().is_some_and(|ask| unsafe { ask(self.handle) == 1 })
    }

    /// As [`Device::flush`], and stops recording.
    pub fn stop(self) -> bool {
        // SAFETY: as above.
        self.ompt_stop_trace().is_some_and(|ask| unsafe { ask(self.handle) == 1 })
    }

    /// Returns how many records are lost; `None` where the runtime does not say (only Omphalos'
    /// does).
    pub fn lost(self) -> Option<u64> {
        // SAFETY: as above.
        self.omphalos_lost_records().map(|ask| unsafe { ask(self.handle) })
    }

    /// Shows each record of a buffer.
    ///
    /// # Safety
    /// The runtime gave it back with these values.
    unsafe fn read(self, buffer: *mut c_void, bytes: usize, begin: u64, show: impl Fn(Record<'_>)) {
        let (Some(kind), Some(record), Some(advance)) = (
            self.ompt_get_record_type(),
            self.ompt_get_record_ompt(),
            self.ompt_advance_buffer_cursor(),
        ) else {
            return;
        };
        if bytes == 0 {
            return;
        }
        let mut cursor = begin;
        // SAFETY: the caller's promise; the record lives as long as the buffer.
        unsafe {
            loop {
                if kind(buffer, cursor) == ompt_record_ompt
                    && let Some(record) = record(buffer, cursor).as_ref()
                {
                    show(Record::read(record));
                }
                if advance(self.handle, buffer, bytes, cursor, &mut cursor) == 0 {
                    return;
                }
            }
        }
    }
}

/// Returns the layout of a buffer, whose first word is its size.
fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.checked_add(HEAD)?, HEAD).ok()
}

/// The bytes before a buffer: its size, and padding that keeps it aligned.
const HEAD: usize = 16;

unsafe extern "C" fn request(_device: c_int, buffer: *mut *mut ompt_buffer_t, bytes: *mut usize) {
    // SAFETY: the runtime's output pointers; `*bytes` is what it wants at least, or anything.
    unsafe {
        let wanted = (*bytes).clamp(BUFFER_BYTES, 1 << 30);
        let memory = layout(wanted).map_or(core::ptr::null_mut(), |layout| alloc(layout));
        if memory.is_null() {
            (*buffer, *bytes) = (core::ptr::null_mut(), 0);
            return;
        }
        memory.cast::<usize>().write(wanted);
        (*buffer, *bytes) = (memory.add(HEAD).cast(), wanted);
    }
}

unsafe extern "C" fn complete<T: Attached>(
    number: c_int,
    buffer: *mut ompt_buffer_t,
    bytes: usize,
    begin: ompt_buffer_cursor_t,
    owned: c_int,
) {
    let traced = TRACED.lock().unwrap_or_else(PoisonError::into_inner).get(&number).copied();
    if buffer.is_null() {
        return;
    }
    if let Some(device) = traced {
        // SAFETY: as the runtime gave it back.
        call::<T, ()>((), |tool| unsafe {
            device.read(buffer, bytes, begin, |record| tool.recorded(number, record));
        });
    }
    if owned != 0 {
        // SAFETY: one of `request`, which the runtime has given back for good.
        unsafe {
            let memory = buffer.cast::<u8>().sub(HEAD);
            let size = memory.cast::<usize>().read();
            if let Some(layout) = layout(size) {
                dealloc(memory, layout);
            }
        }
    }
}
