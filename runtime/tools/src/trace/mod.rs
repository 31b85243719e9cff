//! Traces devices: the host notes the devices' events, for tools that want them in buffers and not
//! as callbacks. This room knows no tool interface: an interface gives the form of its records
//! ([`Form`]), and has the entry points.
//!
//! The thread that has an event puts a record into its trace's queue. One helper thread for each
//! tool, which OpenMP does not know, takes the records from there, asks the tool for buffers, fills
//! them and gives them back: so a tool's two functions are called one at a time, on a thread that
//! holds no lock and executes nothing of the program's.
//!
//! What must hold:
//!
//! * No record is lost without a message. A thread that finds the queue full waits for the helper.
//!   Records are lost, and counted, if the tool gives no buffer, until it starts the trace anew;
//!   and if the tool keeps the helper for longer than [`PATIENCE`](waits::PATIENCE).
//! * No thread waits for ever. A thread that flushes or stops a trace waits until the tool has all
//!   records, but not inside a callback of the tool's, because the helper may need the locks of
//!   that callback, and not longer than the helper makes progress.
//! * A buffer is given back once, and then is the tool's.
//! * A trace that is stopped keeps the functions that it was started with until its last record is
//!   delivered; the next trace may have begun meanwhile.

mod buffer;
mod handle;
mod helper;
mod noting;
mod queue;
mod record;
mod traces;
mod waits;
mod wanted;

pub use buffer::{Complete, Request};
pub use handle::{device_of, handle};
pub use noting::{Names, note_before, note_behind, note_region, tell_noted};
pub use queue::{finish, lost, pause, start};
pub use record::{Body, DataOp, Lists, Mapped, Record, Traced, What, is_inside};
pub use traces::{Functions, is_recording};
pub use wanted::{recorded_of_regions, wanted, wanted_of_regions};

use omphalos_events::SLOTS;

/// The form in which an interface writes its records. They begin at multiples of 8 bytes.
pub struct Form {
    /// The bytes of a record without list items.
    pub least: usize,
    /// Returns the bytes of this record.
    pub size: fn(&Record) -> usize,
    /// Writes the record.
    ///
    /// # Safety
    /// There is room for so many bytes.
    pub write: unsafe fn(&Record, *mut u8),
}

/// The buffer size that a tool should give: room for some hundred records.
pub const RECOMMENDED_BYTES: usize = 64 << 10;

/// The number of the tool's buffers that a trace has at once.
pub const BUFFERS_AT_ONCE: i32 = 1;

/// Gives the tool all records. Returns false if the device records nothing.
pub fn flush(slot: usize, device: i32) -> bool {
    let Some(asked) = queue::flush(slot, device) else { return false };
    waits::until_delivered(slot, asked);
    true
}

/// Ends the device's trace: does what [`flush`] does, and records nothing from then on.
pub fn stop(slot: usize, device: i32) -> bool {
    let Some(asked) = queue::stop(slot, device) else { return false };
    waits::until_delivered(slot, asked);
    true
}

/// Does what [`stop`] does, for a device that goes. Also waits if the thread seems to be in a
/// callback.
pub fn end(slot: usize, device: i32) {
    if let Some(asked) = queue::stop(slot, device) {
        waits::to_the_end(slot, || queue::is_delivered(slot, asked));
    }
}

/// Returns a slot's index.
const fn index(slot: usize) -> usize {
    slot % SLOTS
}
