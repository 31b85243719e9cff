//! A device's memory: blocks of the host's, elsewhere than what they are counterparts of.

use crate::target::Ends;
use core::cell::RefCell;
use core::ffi::c_void;
use omphalos_events::{Kind, TargetOp, wants};
use omphalos_mapping::Memory;
use omphalos_sys::heap;
use std::collections::BTreeMap;

/// What stands where nothing was written yet: as an address, an integer or a number with a point it
/// is far from what programs use.
const POISON: u8 = 0xa5;

/// Blocks begin at multiples of this, at least.
const ALIGNMENT: usize = 64;

/// An operation, for tools.
#[derive(Clone, Copy)]
pub struct Operation {
    /// What.
    pub op: TargetOp,
    /// Where from, where to, how much.
    pub ends: Ends,
    /// The devices of both.
    pub devices: (i32, i32),
}

/// The blocks that a device has given out, with their sizes.
pub(super) type Blocks = BTreeMap<usize, usize>;

/// The memory of one device, for as long as its table is used.
pub struct DeviceMemory<'a> {
    device: i32,
    blocks: RefCell<&'a mut Blocks>,
    /// What was done, if a tool wants to hear it.
    done: Option<RefCell<Vec<Operation>>>,
}

impl<'a> DeviceMemory<'a> {
    pub(super) fn new(device: i32, blocks: &'a mut Blocks) -> DeviceMemory<'a> {
        let done = wants(Kind::TargetDataOp).then(RefCell::default);
        DeviceMemory { device, blocks: RefCell::new(blocks), done }
    }

    /// A block of at least `bytes` bytes, behind which nothing was written either: who goes beyond
    /// its section does not find what stands behind it on the host.
    fn block(&self, bytes: usize, align: usize) -> Option<usize> {
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

    /// A block for the program, in which nothing was written.
    pub(super) fn give(&self, bytes: usize) -> Option<usize> {
        let block = self.block(bytes, 1)?;
        // SAFETY: it was just made.
        unsafe { self.fresh(block, bytes) };
        Some(block)
    }

    /// Takes a block of the program's back. False if it is none.
    pub(super) fn take(&self, block: usize) -> bool {
        let known = self.blocks.borrow_mut().remove(&block).is_some();
        if known {
            // SAFETY: it is in use until now.
            unsafe { heap::free(block as *mut c_void) };
        }
        known
    }

    fn note(&self, op: TargetOp, source: usize, destination: usize, bytes: usize) {
        let Some(done) = &self.done else { return };
        let host = super::count();
        let devices = match op {
            TargetOp::TransferFromDevice | TargetOp::Delete => (self.device, host),
            _ => (host, self.device),
        };
        let (source, destination) = (source as *const c_void, destination as *const c_void);
        done.borrow_mut().push(Operation {
            op,
            ends: Ends { source, destination, bytes },
            devices,
        });
    }

    /// What was done, for tools.
    pub(super) fn done(self) -> Vec<Operation> {
        self.done.map(RefCell::into_inner).unwrap_or_default()
    }
}

impl Memory for DeviceMemory<'_> {
    fn allocate(&self, bytes: usize, align: usize) -> Option<usize> {
        let block = self.block(bytes, align);
        self.note(TargetOp::Alloc, 0, block.unwrap_or(0), bytes);
        block
    }

    unsafe fn free(&self, block: usize) {
        self.note(TargetOp::Delete, block, 0, 0);
        self.blocks.borrow_mut().remove(&block);
        // SAFETY: the caller's promise.
        unsafe { heap::free(block as *mut c_void) };
    }

    fn owns(&self, address: usize) -> bool {
        let blocks = self.blocks.borrow();
        let before = blocks.range(..=address).next_back();
        before.is_some_and(|(start, bytes)| address - start < *bytes)
    }

    unsafe fn fresh(&self, device: usize, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { (device as *mut u8).write_bytes(POISON, bytes) };
    }

    unsafe fn to_device(&self, device: usize, host: usize, bytes: usize) {
        if device == host {
            return;
        }
        // SAFETY: the caller's promise; the two may overlap where the program says so.
        unsafe { core::ptr::copy(host as *const u8, device as *mut u8, bytes) };
        self.note(TargetOp::TransferToDevice, host, device, bytes);
    }

    unsafe fn to_host(&self, host: usize, device: usize, bytes: usize) {
        if device == host {
            return;
        }
        // SAFETY: as above.
        unsafe { core::ptr::copy(device as *const u8, host as *mut u8, bytes) };
        self.note(TargetOp::TransferFromDevice, device, host, bytes);
    }

    unsafe fn within(&self, to: usize, from: usize, bytes: usize) {
        // SAFETY: as above.
        unsafe { core::ptr::copy(from as *const u8, to as *mut u8, bytes) };
    }

    unsafe fn host_pointer(&self, at: usize) -> usize {
        // SAFETY: the caller's promise; structures may be packed.
        unsafe { (at as *const usize).read_unaligned() }
    }

    unsafe fn set_pointer(&self, device: usize, value: usize) {
        // SAFETY: as above.
        unsafe { (device as *mut usize).write_unaligned(value) };
    }
}
