//! The agent's initialiser and finaliser, which the loader runs: a preloaded agent starts there.

use crate::{collector, config, interpose, life};

/// The loader's initialiser: where a record is asked for, the agent starts here.
extern "C" fn loaded() {
    if config::asked().is_some() {
        interpose::prepare();
        life::start(None);
        if std::env::var_os("OMPHALOS_PROFILE_COLLECTOR").is_some_and(|value| value == "1") {
            collector::start();
        }
    }
}

/// The loader's finaliser, for a process whose runtime did not report its end.
extern "C" fn unloaded() {
    life::finish("the process ended");
}

#[used]
#[unsafe(link_section = ".init_array")]
static LOADED: extern "C" fn() = loaded;

#[used]
#[unsafe(link_section = ".fini_array")]
static UNLOADED: extern "C" fn() = unloaded;
