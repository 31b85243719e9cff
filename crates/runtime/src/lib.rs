//! The artifact: everything that goes into `libomphalos.so`, and its constructor and destructor.
//!
//! `cargo xtask build` links this static library into the shared one; `symbols/` lists what that
//! exports. What must hold: the constructor allocates nothing and starts nothing (the runtime
//! starts with the first thread that needs it); the destructor ends the tools, once.

pub use omphalos_capi;

extern "C" fn construct() {
    omphalos_tools::install();
}

extern "C" fn destruct() {
    omphalos_engine::start::finish();
}

#[used]
#[unsafe(link_section = ".init_array")]
static CONSTRUCT: extern "C" fn() = construct;

#[used]
#[unsafe(link_section = ".fini_array")]
static DESTRUCT: extern "C" fn() = destruct;
