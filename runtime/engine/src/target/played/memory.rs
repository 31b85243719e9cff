//! A device's memory: blocks of the host's memory, apart from the variables that they are copies
//! of, or memory that a driver has.

use super::construct::operation;
use super::drivers::{self, Driver};
use super::watch;
use crate::target::Ends;
use core::cell::RefCell;
use core::ffi::c_void;
use core::sync::atomic::{AtomicUsize, Ordering};
use omphalos_events::TargetOp;
use omphalos_index::Numbers;
use omphalos_mapping::{Memory, Note};
use omphalos_sys::memory::PAGE;
use omphalos_sys::{heap, memory};

/// The byte that fills memory in which nothing was written yet. Words of it, read as an address, an
/// integer or a floating-point number, are far from the values that programs use.
pub(super) const POISON: u8 = 0xa5;

/// The least alignment of a block, in bytes.
const ALIGNMENT: usize = 64;

/// The blocks that a device has given out, with their sizes.
pub(super) type Blocks = Numbers;

/// The memory of one device, for as long as its table is used.
pub struct DeviceMemory<'a> {
    device: i32,
    blocks: RefCell<&'a mut Blocks>,
    driver: Option<&'static dyn Driver>,
    /// Whether tools are told of each operation. No lock is held then.
    told: bool,
}

impl<'a> DeviceMemory<'a> {
    pub(super) fn new(device: i32, blocks: &'a mut Blocks, told: bool) -> DeviceMemory<'a> {
        let driver = drivers::driver(device);
        DeviceMemory { device, blocks: RefCell::new(blocks), driver, told }
    }

    /// Returns a block of at least `bytes` bytes. The bytes after these are filled with [`POISON`]:
    /// an access beyond the section does not find the bytes that follow the section on the host.
    fn block(&self, bytes: usize, align: usize) -> Option<usize> {
        if watch::is_watched() && self.driver.is_none() {
            let block = watch::block(self.device, bytes, align)?;
            self.blocks.borrow_mut().insert(block, bytes.max(1));
            return Some(block);
        }
        if let Some(driver) = self.driver {
            let block = driver.allocate(bytes.max(1), align.max(ALIGNMENT))?;
            self.blocks.borrow_mut().insert(block, bytes.max(1));
            return Some(block);
        }
        let room = bytes.checked_next_multiple_of(ALIGNMENT)?.checked_add(ALIGNMENT)?;
        let block = heap::get_aligned(align.max(ALIGNMENT), room) as usize;
        if block == 0 {
            return None;
        }
        self.blocks.borrow_mut().insert(block, bytes.max(1));
        // SAFETY: it was just made.
        unsafe { self.fresh(block + bytes, room - bytes) };
        Some(block)
    }

    /// Returns a block for the program, in which nothing was written.
    pub(super) fn give(&self, bytes: usize) -> Option<usize> {
        let block = self.block(bytes, 1)?;
        // SAFETY: it was just made.
        unsafe { self.fresh(block, bytes) };
        Some(block)
    }

    /// Takes a block back from the program. Returns false if the device has no such block.
    pub(super) fn take(&self, block: usize) -> bool {
        let bytes = self.blocks.borrow_mut().remove(block);
        if let (Some(_), Some(driver)) = (bytes, self.driver) {
            driver.free(block);
        } else if let Some(bytes) = bytes {
            // SAFETY: the block is in use until now.
            unsafe { release(block, bytes) };
        }
        bytes.is_some()
    }

    /// Returns the length of the block that begins at this address.
    pub(super) fn length(&self, block: usize) -> Option<usize> {
        self.blocks.borrow().get(block)
    }

    /// Carries an operation out, and tells tools of its begin and its end. `went` gives the
    /// destination, if that is known only afterwards.
    fn told_operation<R>(
        &self,
        op: TargetOp,
        (source, destination, bytes): (usize, usize, usize),
        act: impl FnOnce() -> R,
        went: impl FnOnce(&R) -> Option<usize>,
    ) -> R {
        if !self.told {
            return act();
        }
        let host = super::count();
        let devices = match op {
            TargetOp::TransferFromDevice | TargetOp::Delete => (self.device, host),
            _ => (host, self.device),
        };
        let (source, destination) = (source as *const c_void, destination as *const c_void);
        let ends = Ends { source, destination, bytes };
        operation(op, ends, devices, act, |result, ends| {
            if let Some(at) = went(result) {
                ends.destination = at as *const c_void;
            }
        })
    }
}

/// The number of bytes of freed blocks whose content stays while another program watches. A program
/// that uses a freed block most often gets as far as it would without a watcher. Blocks that are
/// freed later are emptied, or a program that maps and unmaps in a loop would take ever more
/// memory.
const FREED_BYTES_KEPT: usize = 8 << 20;
static FREED: AtomicUsize = AtomicUsize::new(0);

/// Frees a block.
///
/// # Safety
/// The block is in use until this call, and has `bytes` bytes.
unsafe fn release(block: usize, bytes: usize) {
    if watch::is_watched() {
        watch::release(block);
        if FREED.fetch_add(bytes, Ordering::Relaxed) > FREED_BYTES_KEPT {
            // The block's pages contain nothing else.
            let from = block / PAGE * PAGE;
            // SAFETY: the caller's promise.
            unsafe { memory::empty(from, (block + bytes).next_multiple_of(PAGE)) };
        }
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { heap::free(block as *mut c_void) };
}

/// The number of bytes that a driver copies at a time, if they are compared before they are
/// written.
const LOOKED_AT: usize = 1 << 16;

/// Copies from a driver's device. A device that runs the host's code has the host's constants, and
/// compilers map some of them to and from the device (GCC does so with the type information of
/// exceptions). The host's constants cannot be written. So bytes that are equal are not written.
///
/// # Safety
/// Both are valid for so many bytes, each in its own memory.
unsafe fn fetch(driver: &dyn Driver, host: usize, device: usize, bytes: usize) {
    if !driver.is_native() {
        return driver.to_host(host, device, bytes);
    }
    let mut between = vec![0u8; bytes.min(LOOKED_AT)];
    let at = between.as_mut_ptr() as usize;
    for done in (0..bytes).step_by(LOOKED_AT) {
        let part = (bytes - done).min(LOOKED_AT);
        driver.to_host(at, device + done, part);
        // SAFETY: the caller's promise, and the part's own room.
        unsafe { write_if_other(host + done, at, part) };
    }
}

/// Copies on the host, and writes nothing if all bytes are equal: constants cannot be written.
///
/// # Safety
/// Both are valid for so many bytes; they may overlap.
unsafe fn write_if_other(to: usize, from: usize, bytes: usize) {
    // SAFETY: the caller's promise. The bytes go by address, because other threads may write there
    // meanwhile.
    unsafe {
        if !memory::is_same(to, from, bytes) {
            core::ptr::copy(from as *const u8, to as *mut u8, bytes);
        }
    }
}

impl Memory for DeviceMemory<'_> {
    fn allocate(&self, bytes: usize, align: usize, host: usize) -> Option<usize> {
        let act = || self.block(bytes, align);
        self.told_operation(TargetOp::Alloc, (host, 0, bytes), act, |block| *block)
    }

    unsafe fn free(&self, block: usize, host: usize) {
        let bytes = self.blocks.borrow().get(block).unwrap_or(0);
        if self.driver.is_some() {
            let act = || self.take(block);
            self.told_operation(TargetOp::Delete, (block, host, bytes), act, |_| None);
            return;
        }
        let act = || {
            self.blocks.borrow_mut().remove(block);
            // SAFETY: the caller's promise.
            unsafe { release(block, bytes) };
        };
        self.told_operation(TargetOp::Delete, (block, host, bytes), act, |()| None);
    }

    fn owns(&self, address: usize) -> bool {
        let blocks = self.blocks.borrow();
        let before = blocks.at_or_below(address);
        before.is_some_and(|(start, bytes)| address - start < bytes)
    }

    unsafe fn fresh(&self, device: usize, bytes: usize) {
        if self.driver.is_some() {
            return;
        }
        // SAFETY: the caller's promise.
        unsafe { (device as *mut u8).write_bytes(POISON, bytes) };
        watch::fresh(device, bytes);
    }

    fn note(&self, what: Note<'_>) {
        watch::note(what);
    }

    unsafe fn to_device(&self, device: usize, host: usize, bytes: usize) {
        if device == host {
            return;
        }
        if let Some(driver) = self.driver {
            let act = || driver.to_device(device, host, bytes);
            return self.told_operation(
                TargetOp::TransferToDevice,
                (host, device, bytes),
                act,
                |()| None,
            );
        }
        // SAFETY: the caller's promise; the two may overlap where the program says so.
        let act = || unsafe { core::ptr::copy(host as *const u8, device as *mut u8, bytes) };
        self.told_operation(TargetOp::TransferToDevice, (host, device, bytes), act, |()| None);
        watch::to_device(device, host, bytes);
    }

    unsafe fn to_host(&self, host: usize, device: usize, bytes: usize) {
        if device == host {
            return;
        }
        if let Some(driver) = self.driver {
            // SAFETY: the caller's promise.
            let act = || unsafe { fetch(driver, host, device, bytes) };
            return self.told_operation(
                TargetOp::TransferFromDevice,
                (device, host, bytes),
                act,
                |()| None,
            );
        }
        // SAFETY: as above.
        let act = || unsafe { write_if_other(host, device, bytes) };
        watch::to_host(host, device, bytes);
        self.told_operation(TargetOp::TransferFromDevice, (device, host, bytes), act, |()| None);
        watch::copied_to_host(host, device, bytes);
    }

    unsafe fn within(&self, to: usize, from: usize, bytes: usize) {
        if let Some(driver) = self.driver {
            return driver.within(to, from, bytes);
        }
        // SAFETY: as above.
        unsafe { core::ptr::copy(from as *const u8, to as *mut u8, bytes) };
        watch::wrote(to, bytes);
    }

    unsafe fn host_pointer(&self, at: usize) -> usize {
        // SAFETY: the caller's promise; structures may be packed.
        unsafe { (at as *const usize).read_unaligned() }
    }

    unsafe fn set_pointer(&self, device: usize, value: usize) {
        if let Some(driver) = self.driver {
            let bytes = value.to_ne_bytes();
            return driver.to_device(device, bytes.as_ptr() as usize, bytes.len());
        }
        // SAFETY: as above.
        unsafe { (device as *mut usize).write_unaligned(value) };
        watch::wrote(device, size_of::<usize>());
    }
}
