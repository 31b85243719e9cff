//! The rooms of `capi` and `memory`.

use super::Rooms;

pub const CAPI: Rooms = &[
    ("atomics", &["shared"]),
    ("critical", &["shared"]),
    ("locks", &["shared"]),
    // Interoperability waits for a list of dependences of LLVM's.
    ("tgt", &["kmpc", "shared"]),
    // What an `error` directive says, a strict `num_threads` clause says too.
    ("kmpc", &["routines", "shared"]),
    // Interoperability waits for a list of dependences of GCC's.
    ("routines", &["gomp", "shared"]),
    ("gomp", &["shared"]),
    ("shared", &[]),
    ("refused", &[]),
];

pub const MEMORY: Rooms = &[
    ("block", &["allocator", "device_block", "pinned"]),
    ("space", &["allocator", "device"]),
    ("device_block", &["allocator", "device"]),
    ("allocator", &["device", "partition", "played"]),
    ("partition", &[]),
    ("pinned", &[]),
    ("device", &["played"]),
    ("played", &[]),
    ("tracked", &[]),
];
