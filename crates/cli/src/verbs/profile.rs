//! `omphalos profile`: runs a program under the agent, then shows where its time went.
//!
//! The report goes to stderr, as that of `time` and `perf stat` does: what the program prints on
//! stdout stays as it was, and can be piped on.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::child::{self, End};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::install::Installation;
use crate::program;
use crate::terminal::Stream;
use crate::verbs::report::{self, Rendering, Shown};
use crate::verbs::run::on_omphalos;

/// Which OpenMP runtime the profiled program uses.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Runtime {
    /// Omphalos
    Omphalos,
    /// The program's own; it must speak OMPT, as LLVM's and Intel's do
    System,
}

/// Run a program and show where its time went
#[derive(clap::Args)]
pub struct Arguments {
    /// The profile to write [default: omphalos-PROGRAM-PID.omph]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Samples a second, of each thread
    #[arg(long, value_name = "RATE", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20_000))]
    hz: u32,

    /// The OpenMP runtime that the program runs on
    #[arg(long, value_name = "WHICH", default_value = "omphalos")]
    runtime: Runtime,

    /// Look through the Collector API of 2007 instead of OMPT
    #[arg(long)]
    collector: bool,

    /// Only record; `omphalos report` shows the profile later
    #[arg(long)]
    no_report: bool,

    #[command(flatten)]
    rendering: Rendering,

    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    #[arg(allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Runs and reports; returns the program's exit status, or ends by the signal that killed it.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let path = program::find(&arguments.command[0])?;
    let first = program::check(&path)?;
    let mut environment = environment(arguments)?;
    environment.preload_by_name(&first);
    let output = |pid: u32| match &arguments.output {
        Some(output) => std::path::absolute(output).unwrap_or_else(|_| output.clone()),
        None => default_output(&path, pid),
    };
    prepare(&output(std::process::id()), arguments.output.is_some())?;
    let ended = child::run(&path, &arguments.command, |pid| {
        environment.set("OMPHALOS_PROFILE_OUT", output(pid));
        environment.variables().to_vec()
    })?;
    if let End::Killed(signal) = ended.end {
        eprintln!("omphalos: {} was ended by signal {signal}", path.display());
    }
    let shown = show(arguments, &path, &output(ended.pid.unsigned_abs()));
    if let Err(failure) = shown {
        // The program ran: its exit status stands, whatever became of the report.
        eprintln!("omphalos: {}", failure.message);
    }
    Ok(child::end_alike(ended.end))
}

/// The environment of the profiled program, but for the name of the profile.
fn environment(arguments: &Arguments) -> Result<Environment, Failure> {
    let installation = Installation::find()?;
    let agent = installation.agent()?;
    let mut environment = match arguments.runtime {
        Runtime::Omphalos => on_omphalos(&installation)?,
        Runtime::System => Environment::default(),
    };
    // Preloaded, the agent can resume sleeps that its own timer interrupted.
    environment.preload(&agent)?;
    if arguments.collector {
        // The user's own OMPT tools run beside it; the agent declines to be one of them.
        environment.set("OMPHALOS_PROFILE_COLLECTOR", "1");
    } else {
        environment.prepend("OMP_TOOL_LIBRARIES", agent.as_os_str());
        environment.set("OMP_TOOL", "enabled");
    }
    environment.set("OMPHALOS_PROFILE_HZ", arguments.hz.to_string());
    Ok(environment)
}

fn default_output(program: &Path, pid: u32) -> PathBuf {
    let name = program.file_name().unwrap_or(OsStr::new("program")).to_string_lossy();
    let folder = std::env::current_dir().unwrap_or_else(|_| "/tmp".into());
    folder.join(format!("omphalos-{name}-{pid}.omph"))
}

/// Makes sure before the run that the profile can be written after all.
fn prepare(output: &Path, named: bool) -> Result<(), Failure> {
    let cannot = |why: &dyn std::fmt::Display| {
        Failure::ours(format!(
            "cannot write the profile {}: {why}; name another place with --output FILE",
            output.display()
        ))
    };
    if named && output.exists() {
        if !is_profile_or_empty(output) {
            return Err(cannot(&"the file exists and is not a profile"));
        }
        std::fs::remove_file(output).map_err(|error| cannot(&error))?;
    }
    // The agent makes the file when OpenMP starts, so that its absence says that it never did.
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(output);
    made.map_err(|error| cannot(&error))?;
    std::fs::remove_file(output).map_err(|error| cannot(&error))
}

fn is_profile_or_empty(path: &Path) -> bool {
    use std::io::Read;
    let mut start = Vec::new();
    let file = match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => std::fs::File::open(path),
        _ => return false,
    };
    let read = file.and_then(|file| file.take(8).read_to_end(&mut start));
    read.is_ok() && (start.is_empty() || start == omphalos_profile_format::FILE_MAGIC)
}

/// Shows what was recorded, or says why nothing was.
fn show(arguments: &Arguments, program: &Path, output: &Path) -> Result<(), Failure> {
    if !output.exists() {
        return Err(no_openmp(arguments, program));
    }
    let rendered = match arguments.no_report {
        true => Ok(Shown::Report),
        false => report::show(output, &arguments.rendering, Stream::Error),
    };
    if matches!(rendered, Ok(Shown::NoOpenMp)) {
        if arguments.output.is_none() {
            let _ = std::fs::remove_file(output);
        }
        return Err(no_openmp(arguments, program));
    }
    eprintln!(
        "omphalos: the profile is {0}; see it again with: omphalos report {0}",
        shown(output)
    );
    for other in of_other_processes(output) {
        eprintln!("omphalos: another process of this run wrote {}", shown(&other));
    }
    rendered.map(drop)
}

fn no_openmp(arguments: &Arguments, program: &Path) -> Failure {
    let why = match arguments.runtime {
        Runtime::Omphalos => "it started no parallel region and called no OpenMP routine",
        Runtime::System => {
            "its own runtime was not started, or has no tool interface (GCC's has none: leave out \
             --runtime system)"
        }
    };
    Failure::ours(format!(
        "no OpenMP was used by {}: {why}; there is nothing to report",
        program.display()
    ))
}

/// A path as it is typed: relative where it lies below the current directory.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

/// The profiles that further processes wrote: the agent adds `.PID` to the name for them.
fn of_other_processes(output: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (output.parent(), output.file_name()) else {
        return Vec::new();
    };
    let prefix = format!("{}.", name.to_string_lossy());
    let is_other = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.strip_prefix(&prefix)
            .is_some_and(|pid| !pid.is_empty() && pid.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut others: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_other).collect();
    others.sort();
    others
}
