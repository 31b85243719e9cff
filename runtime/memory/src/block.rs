//! Gets, resizes and frees blocks.

use crate::allocator::{self, Allocator, Fallback, Handle, NULL};
use crate::{device_block, pinned};
use core::ffi::c_void;
use omphalos_sys::{heap, message, process};

/// The words in front of every block.
#[repr(C)]
struct Header {
    /// The address that the C library returned.
    base: *mut c_void,
    /// The number of bytes that the program asked for.
    size: usize,
    /// The allocator whose pool pays for the block.
    allocator: &'static Allocator,
    /// The number of bytes that the pool pays for: all that the C library returned.
    total: usize,
}

const HEADER: usize = size_of::<Header>();

/// Returns a block of `size` bytes (zeroed if `zeroed`), aligned to `alignment` and to the
/// allocator's own alignment. Returns null for 0 bytes, for an alignment that is no power of two,
/// or when memory runs out.
pub fn get(alignment: usize, size: usize, handle: Handle, zeroed: bool) -> *mut c_void {
    let alignment = alignment.max(1);
    if size == 0 || !alignment.is_power_of_two() {
        return core::ptr::null_mut();
    }
    let mut handle = handle;
    // Allocators may name each other in a circle.
    for _ in 0..16 {
        let allocator = Allocator::of(handle);
        let block = from(allocator, alignment, size, zeroed);
        if !block.is_null() {
            return block;
        }
        match allocator.fallback {
            Fallback::Null => break,
            Fallback::Default => handle = allocator::DEFAULT,
            Fallback::Other(next) => handle = next,
            Fallback::Abort => {
                message!(
                    "an OpenMP allocator cannot give {size} bytes, and its traits ask to abort"
                );
                process::abort()
            }
        }
    }
    core::ptr::null_mut()
}

fn from(allocator: &'static Allocator, alignment: usize, size: usize, zeroed: bool) -> *mut c_void {
    let alignment = alignment.max(allocator.alignment);
    if allocator.space != 0 {
        // The host cannot write a device's memory from here.
        let null = core::ptr::null_mut();
        return if zeroed { null } else { device_block::get(allocator, alignment, size) };
    }
    let alignment =
        allocator.partitioned.map_or(alignment, |parts| alignment.max(parts.alignment(size)));
    // A pinned block lies in as few pages as possible.
    let alignment = match allocator.pinned {
        true => alignment.max(size.min(pinned::PAGE).next_power_of_two()),
        false => alignment,
    };
    let Some(total) = size.checked_add(HEADER).and_then(|sum| sum.checked_add(alignment)) else {
        return core::ptr::null_mut();
    };
    // The pool pays for the header too: a pool of 2 MiB has no room for two blocks of 1 MiB.
    if !allocator.take(total) {
        return core::ptr::null_mut();
    }
    let base = if zeroed { heap::get_zeroed(total) } else { heap::get(total) };
    if base.is_null() {
        allocator.give_back(total);
        return base;
    }
    let address = (base as usize + HEADER).next_multiple_of(alignment);
    // SAFETY: `total` has room for the header, the alignment and the block.
    let block = unsafe { base.cast::<u8>().add(address - base as usize) };
    // SAFETY: the header lies between `base` and the block, aligned like the block.
    unsafe { block.cast::<Header>().sub(1).write(Header { base, size, allocator, total }) };
    // SAFETY: the block belongs to this function.
    if allocator.pinned && !unsafe { pinned::pin(block.cast(), size) } {
        allocator.give_back(total);
        // SAFETY: no other code has the block.
        unsafe { heap::free(base) };
        return core::ptr::null_mut();
    }
    block.cast()
}

/// Frees a block; null is fine.
///
/// # Safety
/// `block` must come from `get` and not be freed already.
pub unsafe fn free(block: *mut c_void) {
    if block.is_null() || device_block::free(block) {
        return;
    }
    // SAFETY: the caller's promise.
    unsafe {
        let header = block.cast::<Header>().sub(1).read();
        if header.allocator.pinned {
            pinned::unpin(block, header.size);
        }
        header.allocator.give_back(header.total);
        heap::free(header.base);
    }
}

/// Moves a block to one of `size` bytes. Returns null, and the block stays, if memory runs out or
/// one of the two is a device's.
///
/// # Safety
/// `block` must be null or come from `get`.
pub unsafe fn resize(block: *mut c_void, size: usize, to: Handle, from: Handle) -> *mut c_void {
    if block.is_null() {
        return get(1, size, to, false);
    }
    if size == 0 {
        // SAFETY: the caller's promise.
        unsafe { free(block) };
        return core::ptr::null_mut();
    }
    if device_block::owns(block) {
        return core::ptr::null_mut();
    }
    // SAFETY: the caller's promise.
    let header = unsafe { block.cast::<Header>().sub(1).read() };
    // If the program names no allocator, the new block comes from the old one's.
    let to = match (to, from) {
        (NULL, NULL) => core::ptr::from_ref(header.allocator) as Handle,
        (NULL, from) => from,
        (to, _) => to,
    };
    let same = core::ptr::eq(Allocator::of(to), header.allocator);
    // The pool pays only for the difference, since the old block is about to be freed.
    let credit = if same { header.total } else { 0 };
    header.allocator.give_back(credit);
    let mut fresh = get(1, size, to, false);
    if device_block::free(fresh) {
        fresh = core::ptr::null_mut();
    }
    if fresh.is_null() {
        header.allocator.take_back(credit);
        return fresh;
    }
    // SAFETY: the block is new.
    let own = unsafe { fresh.cast::<Header>().sub(1).read() }.allocator;
    // If an allocator gave way to the block's own, nothing needs to move.
    if size == header.size && core::ptr::eq(own, header.allocator) {
        header.allocator.take_back(credit);
        // SAFETY: no other code has the block.
        unsafe { free(fresh) };
        return block;
    }
    let count = header.size.min(size);
    // SAFETY: both blocks are at least `count` bytes long; the old one is the caller's to give.
    unsafe {
        fresh.cast::<u8>().copy_from_nonoverlapping(block.cast(), count);
        header.allocator.take_back(credit);
        free(block);
    }
    fresh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignment_contents_and_sizes() {
        for alignment in [1usize, 8, 64, 4096] {
            let block = get(alignment, 100, 1, true).cast::<u8>();
            assert!(!block.is_null() && (block as usize).is_multiple_of(alignment.max(16)));
            // SAFETY: the block has 100 bytes, and comes from `get`.
            unsafe {
                assert!((0..100).all(|i| *block.add(i) == 0));
                block.write_bytes(7, 100);
                let more = resize(block.cast(), 5000, 1, 1).cast::<u8>();
                assert!((0..100).all(|i| *more.add(i) == 7));
                free(more.cast());
            }
        }
        assert!(get(1, 0, 1, false).is_null());
        assert!(get(3, 8, 1, false).is_null());
        assert!(get(1, usize::MAX, 1, false).is_null());
    }
}
