//! Looks at a running, hung or dead program: a live process or a core file as a target, its stacks, what the kernel
//! and the C library say, and the texts of `omphalos inspect` and `omphalos top`.
