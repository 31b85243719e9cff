//! The debugger: a process of its own, so that a library that crashes or hangs ends nothing else.
//! It starts one program, asks at each stop all questions, of the process and at some of a core,
//! and tells the answers on its standard output.

mod callbacks;
mod handle;
mod library;
pub mod session;
mod symbols;
mod target;

use std::io::Write;
use std::path::{Path, PathBuf};

use omphalos_inspect::space::core::Core;
use omphalos_inspect::space::live::Live;
use omphalos_inspect::space::{Space, save, word};
use omphalos_inspect::{Way, look};
use omphalos_ompd_view::snapshot::Snapshot;

use super::questions::{Asking, Verdict, questions};
use super::record::Record;
use super::report::{Line, When};
use callbacks::Context;
use library::Library;
use session::Session;
use target::Program;

/// Cores of one program.
const MOST_CORES: u32 = 3;

/// What the debugger is to do.
#[derive(Clone, Debug)]
pub struct Order {
    /// The program.
    pub program: PathBuf,
    /// The folder in which the runtime has all names.
    pub folder: PathBuf,
    /// The runtime's file.
    pub runtime: PathBuf,
    /// The tool.
    pub tool: PathBuf,
    /// Where cores go.
    pub scratch: PathBuf,
    /// Chooses stops.
    pub seed: u32,
}

impl Order {
    /// As words of a command line.
    pub fn words(&self) -> Vec<std::ffi::OsString> {
        let paths = [&self.program, &self.folder, &self.runtime, &self.tool, &self.scratch];
        let mut words: Vec<_> = paths.iter().map(|path| path.as_os_str().to_owned()).collect();
        words.push(self.seed.to_string().into());
        words
    }

    /// From those words.
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

/// Does it; the answers go to `out`, a line each.
pub fn debug(order: &Order, out: &mut dyn Write) -> Result<(), String> {
    let mut program = Program::start(order)?;
    let mut teller = Teller { out, order, told: Vec::new() };
    let runtime = order.runtime.to_string_lossy().into_owned();
    let live = Context::new(&runtime);
    let mut library: Option<Library> = None;
    let (mut stops, mut cores) = (0, 0);
    // The session goes before the library and the context that it has.
    while let Some(record) = program.stop()? {
        // A child of the program has its tool, and is not what is looked at.
        if record.pid != program.pid() {
            program.go();
            continue;
        }
        stops += 1;
        let wants_core = cores < MOST_CORES && (stops + order.seed).is_multiple_of(9);
        let core = order.scratch.join("core");
        let found = Live::look(program.pid(), Way::Stopping, |space| {
            live.with(space, || {
                if library.is_none() {
                    library = Some(load(&live, space, order)?);
                }
                let Some(library) = &library else { return Ok(false) };
                let session = library.open(&live).map_err(|refusal| refused(&live, &refusal))?;
                teller
                    .ask(When::Live, &session, &record, space)
                    .map_err(|error| error.to_string())?;
                Ok::<_, String>(wants_core && save::save(space, &core).is_ok())
            })
        });
        let is_saved = match found {
            Ok((_, Ok(is_saved))) => is_saved,
            Ok((_, Err(fault))) => {
                program.go();
                return Err(fault);
            }
            Err(fault) => return Err(format!("the program cannot be stopped: {fault}")),
        };
        if let (true, Some(library)) = (is_saved, &library) {
            cores += 1;
            let space = Core::open(&core, None).map_err(|fault| fault.to_string())?;
            let context = Context::new(&runtime);
            context.with(&space, || {
                let session =
                    library.open(&context).map_err(|refusal| refused(&context, &refusal))?;
                teller.ask(When::Core, &session, &record, &space).map_err(|error| error.to_string())
            })?;
        }
        program.go();
    }
    Ok(())
}

/// Loads the library that the runtime names, else the one beside it.
fn load(live: &Context, space: &dyn Space, order: &Order) -> Result<Library, String> {
    let mut paths = Vec::new();
    let read = |at| word(space.as_target(), at).unwrap_or(0);
    let mut list = live.symbol("ompd_dll_locations", None).map_or(0, read);
    while list != 0 && paths.len() < 64 {
        let text = read(list);
        if text == 0 {
            break;
        }
        paths.push(text_at(space, text));
        list += 8;
    }
    let beside = order.runtime.with_file_name("libompd.so");
    if beside.exists() {
        paths.push(beside.to_string_lossy().into_owned());
    }
    let library = library::first(&paths)?;
    library.begin().map_err(|refusal| refusal.to_string())?;
    Ok(library)
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

/// Why the library does not open the process: mostly for want of a symbol.
fn refused(context: &Context, refusal: &session::Refusal) -> String {
    match context.missing() {
        Some(name) => format!(
            "{refusal}: the runtime's file has no symbol {name} (its debug symbols are not \
             installed, or it was built without OMPD)"
        ),
        None => refusal.to_string(),
    }
}

/// Tells the answers.
struct Teller<'a> {
    out: &'a mut dyn Write,
    order: &'a Order,
    /// Questions whose difference has a place already.
    told: Vec<(When, usize)>,
}

impl Teller<'_> {
    fn ask(
        &mut self,
        when: When,
        session: &Session<'_>,
        record: &Record,
        space: &dyn Space,
    ) -> std::io::Result<()> {
        let tool = self.order.tool.to_string_lossy();
        let asking = Asking { session, record, tool: &tool };
        Line::Stop(when, record.event.clone()).write(self.out)?;
        for (at, question) in questions().enumerate() {
            // If the library ends this process, this is what it was asked.
            Line::Asks(when, at).write(self.out)?;
            self.out.flush()?;
            let verdict = question.ask(&asking);
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

/// Where the thread stands in the program: file and line.
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
