//! A host and a device that consist of bytes alone, and catch each access outside of them.
#![allow(dead_code, missing_docs)]

use omphalos_mapping::{Item, Kind, Map, Memory};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The address of the host's bytes.
pub const HOST: usize = 0x1000;
/// The byte that fills fresh memory of the device.
pub const FRESH: u8 = 0xee;

pub struct Machine {
    pub host: RefCell<Vec<u8>>,
    blocks: RefCell<BTreeMap<usize, Vec<u8>>>,
    next: RefCell<usize>,
}

impl Machine {
    pub fn new(bytes: usize) -> Machine {
        let host = (0..bytes).map(|at| at as u8).collect();
        let next = RefCell::new(0x10_0000);
        Machine { host: RefCell::new(host), blocks: RefCell::default(), next }
    }

    /// How many blocks the device has given out.
    pub fn blocks(&self) -> usize {
        self.blocks.borrow().len()
    }

    pub fn read(&self, device: usize, bytes: usize) -> Vec<u8> {
        let blocks = self.blocks.borrow();
        let (&start, block) = blocks.range(..=device).next_back().expect("a block");
        block[device - start..][..bytes].to_vec()
    }

    pub fn write(&self, device: usize, bytes: &[u8]) {
        let mut blocks = self.blocks.borrow_mut();
        let (&start, block) = blocks.range_mut(..=device).next_back().expect("a block");
        block[device - start..][..bytes.len()].copy_from_slice(bytes);
    }

    pub fn read_host(&self, host: usize, bytes: usize) -> Vec<u8> {
        self.host.borrow()[host - HOST..][..bytes].to_vec()
    }

    pub fn write_host(&self, host: usize, bytes: &[u8]) {
        self.host.borrow_mut()[host - HOST..][..bytes.len()].copy_from_slice(bytes);
    }

    pub fn set_host_pointer(&self, host: usize, value: usize) {
        self.write_host(host, &value.to_ne_bytes());
    }

    pub fn device_pointer(&self, device: usize) -> usize {
        usize::from_ne_bytes(self.read(device, 8).try_into().expect("eight bytes"))
    }
}

impl Memory for Machine {
    fn allocate(&self, bytes: usize, align: usize, _host: usize) -> Option<usize> {
        assert!(bytes > 0 && align.is_power_of_two());
        let block = (*self.next.borrow()).next_multiple_of(align);
        *self.next.borrow_mut() = block + bytes + 64;
        self.blocks.borrow_mut().insert(block, vec![FRESH; bytes]);
        Some(block)
    }

    unsafe fn free(&self, block: usize, _host: usize) {
        assert!(self.blocks.borrow_mut().remove(&block).is_some(), "freed twice");
    }

    fn owns(&self, address: usize) -> bool {
        let blocks = self.blocks.borrow();
        let before = blocks.range(..=address).next_back();
        before.is_some_and(|(start, block)| address - start < block.len())
    }

    unsafe fn to_device(&self, device: usize, host: usize, bytes: usize) {
        self.write(device, &self.read_host(host, bytes));
    }

    unsafe fn to_host(&self, host: usize, device: usize, bytes: usize) {
        self.write_host(host, &self.read(device, bytes));
    }

    unsafe fn within(&self, to: usize, from: usize, bytes: usize) {
        self.write(to, &self.read(from, bytes));
    }

    unsafe fn host_pointer(&self, at: usize) -> usize {
        usize::from_ne_bytes(self.read_host(at, 8).try_into().expect("eight bytes"))
    }

    unsafe fn set_pointer(&self, device: usize, value: usize) {
        self.write(device, &value.to_ne_bytes());
    }
}

pub fn item(address: usize, size: usize, kind: Kind) -> Item {
    Item { address, size, align: 8, kind }
}

pub fn map(address: usize, size: usize, map: Map) -> Item {
    item(address, size, Kind::Map(map))
}
