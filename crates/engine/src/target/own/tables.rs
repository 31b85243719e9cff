//! Who may use a device's table.
//!
//! Without a tool that hears of the devices' operations, a thread uses the table under the lock.
//! With one, the thread takes the table away and brings it back when it is done: so tools hear of
//! each operation before and after it, and no lock is held meanwhile. Others wait for it.
//!
//! What must hold: who took a table brings it back. A tool that executes a construct inside a
//! callback, which OpenMP forbids, finds no device. The child of a process that forks meanwhile
//! has empty tables in place of those that other threads took.

use super::memory::{Blocks, DeviceMemory};
use super::{STATE, State, count, driver, is_device, lifetime, variables};
use core::mem::replace;
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_events::{Kind, wants};
use omphalos_mapping::Table;
use omphalos_sys::futex;
use omphalos_sys::thread::own;

/// What a device has of the host's memory.
#[derive(Default)]
pub(super) struct Device {
    table: Table,
    blocks: Blocks,
    /// The variables that the table knows of.
    known: variables::Known,
    /// The same of those that a driver brought.
    brought: variables::Brought,
}

/// Where that is.
pub(super) enum Place {
    Here(Device),
    /// With this thread.
    With(usize),
}

/// Counts how often something was brought back: who waits sleeps on it. It may run over: who is
/// woken looks again.
static RETURNS: AtomicU32 = AtomicU32::new(0);

/// Runs `f` with the device's table and its memory. `None` if there is no such device.
pub fn with_table<R>(device: i32, f: impl FnOnce(&mut Table, &DeviceMemory) -> R) -> Option<R> {
    let index = usize::try_from(device).ok().filter(|_| is_device(device))?;
    let driver = driver(device);
    let brought = driver.map(|driver| driver.begin());
    let is_native = driver.is_none_or(|driver| driver.is_native());
    let found = if is_native { variables::look() } else { None };
    if found.is_some() {
        lifetime::code_may_have_come();
    }
    let mut state = STATE.lock();
    if state.places.is_empty() {
        let here = || Place::Here(Device::default());
        state.places.resize_with(count() as usize, here);
    }
    state.variables.update(found);
    let mut taken = loop {
        let returns = RETURNS.load(Ordering::Acquire);
        let State { places, variables, .. } = &mut *state;
        let place = places.get_mut(index)?;
        match place {
            Place::Here(at) => {
                if is_native {
                    variables.declare(&mut at.known, &mut at.table);
                }
                if let Some(brought) = brought.as_deref() {
                    at.brought.follow(brought, &mut at.table);
                }
                if !wants(Kind::TargetDataOp) {
                    let memory = DeviceMemory::new(device, &mut at.blocks, false);
                    return Some(f(&mut at.table, &memory));
                }
                if let Place::Here(taken) = replace(place, Place::With(own())) {
                    break taken;
                }
            }
            Place::With(thread) if *thread == own() => return None,
            Place::With(_) => {
                drop(state);
                futex::wait(&RETURNS, returns, None);
                state = STATE.lock();
            }
        }
    };
    drop(state);
    let memory = DeviceMemory::new(device, &mut taken.blocks, true);
    let result = f(&mut taken.table, &memory);
    STATE.with(|state| {
        if let Some(place) = state.places.get_mut(index) {
            *place = Place::Here(taken);
        }
    });
    RETURNS.fetch_add(1, Ordering::Release);
    futex::wake(&RETURNS, u32::MAX);
    Some(result)
}

/// In a forked child: nobody brings back what other threads took. All locks are held.
pub(crate) fn after_fork_in_child() {
    STATE.with(|state| {
        for place in &mut state.places {
            if matches!(place, Place::With(thread) if *thread != own()) {
                *place = Place::Here(Device::default());
            }
        }
    });
}
