//! Finding, starting and ending OMPT tools: OpenMP 6.0 section 32.2.
//!
//! The first `ompt_start_tool` in the address space is asked, then each library that
//! `OMP_TOOL_LIBRARIES` names, until one returns a result; that tool's initializer decides. All of it
//! runs on the thread that starts the runtime, before any event. A tool may do anything in its
//! initializer, also call `exit`: the end then finds a tool that is not active and leaves it alone.

use super::entry_points::LOOKUP;
use super::own_symbol::own_address;
use super::tool::{Phase, Tool, tool};
use super::translate::notify;
use crate::search::{self, Library};
use crate::settings::Settings;
use crate::verbose::Log;
use core::ffi::{CStr, c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering};
use omphalos_abi::ompt::*;
use omphalos_events::{Endpoint, Event, Inquiry, SLOTS, TaskFlags, ThreadKind, attach, inquiry};
use omphalos_sys::message;
use std::ffi::CString;

/// What `omp_get_initial_device` returns: the host, which comes after the (no) other devices.
const INITIAL_DEVICE: c_int = 0;

/// Finds and initialises the tools. Once; the engine has installed its inquiries.
pub fn start() {
    static STARTED: AtomicBool = AtomicBool::new(false);
    let Some(engine) = inquiry() else { return };
    if STARTED.swap(true, Ordering::AcqRel) {
        return;
    }
    let settings = Settings::read();
    if !settings.enabled {
        return;
    }
    let log = Log::open(&settings.verbose);
    let mut search = Search { engine, log, found: Vec::new() };
    search.log.line(format_args!("----- START LOGGING OF TOOL REGISTRATION -----"));
    if !search.in_address_space() {
        search.in_libraries(&settings.libraries, "OMP_TOOL_LIBRARIES", true);
    }
    if !settings.beside.is_empty() {
        search.in_libraries(&settings.beside, "OMPHALOS_TOOL_LIBRARIES", false);
    }
    search.say_what_was_found();
    for (address, result) in search.found {
        initialize(address, result);
    }
}

/// The search for tools.
struct Search {
    engine: &'static Inquiry,
    log: Log,
    /// Every `ompt_start_tool` that gave a result, with it: none is called twice.
    found: Vec<(*mut c_void, *mut ompt_start_tool_result_t)>,
}

impl Search {
    /// Whether the search is over: a tool in the address space gave a result.
    fn in_address_space(&mut self) -> bool {
        self.log.part(format_args!("Search for OMP tool in current address space... "));
        let found = search::in_address_space(START_TOOL, own_address())
            .is_some_and(|address| self.ask(address));
        if !found {
            self.log.line(format_args!("Failed."));
        }
        found
    }

    /// Tries each library; `first_only`: until one's tool gave a result.
    fn in_libraries(&mut self, names: &[CString], variable: &str, first_only: bool) {
        if names.is_empty() {
            self.log.line(format_args!("No {variable} defined."));
        } else {
            let list: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
            self.log.line(format_args!("Searching tool libraries..."));
            self.log.line(format_args!("{variable} = {}", list.join(":")));
        }
        let mut found = false;
        for name in names {
            let Some(gave) = self.in_library(name, variable) else { continue };
            found |= gave;
            if gave && first_only {
                break;
            }
            if !gave {
                self.log.line(format_args!("Found but not using the OMPT interface."));
                self.log.line(format_args!("Continuing search..."));
            }
        }
        if !found {
            self.log.line(format_args!("...searching tool libraries failed."));
        }
    }

    /// Tries one library: whether its tool gave a result; `None` if it has no tool to ask.
    fn in_library(&mut self, name: &CStr, variable: &str) -> Option<bool> {
        let shown = name.to_string_lossy();
        self.log.part(format_args!("Opening {shown}... "));
        let library = match Library::load(name) {
            Ok(library) => library,
            Err(reason) => {
                message!(
                    "{variable} names \"{shown}\", which cannot be loaded ({reason}); it is \
                     skipped. Name a shared library that defines ompt_start_tool."
                );
                self.log.line(format_args!("Failed: {reason}"));
                return None;
            }
        };
        self.log.line(format_args!("Success."));
        self.log.part(format_args!("Searching for ompt_start_tool in {shown}... "));
        let Some(address) = library.find(START_TOOL, own_address()) else {
            message!(
                "{variable} names \"{shown}\", which has no ompt_start_tool; it is skipped. \
                 Name a shared library that defines and exports it."
            );
            self.log.line(format_args!("Failed: {shown}: undefined symbol: ompt_start_tool"));
            library.unload();
            return None;
        };
        if self.found.iter().any(|&(known, _)| known == address) {
            self.log.line(format_args!("Its tool was asked already."));
            library.unload();
            return None;
        }
        let found = self.ask(address);
        if !found {
            library.unload();
        }
        Some(found)
    }

    /// Asks the `ompt_start_tool` at `address`. False if it gave nothing: the search goes on.
    fn ask(&mut self, address: *mut c_void) -> bool {
        // SAFETY: a definition of this name has this type, by the specification.
        let ask: ompt_start_tool_t = unsafe { core::mem::transmute(address) };
        // SAFETY: the version string lives for the whole run, as the specification wants it.
        let result = unsafe { ask(self.engine.omp_version, self.engine.runtime_version.as_ptr()) };
        // Without a result its library may go, and another one come to the same address.
        if !result.is_null() {
            self.found.push((address, result));
            self.log.line(format_args!("Success."));
        }
        !result.is_null()
    }

    /// The end of the description.
    fn say_what_was_found(&mut self) {
        match self.found.len() {
            0 => self.log.line(format_args!("No OMP tool loaded.")),
            1 => self.log.line(format_args!("Tool was started and is using the OMPT interface.")),
            many => {
                self.log
                    .line(format_args!("{many} tools were started and use the OMPT interface."));
            }
        }
        self.log.line(format_args!("----- END LOGGING OF TOOL REGISTRATION -----"));
    }
}

/// Starts the tool that the `ompt_start_tool` at `address` gave.
fn initialize(address: *mut c_void, result: *mut ompt_start_tool_result_t) {
    // SAFETY: a result that is not null points to a structure that the tool keeps for the run.
    let (initialize, finalize) = unsafe { ((*result).initialize, (*result).finalize) };
    let (Some(initialize), Some(finalize)) = (initialize, finalize) else {
        message!(
            "the tool in {} gives no initializer or no finalizer; it is not started. Both \
             members of ompt_start_tool_result_t must be set.",
            file_of(address)
        );
        return;
    };
    let Some(slot) = attach(notify) else {
        message!("the tool in {} is not started: {SLOTS} tools run already.", file_of(address));
        return;
    };
    let tool = tool(slot);
    tool.begin();
    // SAFETY: the tool's own word, in the structure above.
    let data = unsafe { &raw mut (*result).tool_data };
    // SAFETY: the initializer gets what its signature says; the lookup is the slot's.
    let wants = unsafe { initialize(LOOKUP[slot], INITIAL_DEVICE, data) };
    if wants == 0 || !tool.activate(slot, finalize, data) {
        tool.end(slot);
    }
}

/// Ends every tool: the engine has had its last event.
pub fn finish() {
    for slot in 0..SLOTS {
        let tool = tool(slot);
        if tool.end(slot) {
            tool.finalize();
        }
    }
}

/// `ompt_finalize_tool`: to this tool it is as if the program ended here. It hears the end of the
/// initial task and of the calling thread, if it runs in that task, and then its finalizer; other
/// threads' ends it does not hear, as their threads go on. Does nothing for a tool that is not active,
/// so that an initializer may call it: it ends the tool before it began.
pub fn end_early(slot: usize, tool: &Tool) {
    if tool.phase() == Phase::Active {
        tell_of_the_end(slot);
    }
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
        notify(slot, &end);
        notify(slot, &Event::ThreadEnd { thread, kind: ThreadKind::Initial });
    }
}

/// The file that an address was loaded from, for messages.
fn file_of(address: *mut c_void) -> String {
    // SAFETY: all-zero is a valid value of this plain structure.
    let mut info: libc::Dl_info = unsafe { core::mem::zeroed() };
    // SAFETY: dladdr takes any address and fills the structure.
    let known = unsafe { libc::dladdr(address, &mut info) } != 0 && !info.dli_fname.is_null();
    if !known {
        return String::from("an unknown file");
    }
    // SAFETY: the dynamic linker's own string, which lives while the file is loaded.
    unsafe { CStr::from_ptr(info.dli_fname) }.to_string_lossy().into_owned()
}
