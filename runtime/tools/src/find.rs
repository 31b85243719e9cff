//! Finds tools of all generations and starts them in order.
//!
//! First come the tools of the address space: the program's, then those that were preloaded or came
//! with a library. Then come those of the libraries that `OMP_TOOL_LIBRARIES` and
//! `OMPHALOS_TOOL_LIBRARIES` name. OpenMP lets a runtime stop at the first tool; this one attaches
//! every tool that wants to run, each with its own data words. It uses only the newest interface of
//! a file: `ompt_start_tool` (5.0), else `ompt_tool` (2014, 2016), else `ompt_initialize` (2013).
//! What must hold: all tools are asked before the settings are read and before the first one is
//! initialised, and files are searched one by one only if the linker has found something.

use crate::ahead::{self, NAMES};
use crate::earlier::{self, Generation, Initialize, Started, Support};
use crate::handed_on;
use crate::ompt5::{self, Wish, own_address};
use crate::search::{self, Library, file_of};
use crate::settings::{Settings, Switch};
use crate::verbose::Log;
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use omphalos_abi::earlier::{BY_REFERENCE, BY_VALUE, INITIALIZE};
use omphalos_abi::ompt::START_TOOL;
use omphalos_events::{Inquiry, SLOTS, inquiry};
use omphalos_sys::message;
use std::ffi::CString;

/// The definitions of [`NAMES`] in one file; null for each that it lacks.
type Definitions = [*mut c_void; 3];

/// Whether the search has run: there may be tools.
static SEARCHED: AtomicBool = AtomicBool::new(false);

/// Whether there is a tool of 2016 (or 2014), as far as that is known without a search. By the text
/// of its OMPT, such a tool starts before any routine completes.
pub fn comes_first() -> bool {
    !earlier::bound()[0].is_null()
}

/// The result that [`search_tools`] leaves for [`start`]: null, or a box.
static ASKED: AtomicPtr<Search> = AtomicPtr::new(core::ptr::null_mut());

/// Finds the tools and asks each whether it wants to run. Does so once; the engine has installed
/// its inquiries.
pub fn search_tools() {
    static ONCE: AtomicBool = AtomicBool::new(false);
    let Some(engine) = inquiry() else { return };
    if ONCE.swap(true, Ordering::AcqRel) || ahead::no_tool() {
        return;
    }
    SEARCHED.store(true, Ordering::Relaxed);
    let settings = Settings::read();
    match &settings.tool {
        Switch::On => {}
        Switch::Off => return,
        Switch::Illegal(text) => return refuse(text, &settings),
    }
    let log = Log::open(&settings.verbose);
    let mut search = Box::new(Search { engine, log, settings, found: Vec::new() });
    search.log.line(format_args!("----- START LOGGING OF TOOL REGISTRATION -----"));
    let here = search.in_address_space();
    let libraries = core::mem::take(&mut search.settings.libraries);
    if !here || !libraries.is_empty() {
        search.in_libraries(&libraries, "OMP_TOOL_LIBRARIES");
    }
    let beside = core::mem::take(&mut search.settings.beside);
    if !beside.is_empty() {
        search.in_libraries(&beside, "OMPHALOS_TOOL_LIBRARIES");
    }
    search.say_what_was_found();
    ASKED.store(Box::into_raw(search), Ordering::Release);
}

/// Initialises the tools that want to run. Does so once, after [`search_tools`].
pub fn start() {
    let asked = ASKED.swap(core::ptr::null_mut(), Ordering::AcqRel);
    if asked.is_null() {
        return;
    }
    // SAFETY: the box comes from `search_tools`, and the swap took it out of the static.
    let Search { engine, mut log, settings, found } = *unsafe { Box::from_raw(asked) };
    let early = |(_, tool): &(*mut c_void, Found)| matches!(tool, Found::Early(_));
    if settings.support == Support::Always && !found.iter().any(early) {
        earlier::support_without_tool();
    }
    handed_on::found(found.iter().map(|(address, _)| *address));
    for (number, (address, tool)) in found.into_iter().enumerate() {
        let start = || initialize(engine, address, tool, &settings, &mut log);
        if !handed_on::start(number, start) {
            let file = file_of(address);
            log.line(format_args!("The tool in {file} was started by another tool."));
        }
    }
}

/// Acts on an illegal value of `OMP_TOOL`. By OMPT of 2016 the program ends, so it ends if a tool
/// of that generation was found and none of 5.0 or later. Otherwise no tool runs.
fn refuse(text: &str, settings: &Settings) {
    let mut files = definitions();
    if files.is_empty() {
        let named = settings.libraries.iter().chain(&settings.beside);
        files.extend(named.filter_map(|name| {
            // A library that cannot be loaded has no tool, and no tool is started anyway: no
            // message.
            let library = Library::load(name).ok()?;
            let file = defined_in(&library);
            library.unload();
            Some(file)
        }));
    }
    let modern = files.iter().any(|[start_tool, ..]| !start_tool.is_null());
    let of_2016 = files.iter().any(|[_, tool, _]| !tool.is_null());
    if of_2016 && !modern {
        message!(
            "OMP_TOOL=\"{text}\" is neither \"enabled\" nor \"disabled\", and the program has a \
             tool of \
             2016, for which that is an error: the program ends. Set it to one of them, or unset \
             it."
        );
        // The process's end needs no lock that this thread holds.
        omphalos_sys::process::exit(1);
    }
    message!(
        "OMP_TOOL=\"{text}\" is neither \"enabled\" nor \"disabled\": no tool is started. \
         Set it to one of them, or unset it."
    );
}

/// Returns the definitions of each file of the address space. Reads the files only if the linker
/// finds a definition at all.
fn definitions() -> Vec<Definitions> {
    let modern = search::in_address_space(START_TOOL, own_address());
    let mut older = earlier::bound();
    if older[1].is_null() {
        // The reference may be bound to the runtime's definition, which comes before that of a tool
        // that was loaded later.
        let behind = search::in_address_space(INITIALIZE, earlier::own_initialize());
        older[1] = behind.unwrap_or(core::ptr::null_mut());
    }
    if modern.is_none() && older.iter().all(|address| address.is_null()) {
        return Vec::new();
    }
    let mut files = search::in_every_file(NAMES);
    let known = |files: &[Definitions], address: *mut c_void| {
        files.iter().any(|file| file.contains(&address))
    };
    // The linker's answer counts, even if the file does not show the definition.
    let first = modern.unwrap_or(core::ptr::null_mut());
    for (at, address) in [first, older[0], older[1]].into_iter().enumerate() {
        if !address.is_null() && !known(&files, address) {
            let mut file = [core::ptr::null_mut(); 3];
            file[at] = address;
            files.push(file);
        }
    }
    files
}

/// Returns the definitions of a library that was loaded for its tool.
fn defined_in(library: &Library) -> Definitions {
    let own = [own_address(), core::ptr::null(), earlier::own_initialize()];
    core::array::from_fn(|at| library.find(NAMES[at], own[at]).unwrap_or(core::ptr::null_mut()))
}

/// A tool that wants to run, or one that decides when it is started.
enum Found {
    /// OpenMP 5.0 and later.
    Modern(NonNull<Wish>),
    /// 2014 or 2016.
    Older(Initialize),
    /// 2013, or early 2014.
    Early(*mut c_void),
}

/// The search for tools.
struct Search {
    engine: &'static Inquiry,
    log: Log,
    settings: Settings,
    /// Every tool that wants to run, with the function by which it was found: none is asked twice.
    found: Vec<(*mut c_void, Found)>,
}

impl Search {
    /// Asks the tools of the address space. Returns whether one of them wants to run.
    fn in_address_space(&mut self) -> bool {
        self.log.part(format_args!("Search for OMP tool in current address space... "));
        for file in definitions() {
            self.ask_file(file);
        }
        let found = !self.found.is_empty();
        self.log.line(format_args!("{}", if found { "Success." } else { "Failed." }));
        found
    }

    /// Tries each library.
    fn in_libraries(&mut self, names: &[CString], variable: &str) {
        if names.is_empty() {
            self.log.line(format_args!("No {variable} defined."));
        } else {
            let mut list = String::new();
            for name in names {
                let between = if list.is_empty() { "" } else { ":" };
                list.push_str(between);
                list.push_str(&name.to_string_lossy());
            }
            self.log.line(format_args!("Searching tool libraries..."));
            self.log.line(format_args!("{variable} = {list}"));
        }
        let mut found = false;
        for name in names {
            match self.in_library(name, variable) {
                Some(true) => {
                    found = true;
                    self.log.line(format_args!("Success."));
                }
                Some(false) => {
                    self.log.line(format_args!("Found but not using the OMPT interface."));
                    self.log.line(format_args!("Continuing search..."));
                }
                None => {}
            }
        }
        if !found {
            self.log.line(format_args!("...searching tool libraries failed."));
        }
    }

    /// Tries one library. Returns whether its tool wants to run; `None` if it has no tool.
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
        let file = defined_in(&library);
        if file.iter().all(|address| address.is_null()) {
            message!(
                "{variable} names \"{shown}\", which has no ompt_start_tool (nor ompt_tool or \
                 ompt_initialize of older tools); it is skipped. Name a shared library that \
                 defines \
                 and exports it."
            );
            self.log.line(format_args!("Failed: {shown}: undefined symbol: ompt_start_tool"));
            library.unload();
            return None;
        }
        if self.found.iter().any(|(known, _)| file.contains(known)) {
            self.log.line(format_args!("Its tool was asked already."));
            library.unload();
            return None;
        }
        let wants = self.ask_file(file);
        if !wants {
            library.unload();
        }
        Some(wants)
    }

    /// Asks a file's tool by the newest interface that it has. Returns whether the tool wants to
    /// run.
    fn ask_file(&mut self, [modern, older, early]: Definitions) -> bool {
        // SAFETY: definitions of the three names, each asked by its own; null ones are not.
        let asked = unsafe {
            let wish = (!modern.is_null()).then(|| ompt5::ask_tool(self.engine, modern)).flatten();
            let initializer = || (!older.is_null()).then(|| earlier::ask_tool(older)).flatten();
            match wish {
                Some(wish) => Some((modern, Found::Modern(wish))),
                None => initializer().map(|initialize| (older, Found::Older(initialize))),
            }
        };
        let may_be_early = modern.is_null() && older.is_null() && !early.is_null();
        let asked = match asked {
            None if may_be_early && self.settings.support != Support::Off => {
                Some((early, Found::Early(early)))
            }
            asked => asked,
        };
        // A tool that does not want to run is forgotten: its library may go, and another may be
        // loaded at the same address.
        self.found.extend(asked);
        self.found.last().is_some_and(|(address, _)| [modern, older, early].contains(address))
    }

    /// Ends the description of the search.
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

/// Starts one tool.
fn initialize(
    engine: &'static Inquiry,
    address: *mut c_void,
    tool: Found,
    settings: &Settings,
    log: &mut Log,
) {
    let said: Option<Generation> = settings.dialect;
    // SAFETY: the functions come from the tools themselves, or are definitions of the name.
    let started = unsafe {
        match tool {
            Found::Modern(wish) if ompt5::initialize(address, wish, earlier::meant_by) => return,
            Found::Modern(_) => Started::NoRoom,
            Found::Older(initialize) => {
                let by_header = || {
                    let marks =
                        [(BY_VALUE, Generation::Y2016Ids), (BY_REFERENCE, Generation::Y2016Data)];
                    let place = initialize as *const c_void;
                    let is_marked = |name| !search::defined_beside(place, name).is_null();
                    marks.into_iter().find(|(name, _)| is_marked(name))
                };
                let said = said.or_else(|| by_header().map(|(_, generation)| generation));
                earlier::start_tool(engine, address, initialize, said)
            }
            Found::Early(function) => {
                earlier::start_initialize(engine, function, said, settings.support)
            }
        }
    };
    let file = || file_of(address);
    match started {
        Started::NoRoom => {
            message!("the tool in {} is not started: {SLOTS} tools run already.", file());
        }
        Started::NotAlone => {
            message!(
                "the tool in {} is not started: a tool of OMPT of 2013 runs already, and that has \
                 one.",
                file()
            );
        }
        Started::Declined => {}
        Started::As(generation) => {
            let word = generation.name();
            log.line(format_args!("The tool in {} uses OMPT of {word}.", file()));
        }
    }
}

/// Ends every tool, after the engine's last event.
pub fn finish() {
    if SEARCHED.load(Ordering::Relaxed) {
        ompt5::finish();
        earlier::finish();
    }
}
