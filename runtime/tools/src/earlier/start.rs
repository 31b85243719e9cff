//! Starts and ends tools of OMPT's generations of 2013, 2014 and 2016.

use super::entry_points::{LOOKUP, Lookup};
use super::generation::Generation;
use super::own_symbol::meant_by;
use super::tool::{Phase, tool};
use super::{exported, tell_event};
use crate::{slot, trace};
use core::ffi::{c_char, c_int, c_uint, c_void};
use omphalos_events::frames::keep_by;
use omphalos_events::{self as events, Event, Inquiry, SLOTS, inquiry};

/// `ompt_tool`: returns the initializer, or null if the tool does not want to run.
type ToolFunction = unsafe extern "C" fn() -> Option<Initialize>;
/// The initializer of 2014 and 2016.
pub type Initialize = unsafe extern "C" fn(Lookup, *const c_char, c_uint);
/// `ompt_initialize`. The one of 2013 has no arguments and ignores these.
type EarlyInitialize = unsafe extern "C" fn(Lookup, *const c_char, c_uint) -> c_int;

/// The version that 2016's text states.
const VERSION: c_uint = 2;

/// Asks the `ompt_tool` at `address`; `None` if its tool does not want to run.
///
/// # Safety
/// `address` is a definition of that function.
pub unsafe fn ask_tool(address: *mut c_void) -> Option<Initialize> {
    // SAFETY: the caller's promise.
    let ask: ToolFunction = unsafe { core::mem::transmute(address) };
    // SAFETY: as above.
    unsafe { ask() }
}

/// The result of starting a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    /// All slots are taken.
    NoRoom,
    /// A tool of 2013 runs already, for which the exported functions answer.
    NotAlone,
    /// The tool does not want to run.
    Declined,
    /// The tool runs, and speaks this generation.
    As(Generation),
}

/// Starts the tool of 2014 or 2016 whose `ompt_tool` at `address` returned `initialize`. `said`:
/// its generation, if the environment or its own file names it.
///
/// # Safety
/// `initialize` came from [`ask_tool`].
pub unsafe fn start_tool(
    engine: &'static Inquiry,
    address: *const c_void,
    initialize: Initialize,
    said: Option<Generation>,
) -> Started {
    let Some(slot) = events::attach(tell_event) else { return Started::NoRoom };
    let tool = tool(slot);
    tool.enter(Phase::Initialising);
    tool.is_found_by(address as usize);
    tool.guess();
    if let Some(generation) = said.filter(|&said| said != Generation::Y2013) {
        tool.decide(generation);
    }
    // SAFETY: the caller's promise.
    unsafe { call_initializer(engine, slot, address, initialize) };
    run(slot);
    Started::As(tool.generation())
}

/// Calls the initializer that the tool's `ompt_tool` at `address` returned, for the tool in `slot`.
unsafe fn call_initializer(
    engine: &'static Inquiry,
    slot: usize,
    address: *const c_void,
    initialize: Initialize,
) {
    let meant = meant_by(address, initialize as *const c_void);
    // SAFETY: an address of a function of this type.
    let initialize = meant.map_or(initialize, |meant| unsafe {
        core::mem::transmute::<*const c_void, Initialize>(meant)
    });
    // SAFETY: the initializer gets what its signature says; the version string lives for the run.
    unsafe { initialize(LOOKUP[slot], engine.runtime_version.as_ptr(), VERSION) };
}

/// Makes events be told to the tool: its initializer has returned, and its generation is certain.
fn run(slot: usize) {
    let tool = tool(slot);
    tool.enter(Phase::Active);
    keep_by(tool.generation().frames());
    tool.attach_slot(slot);
}

/// The value of `OMPT_INITIALIZE` (2013, section 7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// The variable is not set: a tool is asked.
    IfWanted,
    /// `disable`, `false`: no tool is asked.
    Off,
    /// `true`: inquiries are answered, whatever the tool returned.
    Always,
}

/// Calls the `ompt_initialize` at `address` and starts the tool: one of 2014 if it uses the lookup
/// function, of 2013 otherwise. There is one tool of 2013 (7.1.1): the first.
///
/// # Safety
/// `address` is a definition of `ompt_initialize`, of either generation.
pub unsafe fn start_initialize(
    engine: &'static Inquiry,
    address: *mut c_void,
    said: Option<Generation>,
    support: Support,
) -> Started {
    let is_of_2013 = |slot| tool(slot).generation() == Generation::Y2013;
    if exported::slot().is_some_and(is_of_2013) {
        return Started::NotAlone;
    }
    let Some(slot) = events::attach(tell_event) else { return Started::NoRoom };
    let tool = tool(slot);
    tool.enter(Phase::Initialising);
    tool.is_found_by(address as usize);
    let said = said.filter(|said| matches!(said, Generation::Y2013 | Generation::Y2014));
    match said {
        Some(said) => tool.decide(said),
        None => tool.is_early(),
    }
    exported::answer_for(slot);
    // SAFETY: the caller's promise.
    let wants = unsafe { call_early(engine, slot, address) };
    // A tool of 2014 runs, whatever its initializer returns: its registrations count.
    let runs = wants != 0 || tool.generation() != Generation::Y2013;
    if runs {
        run(slot);
        return Started::As(tool.generation());
    }
    if support == Support::Always {
        inquire_only(slot);
    } else {
        tool.forget();
        exported::answer_for(SLOTS);
        slot::give_back(slot);
    }
    Started::Declined
}

/// Calls the `ompt_initialize` at `address` for the tool in `slot`. Returns its result.
unsafe fn call_early(engine: &'static Inquiry, slot: usize, address: *mut c_void) -> c_int {
    // SAFETY: the caller's promise; a function without parameters ignores the arguments.
    let initialize: EarlyInitialize = unsafe { core::mem::transmute(address) };
    // SAFETY: as above; the version string lives for the run.
    unsafe { initialize(LOOKUP[slot], engine.runtime_version.as_ptr(), VERSION) }
}

/// Asks the tool in `slot` once more, in the generation that it was found to speak. Returns whether
/// it runs again.
pub fn ask_again(slot: usize) -> bool {
    let Some(engine) = inquiry() else { return false };
    let tool = tool(slot);
    tool.decide(tool.generation());
    let address = tool.found() as *mut c_void;
    // SAFETY: the definition by which the tool was found, or the initializer that it returns; its
    // file stays loaded while the tool runs.
    let wants = unsafe {
        if tool.generation() == Generation::Y2013 {
            call_early(engine, slot, address) != 0
        } else {
            let initialize = ask_tool(address);
            initialize.map(|it| call_initializer(engine, slot, address, it)).is_some()
        }
    };
    if wants {
        run(slot);
    }
    wants
}

/// Makes the exported functions answer although there is no tool, for `OMPT_INITIALIZE=true`, or
/// for a debugger that asks for it. Nothing is told. If a tool has ended, they answer by its slot.
pub fn support_without_tool() {
    match exported::slot() {
        Some(slot) if tool(slot).phase() == Phase::Ended => inquire_only(slot),
        Some(_) => {}
        None => {
            if let Some(slot) = events::attach(tell_event) {
                tool(slot).decide(Generation::Y2013);
                exported::answer_for(slot);
                inquire_only(slot);
            }
        }
    }
}

fn inquire_only(slot: usize) {
    tool(slot).enter(Phase::Inquiring);
    keep_by(tool(slot).generation().frames());
    events::subscribe(slot, 0);
}

/// Ends every tool: each is told the runtime's end, and nothing afterwards.
pub fn finish() {
    for slot in 0..SLOTS {
        let tool = tool(slot);
        trace::finish(slot);
        if tool.phase() == Phase::Active {
            tell_event(slot, &Event::Shutdown);
        }
        if matches!(tool.phase(), Phase::Active | Phase::Inquiring | Phase::Forked) {
            tool.enter(Phase::Ended);
            events::detach(slot);
        }
    }
}
