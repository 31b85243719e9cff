//! Memory allocators (OpenMP 5.2, chapter 6).
//!
//! All memory spaces are the host's memory, but for those of a device library's. A block of it carries a header in front that says which
//! allocator it counts against and where the C library's block begins, so that it can be freed
//! without naming its allocator.

mod allocator;
mod block;
mod c_names;
mod device_library;
mod entry_points;
mod partitions;
mod spaces;
mod tracked;
