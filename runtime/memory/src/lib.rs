//! OpenMP's memory management (OpenMP 6.0, chapters 8 and 27): allocators, blocks, memory spaces.
//!
//! `capi` calls it, whose routines convert arguments and nothing else. It asks the engine for two
//! things: the current task's default allocator, and the value of `OMP_ALLOCATOR`.
//!
//! All memory spaces are the host's memory, except those of a device library and of the devices
//! that the host plays. A block of the host carries a header in front. The header has the allocator
//! that the block counts against and the begin of the C library's block. So a block can be freed
//! without naming its allocator.

pub mod allocator;
pub mod block;
mod device;
mod device_block;
pub mod partition;
mod pinned;
mod played;
pub mod space;
pub mod tracked;
