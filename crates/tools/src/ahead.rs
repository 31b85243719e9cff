//! Finding out, when the library is loaded, that there is no tool: so the first region need not
//! wait for the search.
//!
//! The answer holds as long as the environment is the same and no file was loaded since. It is only
//! given where no variable speaks of tools and the whole of what is being loaded is in the global
//! scope already, which is so when the dynamic linker finds this library there: what is loaded
//! while the program runs may come into that scope after its constructors. Everything else is left
//! to the search.

use crate::ompt5::own_address;
use crate::{earlier, search, settings};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use omphalos_abi::ompt::START_TOOL;
use omphalos_sys::environment::{self, fingerprint};

static NOTHING: AtomicBool = AtomicBool::new(false);
static ENVIRONMENT: AtomicU64 = AtomicU64::new(0);
static FILES: AtomicU64 = AtomicU64::new(0);

/// Looks whether there may be a tool. For the library's constructor.
pub fn prepare() {
    let mut said = false;
    environment::each(settings::INITIALS, |name, _| said |= settings::VARIABLES.contains(&name));
    if said
        || earlier::bound().iter().any(|address| !address.is_null())
        || !search::is_alone(START_TOOL, own_address())
    {
        return;
    }
    ENVIRONMENT.store(fingerprint(), Relaxed);
    FILES.store(search::files_loaded(), Relaxed);
    NOTHING.store(true, Relaxed);
}

/// Whether it is known that there is no tool. For the thread that starts the runtime.
pub fn no_tool() -> bool {
    NOTHING.load(Relaxed)
        && ENVIRONMENT.load(Relaxed) == fingerprint()
        && FILES.load(Relaxed) == search::files_loaded()
}
