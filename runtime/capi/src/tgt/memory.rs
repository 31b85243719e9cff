//! LLVM's own routines for memory of devices. A device that the host plays reaches all memory, so
//! the kinds of memory do not differ.

use core::ffi::{c_int, c_void};
use omphalos_engine::target::devices::is_host;
use omphalos_engine::target::played;
use omphalos_sys::{heap, warning};

extern "C" fn alloc(bytes: usize, device: c_int) -> *mut c_void {
    match played::is_device(device) {
        true => played::give(device, bytes),
        false if is_host(device) => heap::get(bytes),
        false => core::ptr::null_mut(),
    }
}

unsafe extern "C" fn free(block: *mut c_void, device: c_int) {
    if played::is_device(device) {
        if !block.is_null() && !played::take(device, block) {
            warning!("{block:p} is no block of device {device}, nothing is freed");
        }
    } else if is_host(device) {
        // SAFETY: the program passes a block that `alloc` gave for the same device.
        unsafe { heap::free(block) };
    }
}

/// Does nothing: memory is always within a device's reach.
extern "C" fn lock(block: *mut c_void, _bytes: usize, _device: c_int) -> *mut c_void {
    block
}

extern "C" fn unlock(_block: *mut c_void, _device: c_int) {}

/// Returns no memory: a region's groups of threads have none.
extern "C" fn no_memory() -> *mut c_void {
    core::ptr::null_mut()
}

omphalos_sys::entries! {
    /// Memory of a device.
    omphalos_llvm_omp_target_alloc_device => alloc;
    /// Memory of the host that a device reaches.
    omphalos_llvm_omp_target_alloc_host => alloc;
    /// Memory of both.
    omphalos_llvm_omp_target_alloc_shared => alloc;
    /// Frees it.
    omphalos_llvm_omp_target_free_device => free;
    /// Frees it.
    omphalos_llvm_omp_target_free_host => free;
    /// Frees it.
    omphalos_llvm_omp_target_free_shared => free;
    /// Keeps memory of the host within reach.
    omphalos_llvm_omp_target_lock_mem => lock;
    /// Does so no more.
    omphalos_llvm_omp_target_unlock_mem => unlock;
    /// Memory of a group of threads: null.
    omphalos_llvm_omp_target_dynamic_shared_alloc => no_memory;
}
