//! Devices that a driver operates, in place of those that the host plays. Such drivers use GCC's
//! plugins.
//!
//! Tables, counts and constructs are the same for both. The driver keeps the device's memory, and
//! runs its code.

use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use omphalos_mapping::Section;
use omphalos_settings as icv;
use omphalos_sync::settled::Settled;
use omphalos_sys::message;
use std::sync::Arc;

use super::with_table;

/// A driver of one device. It ends the program if the device fails to do what it is asked to.
pub trait Driver: Send + Sync {
    /// Begins to use the device, at the first call, and brings it the code that has come since the
    /// latest call. Returns the host's variables that the device has.
    fn begin(&self) -> Arc<Variables>;
    /// Whether the device runs the host's code.
    fn is_native(&self) -> bool;
    /// Returns the address of the region's code on the device. `host`: the address that stands for
    /// the region on the host.
    fn code(&self, host: usize) -> Option<usize>;
    /// Returns a block of the device's memory, at a multiple of `align`.
    fn allocate(&self, bytes: usize, align: usize) -> Option<usize>;
    /// Takes back a block of the device's memory.
    fn free(&self, block: usize);
    /// Copies from the host to the device.
    fn to_device(&self, device: usize, host: usize, bytes: usize);
    /// Copies from the device to the host.
    fn to_host(&self, host: usize, device: usize, bytes: usize);
    /// Copies within the device.
    fn within(&self, to: usize, from: usize, bytes: usize);
    /// Runs a region's code and waits for its end. The addresses of the region's variables stand at
    /// `arguments`, in the device's memory.
    fn run(&self, code: usize, arguments: usize, limits: Limits);
}

/// The numbers in the clauses of a region; 0: no clause.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// `num_teams`.
    pub teams: u32,
    /// `thread_limit`.
    pub threads: u32,
}

/// The host's variables that a device has from the beginning, with their addresses there.
#[derive(Default)]
pub struct Variables {
    /// The variables.
    pub list: Vec<(Section, usize)>,
    /// Grows whenever the list changes.
    pub version: u64,
}

/// The drivers that were found, and the message about the search.
pub type Found = (Vec<Box<dyn Driver>>, String);
type Source = fn(&[String]) -> Found;

/// The function that finds drivers by the names of plugins.
static SOURCE: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());
static DRIVERS: Settled<Found> = Settled::new();

/// Sets the function that finds drivers.
pub fn offer(source: Source) {
    SOURCE.store(source as *mut c_void, Relaxed);
}

/// Finds the drivers, once. Returns how many there are.
#[cold]
pub(super) fn find() -> i32 {
    let settings = icv::settings();
    let (drivers, text) = DRIVERS.get_or(|| {
        let source = SOURCE.load(Relaxed);
        if source.is_null() {
            return Found::default();
        }
        // SAFETY: `offer` put it there.
        let source: Source = unsafe { core::mem::transmute(source) };
        source(&settings.plugins)
    });
    let count = drivers.len().min(icv::MOST_DEVICES as usize) as u32;
    let known = settings.devices.compare_exchange(icv::UNKNOWN_DEVICES, count, Relaxed, Relaxed);
    if known.is_ok() && !text.is_empty() {
        message!("{text}");
    }
    count as i32
}

/// Returns a device's driver; `None` for a device that the host plays.
pub fn driver(device: i32) -> Option<&'static dyn Driver> {
    let (drivers, _) = DRIVERS.get()?;
    Some(drivers.get(usize::try_from(device).ok()?)?.as_ref())
}

/// Copies between these devices (to, from), each of which may be the host.
///
/// # Safety
/// Both addresses are valid for so many bytes, each on its device; on the host the two may overlap.
pub unsafe fn copy(to: usize, from: usize, bytes: usize, devices: (i32, i32)) {
    match (driver(devices.0), driver(devices.1)) {
        // SAFETY: the caller's promise.
        (None, None) => unsafe { core::ptr::copy(from as *const u8, to as *mut u8, bytes) },
        (Some(driver), None) => alone(devices.0, || driver.to_device(to, from, bytes)),
        (None, Some(driver)) => alone(devices.1, || driver.to_host(to, from, bytes)),
        (Some(driver), Some(_)) if devices.0 == devices.1 => {
            alone(devices.0, || driver.within(to, from, bytes));
        }
        (Some(one), Some(other)) => {
            let mut between = vec![0u8; bytes];
            let at = between.as_mut_ptr() as usize;
            alone(devices.1, || other.to_host(at, from, bytes));
            alone(devices.0, || one.to_device(to, at, bytes));
        }
    }
}

/// Sets bytes on a device to `value`.
///
/// # Safety
/// The bytes are valid on that device.
pub unsafe fn fill(at: usize, value: u8, bytes: usize, device: i32) {
    let Some(driver) = driver(device) else {
        // SAFETY: the caller's promise.
        return unsafe { (at as *mut u8).write_bytes(value, bytes) };
    };
    let like = vec![value; bytes];
    alone(device, || driver.to_device(at, like.as_ptr() as usize, bytes));
}

/// Runs `act` while no other thread uses the device's memory.
fn alone(device: i32, act: impl FnOnce()) {
    with_table(device, |_, _| act());
}
