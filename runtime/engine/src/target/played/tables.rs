//! Keeps the tables of the devices, and lets one thread at a time use each.
//!
//! Without a tool that is told of the devices' operations, a thread uses the table under its lock.
//! With one, the thread takes the table away and brings it back when it is done. So tools are told
//! of each operation before and after it, and no lock is held meanwhile. Other threads wait for the
//! table. Each device has a lock of its own, so threads that use different devices do not wait for
//! each other.
//!
//! What must hold: a thread that took a table brings it back. A tool that executes a construct
//! inside a callback, which OpenMP forbids, finds no device. The child of a process that forks
//! meanwhile has empty tables in place of those that other threads took.

use super::memory::{Blocks, DeviceMemory};
use super::{driver, is_device, lifetime, variables};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_events::{Kind, wants};
use omphalos_mapping::Table;
use omphalos_settings::MOST_DEVICES;
use omphalos_sync::process_lock::numbered::{COUNT, NumberedLocks};
use omphalos_sys::futex;
use omphalos_sys::thread::own_pthread;

/// The parts of the host's memory that a device has.
#[derive(Default)]
struct Device {
    table: Table,
    blocks: Blocks,
    /// The variables that the table has, as the latest look found them.
    known: variables::Known,
    /// The variables that a driver brought and the table has.
    brought: variables::Brought,
}

/// The place of a [`Device`]. Boxed, because the file has room for as many places as a process may
/// have devices.
struct Place {
    /// The device's state; `None` before the first use, and while a thread has it.
    here: Option<Box<Device>>,
    /// The thread that took the device's state, or 0.
    with: usize,
}

static PLACES: NumberedLocks<Place> =
    NumberedLocks::new([const { UnsafeCell::new(Place { here: None, with: 0 }) }; COUNT]);

const _: () = assert!(MOST_DEVICES as usize <= COUNT);

/// For each device, the number of times that its table was brought back. A thread that waits for
/// the table sleeps on this word. The number may wrap: a thread that is woken looks again.
static RETURNS: [AtomicU32; COUNT] = [const { AtomicU32::new(0) }; COUNT];

/// Runs `f` with the device's table and its memory, and returns its result. `None` if there is no
/// such device, or if the calling thread has the table already.
pub fn with_table<R>(device: i32, f: impl FnOnce(&mut Table, &DeviceMemory) -> R) -> Option<R> {
    let (mut f, mut result) = (Some(f), None);
    let given = with_table_of(device, &mut |table, memory| {
        result = f.take().map(|f| f(table, memory));
    });
    given.and(result)
}

/// Does the part of [`with_table`] that is the same for all `f`. It is long, and the compiler makes
/// a copy of [`with_table`] for each `f`.
#[inline(never)]
fn with_table_of(device: i32, f: &mut dyn FnMut(&mut Table, &DeviceMemory)) -> Option<()> {
    let index = usize::try_from(device).ok().filter(|_| is_device(device))?;
    let driver = driver(device);
    let brought = driver.map(|driver| driver.begin());
    let is_native = driver.is_none_or(|driver| driver.is_native());
    if is_native && variables::look() {
        lifetime::code_may_have_come();
    }
    let mut place = PLACES.lock(index);
    let mut taken = loop {
        let returns = RETURNS[index].load(Ordering::Acquire);
        if place.with == own_pthread() {
            return None;
        }
        if place.with != 0 {
            drop(place);
            futex::wait(&RETURNS[index], returns, None);
            place = PLACES.lock(index);
            continue;
        }
        let at = place.here.get_or_insert_default();
        if is_native {
            at.known.follow(&mut at.table);
        }
        if let Some(brought) = brought.as_deref() {
            at.brought.follow(brought, &mut at.table);
        }
        if !wants(Kind::TargetDataOp) {
            let memory = DeviceMemory::new(device, &mut at.blocks, false);
            f(&mut at.table, &memory);
            return Some(());
        }
        if let Some(taken) = place.here.take() {
            place.with = own_pthread();
            break taken;
        }
    };
    drop(place);
    let memory = DeviceMemory::new(device, &mut taken.blocks, true);
    f(&mut taken.table, &memory);
    *PLACES.lock(index) = Place { here: Some(taken), with: 0 };
    RETURNS[index].fetch_add(1, Ordering::Release);
    futex::wake(&RETURNS[index], u32::MAX);
    Some(())
}

/// Empties, in a forked child, the tables that other threads took, because no thread brings them
/// back. All locks are held. Goes through all places: the number of devices is a setting, and a
/// child whose parent has not met OpenMP reads it later.
pub(super) fn after_fork_in_child() {
    for index in 0..COUNT {
        let mut place = PLACES.lock(index);
        if ![0, own_pthread()].contains(&place.with) {
            *place = Place { here: None, with: 0 };
        }
    }
}
