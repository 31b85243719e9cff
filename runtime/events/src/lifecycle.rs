//! When tools start and end. The tools crate defines its functions under a name that this crate
//! knows, and the engine calls them. It calls `search_tools` once, before its settings are read,
//! and `start` once, after that and before the first event. It calls `finish` once, after the last
//! region and before the library goes.
//!
//! The linker joins the two crates. A constructor would not do: constructors of other libraries may
//! run before the runtime's and use OpenMP, and tools have to be told of that too. A binary without
//! the tools crate has no tools.

use crate::subscribers;

/// The tools' functions: a `static` named `omphalos_lifecycle`.
pub struct Lifecycle {
    /// Finds the tools and asks each whether it wants to run. A variable that one sets in the
    /// environment counts.
    pub search_tools: fn(),
    /// Initialises the tools that want to run. No event comes before it returns.
    pub start: fn(),
    /// Ends every tool. A debugger may ask for it before the process ends.
    pub finish: fn(),
    /// The process is a forked child.
    pub forked: fn(),
    /// Has the inquiry functions of 2013 answer, also without a tool, from now on.
    pub support: fn(),
    /// Brings the tool into the process that [`crate::request`] asks for, on a thread of its own.
    pub bring_tool: fn(),
    /// Whether it is certain, without a search, that there is no tool.
    pub none: fn() -> bool,
    /// Whether the linker has found a tool that must run before any routine completes (2016).
    pub comes_first: fn() -> bool,
}

omphalos_sys::weak_references! {
    fn bound() -> [1] of omphalos_linked_lifecycle: omphalos_lifecycle
}

fn linked() -> Option<&'static Lifecycle> {
    let [functions] = bound();
    // SAFETY: null, or the one `static` of that name, which is such a table.
    unsafe { functions.cast::<Lifecycle>().as_ref() }
}

/// Whether it is certain that no tool will start. False if only the search can tell.
pub fn none() -> bool {
    linked().is_none_or(|functions| (functions.none)())
}

/// Whether a tool that must run before any routine completes was loaded with the program.
pub fn comes_first() -> bool {
    linked().is_some_and(|functions| (functions.comes_first)())
}

/// Asks the tools, if any are built in, whether they want to run.
pub fn search_tools() {
    if let Some(functions) = linked() {
        (functions.search_tools)();
    }
}

/// Starts the tools, if any are built in. From then on [`crate::active`] and [`crate::wants`] know
/// the attached tools; before, both answer yes.
pub fn start() {
    if let Some(functions) = linked() {
        (functions.start)();
    }
    subscribers::become_known();
}

/// Called in place of [`start`] if no tool is to be started.
pub fn start_none() {
    subscribers::become_known();
}

/// Ends the tools.
pub fn finish() {
    if let Some(functions) = linked() {
        (functions.finish)();
    }
}

/// Called in a forked child: its tools may have to start again.
pub fn forked() {
    if let Some(functions) = linked() {
        (functions.forked)();
    }
}

/// Brings the tool that another process asks for.
pub fn bring_tool() {
    if let Some(functions) = linked() {
        (functions.bring_tool)();
    }
}

/// Has the inquiry functions of 2013 answer: a debugger asks for it.
pub fn support() {
    if let Some(functions) = linked() {
        (functions.support)();
    }
}
