//! Weak references to the functions by which tools of these generations are found.
//!
//! The runtime defines no default: without a tool the names stay undefined. The references make the
//! linker export the names from a program that is linked against the runtime, as the default
//! definitions of other runtimes do. In a program that was linked so, a tool is always found.

omphalos_sys::weak_references! {
    /// The addresses of `ompt_tool` and `ompt_initialize`, each null if nothing defines it.
    pub fn bound() -> [2] of omphalos_linked_tools: ompt_tool, ompt_initialize
}
