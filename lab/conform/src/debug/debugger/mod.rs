//! The debugger: a process of its own, so that a library that crashes or hangs ends nothing else.
//! It starts one program, asks all questions at each stop (about the process, and at some stops
//! about a core), and writes the answers to its standard output.

mod target;

use std::io::Write;
use std::path::{Path, PathBuf};

use omphalos_inspect::space::core::Core;
use omphalos_inspect::space::live::Live;
use omphalos_inspect::space::{Space, modules, save, word};
use omphalos_inspect::{Known, Variables, Way, look};
use omphalos_ompd_client::{Library, Process, Subject};
use omphalos_ompd_view::Fault;
use omphalos_ompd_view::snapshot::Snapshot;

use super::questions::{Asking, Verdict, questions};
use super::record::Record;
use super::report::{Line, When};
use target::Program;

/// The greatest number of cores of one program.
const MOST_CORES: u32 = 3;

/// The work for a debugger.
#[derive(Clone, Debug)]
pub struct Order {
    /// The program.
    pub program: PathBuf,
    /// The folder that has the runtime under each of its names.
    pub folder: PathBuf,
    /// The runtime's file.
    pub runtime: PathBuf,
    /// The tool.
    pub tool: PathBuf,
    /// The folder for cores.
    pub scratch: PathBuf,
    /// A number that selects the stops with a core.
    pub seed: u32,
}

impl Order {
    /// Writes the order as words of a command line.
    pub fn words(&self) -> Vec<std::ffi::OsString> {
        let paths = [&self.program, &self.folder, &self.runtime, &self.tool, &self.scratch];
        let mut words: Vec<_> = paths.iter().map(|path| path.as_os_str().to_owned()).collect();
        words.push(self.seed.to_string().into());
        words
    }

    /// Reads the order from those words.
    pub fn parse(words: &[String]) -> Option<Order> {
        let [program, folder, runtime, tool, scratch, seed] = words else { return None };
        Some(Order {
            program: program.into(),
            folder: folder.into(),
            runtime: runtime.into(),
            tool: tool.into(),
            scratch: scratch.into(),
            seed: seed.parse().ok()?,
        })
    }
}

/// Executes the order. The answers go to `out`, a line each.
pub fn debug(order: &Order, out: &mut dyn Write) -> Result<(), String> {
    let mut program = Program::start(order)?;
    let mut teller = Teller { out, order, told: Vec::new() };
    let mut loaded: Option<(Library, Variables)> = None;
    let (mut stops, mut cores) = (0, 0);
    while let Some(record) = program.stop()? {
        // A child of the program has the tool too, but is not debugged.
        if record.pid != program.pid() {
            program.go();
            continue;
        }
        stops += 1;
        let wants_core = cores < MOST_CORES && (stops + order.seed).is_multiple_of(9);
        let core = order.scratch.join("core");
        let found = Live::look(program.pid(), Way::Stopping, |space| {
            let (library, variables) = match &mut loaded {
                Some(loaded) => loaded,
                None => loaded.insert(load(space, order)?),
            };
            teller.look(When::Live, library, &Known::new(space, variables), &record)?;
            Ok::<_, String>(wants_core && save::save(space, &core).is_ok())
        });
        let is_saved = match found {
            Ok((_, Ok(is_saved))) => is_saved,
            Ok((_, Err(fault))) => {
                program.go();
                return Err(fault);
            }
            Err(fault) => return Err(format!("the program cannot be stopped: {fault}")),
        };
        if let (true, Some((library, variables))) = (is_saved, &loaded) {
            cores += 1;
            let space = Core::open(&core, None).map_err(|fault| fault.to_string())?;
            teller.look(When::Core, library, &Known::new(&space, variables), &record)?;
        }
        program.go();
    }
    Ok(())
}

/// Loads the library that the runtime names, or else the one beside it; and the runtime's
/// variables, as a debugger knows them.
fn load(space: &dyn Space, order: &Order) -> Result<(Library, Variables), String> {
    let file = order.runtime.to_string_lossy();
    let module = modules(space.mappings()).into_iter().find(|module| module.path == file);
    let variables = module.map_or_else(Variables::default, |module| {
        Variables::read(Path::new(&space.file(&module).unwrap_or_default()), module.base, |_| true)
    });
    let mut paths = Vec::new();
    let read = |at| word(space.as_target(), at).unwrap_or(0);
    let named = Known::new(space, &variables).variable("ompd_dll_locations", None);
    let mut list = named.map_or(0, read);
    while list != 0 && paths.len() < 64 {
        let text = read(list);
        if text == 0 {
            break;
        }
        paths.push(PathBuf::from(text_at(space, text)));
        list += 8;
    }
    paths.extend(Some(order.runtime.with_file_name("libompd.so")).filter(|path| path.exists()));
    let mut why = Vec::new();
    for path in paths {
        match Library::open(&path) {
            Ok(library) => return Ok((library, variables)),
            Err(fault) => why.push(fault.to_string()),
        }
    }
    Err(why.into_iter().next().unwrap_or_else(|| "the runtime names no libompd".into()))
}

fn text_at(space: &dyn Space, at: u64) -> String {
    let mut text = Vec::new();
    let mut byte = [0];
    while text.len() < 4096 && space.read(at + text.len() as u64, &mut byte).is_ok() && byte[0] != 0
    {
        text.push(byte[0]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Explains why the library does not open the process: mostly a missing symbol.
fn refused(fault: &Fault) -> String {
    let why = fault.to_string();
    match why.strip_prefix("no symbol ") {
        Some(name) => format!(
            "the runtime's file has no symbol {name} (its debug symbols are not installed, or it \
             was built without OMPD)"
        ),
        None => why,
    }
}

/// Writes the answers.
struct Teller<'a> {
    out: &'a mut dyn Write,
    order: &'a Order,
    /// Questions that differed, and for which the place was already searched.
    told: Vec<(When, usize)>,
}

impl Teller<'_> {
    fn look(
        &mut self,
        when: When,
        library: &Library,
        known: &Known<'_>,
        record: &Record,
    ) -> Result<(), String> {
        let process = Process::open(library, known).map_err(|fault| refused(&fault))?;
        self.ask(when, &process, record, known.space).map_err(|error| error.to_string())
    }

    fn ask(
        &mut self,
        when: When,
        process: &Process<'_>,
        record: &Record,
        space: &dyn Space,
    ) -> std::io::Result<()> {
        let tool = self.order.tool.to_string_lossy();
        let asking = Asking { process, record, tool: &tool };
        Line::Stop(when, record.event.clone()).write(self.out)?;
        for (at, question) in questions().enumerate() {
            // If the library ends this process, this line is the last question.
            Line::Asks(when, at).write(self.out)?;
            self.out.flush()?;
            let verdict = question.hold_against(&asking);
            let wanted = matches!(verdict, Verdict::Differs(_)) && !self.told.contains(&(when, at));
            if wanted {
                self.told.push((when, at));
            }
            let place = if wanted { place(space, record.lwp, &self.order.program) } else { None };
            Line::Told(verdict, place.unwrap_or_default()).write(self.out)?;
        }
        self.out.flush()
    }
}

/// Finds the thread's place in the program: file and line.
fn place(space: &dyn Space, lwp: u32, program: &Path) -> Option<String> {
    let mut snapshot = Snapshot::default();
    look::fill(space, &mut snapshot);
    let thread = snapshot.threads.iter().find(|thread| thread.lwp == lwp)?;
    let name = program.file_name()?.to_string_lossy();
    let frame = thread.stack.iter().find(|frame| frame.module == name && frame.line.is_some())?;
    let file = frame.file.as_deref().unwrap_or("");
    let file = file.rsplit('/').next().unwrap_or(file);
    Some(format!("{file}:{}", frame.line?))
}
