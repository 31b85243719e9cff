//! Memory spaces and allocators by device (OpenMP 6.0, 27.1 and 27.2). The host has all of them;
//! other devices have those of a device library (`device.rs`).

use crate::{allocator, device};
use core::ffi::c_int;
use omphalos_engine::target::devices;
use omphalos_sys::memory::PAGE;

/// The values of LLVM's headers, which declare these routines: `omp_null_mem_space` (GCC's default
/// space), `omp_default_mem_space`, `omp_null_allocator`.
pub const NO_SPACE: usize = 0;
const DEFAULT_SPACE: usize = 99;
const NO_ALLOCATOR: usize = 0;

/// The devices that a routine was asked about.
pub enum Devices<'a> {
    /// The devices in the list.
    These(&'a [c_int]),
    /// The devices in the list, and the host.
    WithHost(&'a [c_int]),
    /// All devices and the host.
    All,
}

/// Returns the part of a predefined memory space that these devices have.
pub fn space_of(which: &Devices, kind: usize) -> usize {
    let number = devices::count();
    let space = match which {
        Devices::These([]) | Devices::WithHost([]) => None,
        Devices::These(list) | Devices::WithHost(list) => {
            let others: Vec<c_int> =
                list.iter().copied().filter(|&it| !devices::is_host(it)).collect();
            let host = others.len() < list.len() || matches!(which, Devices::WithHost(_));
            match others[..] {
                [] => Some(kind),
                _ if others.iter().any(|device| !(0..number).contains(device)) => None,
                _ => device::space(&others, host, kind),
            }
        }
        Devices::All => {
            let all: Vec<c_int> = (0..number).collect();
            let space = device::space(&all, true, kind).filter(|_| number > 0);
            Some(space.unwrap_or(kind))
        }
    };
    space.unwrap_or(NO_SPACE)
}

/// Returns an allocator for that memory: the host's are predefined.
pub fn allocator_of(which: &Devices, kind: usize) -> usize {
    match space_of(which, kind) {
        NO_SPACE => NO_ALLOCATOR,
        DEFAULT_SPACE => allocator::DEFAULT,
        space @ 1..=4 => space + 1,
        space @ 100..=102 => space,
        space => allocator::make(space, &[]),
    }
}

/// Returns the number of resources of a memory space: the host's has one, its memory;
/// `omp_null_mem_space` has none.
pub fn resource_count(space: usize) -> c_int {
    let host = c_int::from(space != NO_SPACE);
    device::resource_count(space).unwrap_or(host)
}

/// Returns the part of a memory space that consists of the resources at these places. The host's
/// space has one resource: its part is the space itself.
pub fn part(space: usize, places: &[c_int]) -> usize {
    let host = (places == [0]).then_some(space);
    device::part(space, places).unwrap_or(host).unwrap_or(NO_SPACE)
}

/// Returns the page size of a memory space, in bytes: the host's for all that lie there, 0 for a
/// device's, whose library does not tell.
pub fn page_size(space: usize) -> usize {
    if device::is_space(space) { 0 } else { PAGE }
}
