//! Regions on a device that a plugin of GCC's drives.

use crate::shared::device::fatal;
use omphalos_engine::target::played::{Driver, Limits};

/// Runs a region's code, which finds the addresses of its variables in the device's memory.
pub fn run(driver: &dyn Driver, code: usize, arguments: &[usize], limits: Limits) {
    let bytes = size_of_val(arguments);
    if bytes == 0 {
        return driver.run(code, 0, limits);
    }
    let Some(block) = driver.allocate(bytes, size_of::<usize>()) else {
        fatal(format_args!(
            "the device has no memory left for the addresses of a region's variables"
        ))
    };
    driver.to_device(block, arguments.as_ptr() as usize, bytes);
    driver.run(code, block, limits);
    driver.free(block);
}
