//! The devices that the host plays (`OMPHALOS_DEVICES`): memory of their own, in the host's address
//! space; regions that know where they run; the host's own threads.
//!
//! What the program maps has its counterpart elsewhere, so what it forgets to map, to copy or to
//! attach shows as on a GPU. What does not show: a region that follows an address of the host's
//! reads and writes the host's memory, where a GPU would fault. `declare target` variables are the
//! host's own, since the host's code names them by their addresses; so is what they point to.
//!
//! What must hold: tables change under the lock alone. No code of the program or of a tool runs
//! under it.

mod construct;
mod memory;
mod variables;

pub use construct::{construct, run};
pub use memory::DeviceMemory;

use crate::records::Thread;
use core::ffi::c_void;
use memory::Blocks;
use omphalos_mapping::{Mapping, Table};
use omphalos_settings as icv;
use omphalos_sync::process_lock::{ProcessLock, rank};
use std::collections::BTreeMap;

/// How many there are: 0 unless the environment asks for some.
pub fn count() -> i32 {
    icv::ensure();
    icv::settings().devices as i32
}

/// Whether this is the number of one of them.
pub fn is_device(device: i32) -> bool {
    (0..count()).contains(&device)
}

/// The device that the calling thread's code runs on.
pub fn current(thread: &Thread) -> Option<i32> {
    let mut team = Some(thread.team());
    while let Some(at) = team {
        let device = at.on_device.get();
        if device != 0 {
            return Some(i32::from(device) - 1);
        }
        team = at.parent();
    }
    None
}

/// A `target data` region under way.
pub enum Open {
    /// On the host: nothing is mapped.
    Host,
    /// On a device.
    Device(i32, Mapping),
}

#[derive(Default)]
struct State {
    tables: Vec<Table>,
    blocks: Vec<Blocks>,
    variables: variables::Known,
    /// By thread, the innermost last.
    open: BTreeMap<usize, Vec<Open>>,
}

static STATE: ProcessLock<State, { rank::DEVICES }> = ProcessLock::new(State {
    tables: Vec::new(),
    blocks: Vec::new(),
    variables: variables::Known::new(),
    open: BTreeMap::new(),
});

/// Runs `f` with the device's table and its memory; tools hear what it did afterwards. `None` if
/// there is no such device.
pub fn with_table<R>(device: i32, f: impl FnOnce(&mut Table, &DeviceMemory) -> R) -> Option<R> {
    let index = usize::try_from(device).ok().filter(|_| is_device(device))?;
    let found = variables::look();
    let (result, done) = STATE.with(|state| {
        if state.tables.is_empty() {
            let wanted = icv::settings().devices as usize;
            state.tables.resize_with(wanted, Table::new);
            state.blocks.resize_with(wanted, Blocks::new);
        }
        state.variables.update(found, &mut state.tables);
        let (table, blocks) = (state.tables.get_mut(index)?, state.blocks.get_mut(index)?);
        let memory = DeviceMemory::new(device, blocks);
        let result = f(table, &memory);
        Some((result, memory.done()))
    })?;
    done.into_iter().for_each(construct::tell);
    Some(result)
}

/// A block of the device's memory for the program, in which nothing was written; null if there is
/// none.
pub fn give(device: i32, bytes: usize) -> *mut c_void {
    let block = with_table(device, |_, memory| memory.give(bytes)).flatten();
    block.unwrap_or(0) as *mut c_void
}

/// Takes such a block back. False if it is none of that device's.
pub fn take(device: i32, block: *mut c_void) -> bool {
    with_table(device, |_, memory| memory.take(block as usize)) == Some(true)
}

/// A `target data` region begins on the calling thread.
pub fn begin_data(thread: &Thread, open: Open) {
    let key = core::ptr::from_ref(thread) as usize;
    STATE.with(|state| state.open.entry(key).or_default().push(open));
}

/// The innermost one ends.
pub fn end_data(thread: &Thread) -> Option<Open> {
    let key = core::ptr::from_ref(thread) as usize;
    STATE.with(|state| {
        let list = state.open.get_mut(&key)?;
        let open = list.pop();
        if list.is_empty() {
            state.open.remove(&key);
        }
        open
    })
}
