//! `omphalos conform --debug`: compares OMPD's answers about a thread in an OMPT callback with
//! those of OMPT and the routines there, on any runtime with any `libompd.so`.
//!
//! | module | what |
//! |---|---|
//! | `witness` | the tool in the program, in C: writes a record, holds the thread meanwhile |
//! | `programs` | programs beside the rows' |
//! | `settings` | the environment that the programs run in |
//! | `debugger` | a process of its own: one program, its stops, live and as a core |
//! | `record` | the record that the tool writes at a stop |
//! | `questions` | each question to OMPD with the answer that it must have |
//! | `report` | the lines from the debugger to the process that counts the answers |
//! | `sheet` | the counts, as a table |

pub mod debugger;
mod programs;
mod questions;
mod record;
mod report;
mod settings;
mod sheet;

use std::io::Read;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub use debugger::{Order, debug};
pub use programs::ROWS;
pub use questions::{Question, questions};
pub use sheet::Sheet;

use crate::rows::Row;
use crate::run::{Compiler, build, compile};
use crate::runtime::Runtime;

/// The time that the debugger may take for one program.
const LIMIT: Duration = Duration::from_secs(60);

/// The tool's source.
const WITNESS: &str =
    concat!(include_str!("witness/record.c"), "\n", include_str!("witness/callbacks.c"));

/// A program.
pub enum Source<'a> {
    /// A row's program.
    Row(&'a Row),
    /// A file of the user's.
    File(PathBuf),
}

impl Source<'_> {
    /// Returns its name.
    pub fn name(&self) -> String {
        match self {
            Source::Row(row) => row.name.to_owned(),
            Source::File(path) => {
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
        }
    }

    fn compile(&self, compiler: &str, scratch: &Path) -> Result<PathBuf, String> {
        match self {
            Source::Row(row) => compile(row, compiler, scratch),
            Source::File(path) => {
                let program = scratch.join("program");
                build(compiler, path, &program, &["-lm"]).map(|()| program)
            }
        }
    }
}

/// The inputs of a run.
pub struct Setup<'a> {
    /// The runtimes.
    pub runtimes: &'a [Runtime],
    /// The compilers.
    pub compilers: &'a [Compiler],
    /// The programs.
    pub programs: &'a [Source<'a>],
    /// A number that selects the stops at which the debugger also reads a core file.
    pub seed: u32,
    /// The command that starts a debugger's process for an order. That process calls [`debug()`].
    pub debugger: &'a dyn Fn(&Order) -> Command,
}

/// Runs all programs. Calls `tell` with the number of each program as that one begins.
pub fn hold(setup: &Setup<'_>, mut tell: impl FnMut(usize)) -> Result<Vec<Sheet>, String> {
    let scratch = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let scratch = scratch.path();
    let mut folders = Vec::new();
    for (at, runtime) in setup.runtimes.iter().enumerate() {
        let folder = scratch.join(format!("runtime{at}"));
        std::fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        runtime.link(&folder)?;
        // A runtime tells debuggers of the `libompd.so` in the folder through which the loader
        // found the runtime itself.
        let ompd = runtime.library.with_file_name("libompd.so");
        if ompd.exists() {
            let link = folder.join("libompd.so");
            symlink(&ompd, &link).map_err(|error| format!("{}: {error}", link.display()))?;
        }
        folders.push(folder);
    }
    let tool = tool(setup.compilers, scratch)?;
    let title = |runtime: &Runtime, compiler: &Compiler| format!("{}/{}", runtime.name, compiler.0);
    let mut sheets: Vec<Sheet> = setup
        .runtimes
        .iter()
        .flat_map(|runtime| setup.compilers.iter().map(move |compiler| title(runtime, compiler)))
        .map(Sheet::new)
        .collect();
    for (at, source) in setup.programs.iter().enumerate() {
        tell(at);
        for (which, compiler) in setup.compilers.iter().enumerate() {
            let program = match source.compile(&compiler.0, scratch) {
                Ok(program) => program,
                // The compiler may not know a row's construct.
                Err(_) if matches!(source, Source::Row(_)) => continue,
                Err(why) => return Err(format!("{}: {why}", source.name())),
            };
            for (runtime, folder) in folders.iter().enumerate() {
                let order = Order {
                    program: program.clone(),
                    folder: folder.clone(),
                    runtime: setup.runtimes[runtime].library.clone(),
                    tool: tool.clone(),
                    scratch: scratch.to_owned(),
                    seed: setup.seed,
                };
                let (said, ended) = watched((setup.debugger)(&order))?;
                let sheet = &mut sheets[runtime * setup.compilers.len() + which];
                sheet.add(&source.name(), &said, ended);
            }
        }
    }
    Ok(sheets)
}

/// Compiles the tool.
fn tool(compilers: &[Compiler], scratch: &Path) -> Result<PathBuf, String> {
    let (source, tool) = (scratch.join("witness.c"), scratch.join("libwitness.so"));
    std::fs::write(&source, WITNESS).map_err(|error| error.to_string())?;
    let flags = ["-shared", "-fPIC", "-fno-openmp", "-pthread", "-ldl"];
    // The tool is written in C, so a Fortran compiler is no use: `cc` and `gcc` are tried too.
    let names = compilers.iter().map(|compiler| compiler.0.as_str()).chain(["cc", "gcc"]);
    let mut why = String::new();
    for name in names {
        match build(name, &source, &tool, &flags) {
            Ok(()) => return Ok(tool),
            Err(fault) => why = fault,
        }
    }
    Err(format!("the tool cannot be compiled: {why}"))
}

/// Runs the debugger until it ends, or for [`LIMIT`]. Returns its output, and the reason if it
/// failed.
fn watched(mut command: Command) -> Result<(String, Option<String>), String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("the debugger: {error}"))?;
    let out = child.stdout.take().map(reader);
    let errors = child.stderr.take().map(reader);
    let begin = Instant::now();
    let ended = wait(&mut child, begin)?;
    let text = |reader: Option<std::thread::JoinHandle<String>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
    };
    let (out, errors) = (text(out), text(errors));
    let why = match ended {
        None => Some(format!("the debugger did not end within {} s", LIMIT.as_secs())),
        Some(status) if status.success() => None,
        Some(status) => Some(match status.signal() {
            Some(signal) => format!("libompd ended the debugger by signal {signal}"),
            None => errors.lines().last().unwrap_or("the debugger failed").to_owned(),
        }),
    };
    Ok((out, why))
}

fn reader(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child, begin: Instant) -> Result<Option<std::process::ExitStatus>, String> {
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => return Ok(Some(status)),
            None if begin.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}
