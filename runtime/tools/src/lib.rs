//! The tool interfaces. Each generation is a dialect over `omphalos_events`.
//!
//! * [`ompt5`]: OMPT of OpenMP 5.0 to 6.0.
//! * [`earlier`]: OMPT of 2013, of LLVM in 2014/15, and of 2016.
//! * [`collector`]: the Collector API of 2007.
//!
//! A dialect finds and starts tools of its generation. It translates each event into the callback
//! that the tool registered, and answers inquiries from the engine's table. What must hold:
//!
//! * A dialect knows no other dialect and nothing of the engine. An attached tool has a slot, and
//!   with it a data word on every thread, region and task.
//! * This code does not panic and has no Rust thread-locals: foreign threads and the program's
//!   signal handlers call it.
//! * A function that the specification calls async-signal-safe takes no lock and allocates nothing.

mod ahead;
pub mod collector;
mod compilers;
pub mod earlier;
mod entry;
mod find;
mod handed_on;
mod late_tool;
mod names;
pub mod ompt5;
mod search;
mod settings;
mod slot;
mod trace;
mod verbose;

use omphalos_events::Lifecycle;

/// The functions that start and end tools, under the name by which the linker finds them for
/// `omphalos_events`: so they are known before any constructor runs, whichever library's runs
/// first. The search starts only when the engine starts.
#[used]
#[unsafe(no_mangle)]
static omphalos_lifecycle: Lifecycle = Lifecycle {
    search_tools: find::search_tools,
    start: find::start,
    finish: find::finish,
    forked: after_fork_in_child,
    bring_tool: late_tool::bring,
    support: earlier::support_without_tool,
    none: ahead::no_tool,
    comes_first: find::comes_first,
};

fn after_fork_in_child() {
    late_tool::after_fork_in_child();
    earlier::after_fork_in_child();
}
