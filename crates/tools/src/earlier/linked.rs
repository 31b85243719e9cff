//! Weak references to the functions by which tools of these generations are found.
//!
//! The runtime has no default of its own: without a tool the names stay undefined. The references make
//! the linker export the names from a program that is linked against the runtime, as the default
//! definitions of other runtimes did; and a program that was linked so is found in any case.

use core::ffi::c_void;

#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    ".weak ompt_tool",
    ".weak ompt_initialize",
    ".pushsection .data.rel.ro.omphalos_linked_tools,\"aw\",@progbits",
    ".p2align 3",
    ".globl omphalos_linked_tools",
    ".hidden omphalos_linked_tools",
    "omphalos_linked_tools:",
    ".quad ompt_tool",
    ".quad ompt_initialize",
    ".size omphalos_linked_tools, 16",
    ".type omphalos_linked_tools, @object",
    ".popsection",
);

unsafe extern "C" {
    static omphalos_linked_tools: [*mut c_void; 2];
}

/// `ompt_tool` and `ompt_initialize` as the dynamic linker bound them; null without a tool.
pub fn bound() -> [*mut c_void; 2] {
    // SAFETY: written by the dynamic linker before any code of this library runs.
    unsafe { omphalos_linked_tools }
}
