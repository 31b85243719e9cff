//! Starts and ends OMPT tools: OpenMP 6.0, section 32.2.
//!
//! A tool's `ompt_start_tool` is asked; if it returns a result, the initializer in it decides. All
//! of this runs on the thread that starts the runtime, before any event. An initializer may do
//! anything, even call `exit`: the end then finds a tool that is not active, and leaves it alone.

use super::entry_points::LOOKUP;
use super::tool::{Phase, Tool, tool};
use super::translate::tell_event;
use crate::search::file_of;
use crate::{slot, trace};
use core::ffi::c_void;
use core::ptr::NonNull;
use omphalos_abi::ompt::*;
use omphalos_events::frames::{FrameRule, keep_by};
use omphalos_events::request::answer;
use omphalos_events::{Endpoint, Event, Inquiry, SLOTS, TaskFlags, ThreadKind, attach, inquiry};
use omphalos_sys::message;

/// The result of a tool that wants to run.
pub type Wish = ompt_start_tool_result_t;

/// Asks the `ompt_start_tool` at `address`; `None` if its tool does not want to run.
///
/// # Safety
/// `address` is a definition of that function.
pub unsafe fn ask_tool(engine: &Inquiry, address: *mut c_void) -> Option<NonNull<Wish>> {
    // SAFETY: a definition of this name has this type, by the specification.
    let ask: ompt_start_tool_t = unsafe { core::mem::transmute(address) };
    // SAFETY: the version string lives for the whole run, as the specification wants it.
    let result = unsafe { ask(engine.omp_version, engine.runtime_version.as_ptr()) };
    NonNull::new(result)
}

/// Returns the function that a file means by an address: the linker may have given the file another
/// file's function of the same name. The first argument is a function of the file.
pub type MeantBy = fn(*const c_void, *const c_void) -> Option<*const c_void>;

/// Starts the tool whose `ompt_start_tool` is at `address`. Returns false if all slots are taken.
///
/// # Safety
/// `result` came from [`ask_tool`], and the tool keeps it for the run.
pub unsafe fn initialize(address: *mut c_void, result: NonNull<Wish>, meant: MeantBy) -> bool {
    let result = result.as_ptr();
    // SAFETY: a result that is not null points to a structure that the tool keeps for the run.
    let (initialize, finalize) = unsafe { ((*result).initialize, (*result).finalize) };
    let (Some(initialize), Some(finalize)) = (initialize, finalize) else {
        message!(
            "the tool in {} gives no initializer or no finalizer; it is not started. Both \
             members of ompt_start_tool_result_t must be set.",
            file_of(address)
        );
        return true;
    };
    let Some(slot) = attach(tell_event) else { return false };
    let tool = tool(slot);
    tool.begin();
    // SAFETY: the tool's own word, in the structure above.
    let data = unsafe { &raw mut (*result).tool_data };
    // The host comes after the other devices; a library tells of those when it first executes a
    // construct.
    let host = inquiry().map_or(0, |engine| (engine.num_devices)());
    // SAFETY: an address of a function of this type.
    let initialize = meant(address, initialize as *const c_void)
        .map_or(initialize, |meant| unsafe {
            core::mem::transmute::<*const c_void, ompt_initialize_t>(meant)
        });
    // SAFETY: the initializer gets what its signature says; the lookup is the slot's.
    let wants = unsafe { initialize(LOOKUP[slot], host, data) };
    if wants == 0 || !tool.activate(slot, finalize, data) {
        tool.end(slot);
        tool.forget();
        slot::give_back(slot);
    } else {
        keep_by(FrameRule::Borders);
    }
    true
}

/// Returns the slot of a tool that comes into a running process: the one that it had `before`, or a
/// new one. `Err` has the answer to the asker if there is none.
pub fn slot_again(before: usize) -> Result<usize, u32> {
    if before < SLOTS {
        return if tool(before).begin_again() { Ok(before) } else { Err(answer::REFUSED) };
    }
    let slot = attach(tell_event).ok_or(answer::FULL)?;
    tool(slot).begin();
    Ok(slot)
}

/// Starts the tool in that slot. Returns whether it runs.
///
/// # Safety
/// `result` came from [`ask_tool`], and the tool keeps it for the run.
pub unsafe fn begin_late(slot: usize, result: NonNull<Wish>) -> bool {
    let result = result.as_ptr();
    // SAFETY: as above; the tool's own word in it.
    let (initialize, finalize, data) =
        unsafe { ((*result).initialize, (*result).finalize, &raw mut (*result).tool_data) };
    let (Some(initialize), Some(finalize)) = (initialize, finalize) else { return false };
    let host = inquiry().map_or(0, |engine| (engine.num_devices)());
    // This comes before the tool's first event.
    keep_by(FrameRule::Borders);
    // SAFETY: the initializer gets what its signature says; the lookup is the slot's.
    let wants = unsafe { initialize(LOOKUP[slot], host, data) };
    wants != 0 && tool(slot).activate(slot, finalize, data)
}

/// Ends a tool in the middle of the run, from a thread that OpenMP does not know. The tool keeps
/// its slot.
pub fn end_late(slot: usize) {
    trace::finish(slot);
    if tool(slot).end(slot) {
        tool(slot).finalize();
    }
}

/// Ends the tool in `slot` in a forked child, without its finalizer: it is told nothing any more.
pub fn forget_in_child(slot: usize) {
    tool(slot).end(slot);
}

/// Ends every tool. The engine has told its last event.
pub fn finish() {
    for slot in 0..SLOTS {
        let tool = tool(slot);
        trace::finish(slot);
        if tool.end(slot) {
            tool.finalize();
        }
    }
}

/// `ompt_finalize_tool`: for this tool the program ends here. It is told the end of the idle
/// threads, on these threads; then the end of the initial task and of the calling thread, if the
/// thread runs in that task; then its finalizer is called. While a region may be under way, the
/// other threads' ends are left out. Does nothing for a tool that is not active: an initializer may
/// call this, and so end the tool before it began.
pub fn end_early(slot: usize, tool: &Tool) {
    if tool.phase() == Phase::Active {
        if let Some(engine) = inquiry() {
            (engine.tool_leaves)(slot);
        }
        tell_of_the_end(slot);
    }
    trace::finish(slot);
    if tool.end(slot) {
        tool.finalize();
    }
}

fn tell_of_the_end(slot: usize) {
    let Some(engine) = inquiry() else { return };
    // SAFETY: the engine's answers about the calling thread, valid while it is in this call.
    let thread = unsafe { (engine.thread)().as_ref() };
    let (Some(thread), (2, Some(info))) = (thread, (engine.task)(0)) else { return };
    // SAFETY: as above.
    let (task, region) = unsafe { (info.task.as_ref(), info.region.as_ref()) };
    if let (Some(task), Some(region)) = (task, region)
        && info.flags & TaskFlags::INITIAL != 0
    {
        let (endpoint, flags) = (Endpoint::End, TaskFlags::INITIAL);
        let end = Event::ImplicitTask { endpoint, region, task, parallelism: 1, index: 1, flags };
        tell_event(slot, &end);
        tell_event(slot, &Event::ThreadEnd { thread, kind: ThreadKind::Initial });
    }
}
