//! The devices that the host plays (`OMPHALOS_DEVICES`). They have memory of their own, in the
//! host's address space. Their regions know on which device they run, and the host's threads
//! execute them.
//!
//! Memory that the program maps has its copy elsewhere. So a forgotten map, copy or attachment
//! shows as it does on a GPU. One fault does not show: a region that follows an address of the
//! host's reads and writes the host's memory, where a GPU would fault. `declare target` variables
//! are the host's own, because the host's code names them by their addresses; so is the memory that
//! they point to.
//!
//! Drivers (`drivers.rs`, for GCC's plugins) may offer other devices in place of these. Tables,
//! counts and constructs are the same then.
//!
//! Who calls: the interfaces in `capi` for constructs and routines, `devices.rs` one folder up for
//! the numbers of devices, and `inquire.rs` for tools.
//!
//! What must hold: one thread at a time changes a device's table, and threads that use different
//! devices do not wait for each other. No code of the program or of a tool runs under a lock.

mod construct;
mod drivers;
mod faults;
mod images;
mod lifetime;
mod memory;
pub mod rests;
mod tables;
mod variables;
pub mod watch;

pub use construct::{call, construct, run};
pub use drivers::{Driver, Found, Limits, Variables, copy, driver, fill, offer};
pub use images::{Entry, What, load, region, unload};
pub(crate) use lifetime::{begin, end, tool_leaves};
pub use memory::DeviceMemory;
pub use tables::with_table;

use crate::records::Thread;
use core::ffi::c_void;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_index::Index;
use omphalos_mapping::Mapping;
use omphalos_settings as icv;
use omphalos_sync::process_lock::{ProcessLock, rank};

/// Sets this module's state right in a forked child, where only the calling thread is left. All
/// locks are held.
pub(crate) fn after_fork_in_child() {
    tables::after_fork_in_child();
    lifetime::after_fork_in_child();
}

/// Returns the number of devices: 0 unless the environment asks for some. The first call may load
/// plugins to ask them.
pub fn count() -> i32 {
    match wanted() {
        icv::UNKNOWN_DEVICES => drivers::find(),
        known => known as i32,
    }
}

/// Returns the number of devices that are known: 0 until the plugins have been asked ([`count`]).
/// Async-signal-safe once the environment has been read.
pub fn known_count() -> i32 {
    match wanted() {
        icv::UNKNOWN_DEVICES => 0,
        known => known as i32,
    }
}

/// Whether there may be devices: the environment asks for some, and no plugin has said that there
/// are none.
#[inline(always)]
pub fn may_be_any() -> bool {
    wanted() != 0
}

/// Whether the host plays devices: the environment asks for devices and for no plugin.
pub fn are_played() -> bool {
    !matches!(wanted(), 0 | icv::UNKNOWN_DEVICES) && icv::settings().plugins.is_empty()
}

/// Returns the setting: a number, or [`icv::UNKNOWN_DEVICES`] while the plugins have not been
/// asked.
#[inline(always)]
fn wanted() -> u32 {
    icv::ensure();
    icv::settings().devices.load(Relaxed)
}

/// Whether this is the number of a device.
pub fn is_device(device: i32) -> bool {
    (0..count()).contains(&device)
}

/// Returns the device that a thread's code runs on; `None` on the host.
pub fn current(thread: &Thread) -> Option<i32> {
    thread.device()
}

/// Does what [`current`] does, for the calling thread, which OpenMP need not know yet.
pub fn running_on() -> Option<i32> {
    if may_be_any() { Thread::current().device() } else { None }
}

/// A `target data` region under way.
pub enum Open {
    /// On the host: nothing is mapped.
    Host,
    /// On a device.
    Device(i32, Mapping),
}

/// The state that all devices have in common.
struct State {
    variables: variables::Known,
    images: images::Images,
    /// `target data` regions under way, by the address of their thread's record; the innermost
    /// last.
    open: Index<Vec<Open>>,
    /// The code that the devices have, as tools were told.
    modules: Vec<lifetime::Module>,
}

static STATE: ProcessLock<State, { rank::DEVICES }> = ProcessLock::new(State {
    variables: variables::Known::new(),
    images: images::Images::new(),
    open: Index::new(),
    modules: Vec::new(),
});

/// Gives the program a block of the device's memory, in which nothing was written; null if there is
/// no room.
pub fn give(device: i32, bytes: usize) -> *mut c_void {
    let block = with_table(device, |_, memory| memory.give(bytes)).flatten();
    block.unwrap_or(0) as *mut c_void
}

/// Takes back a block that [`give`] gave. Returns false if the device has no such block.
pub fn take(device: i32, block: *mut c_void) -> bool {
    with_table(device, |_, memory| memory.take(block as usize)) == Some(true)
}

/// Returns the length in bytes of a block that [`give`] gave; 0 if the block is not this device's.
pub fn length(device: i32, block: *mut c_void) -> usize {
    let length = with_table(device, |_, memory| memory.length(block as usize)).flatten();
    length.unwrap_or(0)
}

/// Notes that a `target data` region begins on the calling thread.
pub fn begin_data(thread: &Thread, open: Open) {
    let key = core::ptr::from_ref(thread) as usize;
    STATE.with(|state| state.open.or_default(key).push(open));
}

/// Ends the innermost `target data` region of the calling thread and returns it; `None` if there is
/// none.
pub fn end_data(thread: &Thread) -> Option<Open> {
    let key = core::ptr::from_ref(thread) as usize;
    STATE.with(|state| {
        let list = state.open.get_mut(key)?;
        let open = list.pop();
        if list.is_empty() {
            state.open.remove(key);
        }
        open
    })
}
