//! `omphalos profile`: runs a program under the agent, then shows where its time went.
//!
//! The report goes to stderr, as that of `time` and `perf stat` does: what the program prints on
//! stdout stays as it was, and can be piped on.

mod part;
pub(super) mod repeat;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::ValueEnum;
use omphalos_profile_format::name;

use crate::child::{self, End};
use crate::environment::Environment;
use crate::export;
use crate::failure::Failure;
use crate::install::Installation;
use crate::keep;
use crate::program;
use crate::terminal::{self, Stream};
use crate::verbs::output::{Template, template};
use crate::verbs::report::{self, Keep, Rendering, Shown, typed};
use crate::verbs::run::on_omphalos;
use crate::words;

/// Which OpenMP runtime the profiled program uses.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Runtime {
    /// Omphalos
    Omphalos,
    /// The program's own; it must speak OMPT, as LLVM's and Intel's do
    System,
}

const AFTER_HELP: &str = "Names of profiles:
  %p in FILE stands for the process id, %h for the host, %r for the MPI rank, %q{NAME} for the
  environment variable NAME, %% for %. Of the processes that a program starts, each that uses
  OpenMP writes a profile of its own: the first takes FILE, others add .PID to it. The report, and
  what is written for other programs, is of all of them.

Under MPI (mpirun -n 4 omphalos profile ./app) each rank writes a profile of its own, with .rankN
added to FILE where nothing in it tells ranks apart, and rank 0 shows its report.";

/// Samples a second where nobody asks for others.
const RATE: u32 = 1000;

/// Run a program and show where its time went
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The profile to write [default: omphalos-PROGRAM-PID.omph]; see below for names of several
    /// processes
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,

    #[command(flatten)]
    recording: Recording,

    /// Run the program so often, and show the median and the spread of all runs; FILE is then a
    /// folder with a profile of each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: Option<u32>,

    /// Only record; `omphalos report` shows the profile later, in any form
    #[arg(long, conflicts_with_all = ["html", "flamegraph", "firefox", "folded", "json", "digest"])]
    #[arg(conflicts_with_all = ["csv", "speedscope", "callgrind", "pprof", "sqlite", "perfetto"])]
    no_report: bool,

    #[command(flatten)]
    rendering: Rendering,

    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    #[arg(value_hint = clap::ValueHint::CommandWithArguments)]
    #[arg(allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// How a program is recorded.
#[derive(clap::Args)]
pub struct Recording {
    /// Samples a second, of each thread
    #[arg(long, value_name = "RATE", default_value_t = RATE)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20_000))]
    hz: u32,

    /// The OpenMP runtime that the program runs on
    #[arg(long, value_name = "WHICH", default_value = "omphalos")]
    runtime: Runtime,

    /// Look through the Collector API of 2007 instead of OMPT; what it does not tell, as of tasks,
    /// is left out
    #[arg(long)]
    collector: bool,

    #[command(flatten)]
    part: part::Part,
}

/// Runs and reports; returns the program's exit status, or ends by the signal that killed it.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    arguments.rendering.check()?;
    let bare = arguments.rendering.bare();
    let command = ("profile", &arguments.command[..]);
    let program = Program::find(&arguments.recording, command, &bare)?;
    let rank = name::rank().filter(|rank| rank.size > 1);
    match (arguments.repeat, rank.is_some()) {
        (Some(_), true) => Err(Failure::ours(
            "--repeat runs a program again and again, which the ranks of an MPI program cannot \
             be: repeat the whole mpirun, and name each profile with --output",
        )),
        (Some(times), _) => repeat::run(arguments, &program, times),
        (None, _) => once(arguments, &program, rank),
    }
}

/// What is run, and how it is recorded.
pub(super) struct Program<'a> {
    recording: &'a Recording,
    command: Vec<OsString>,
    pub(super) path: PathBuf,
    /// Names of libraries that are to be loaded first.
    first: Vec<String>,
    /// Variables that are set for it alone.
    pub(super) variables: Vec<(&'static str, OsString)>,
}

impl<'a> Program<'a> {
    /// The program that a command of the verb starts; `bare` are options without their file.
    pub(super) fn find(
        recording: &'a Recording,
        (verb, command): (&str, &[OsString]),
        bare: &[&str],
    ) -> Result<Program<'a>, Failure> {
        let command = program::words(command);
        let path = words::program(verb, &command, bare)?;
        let first = program::check(&path)?;
        let hz = recording.hz;
        if let Some(tick) = tick().filter(|tick| *tick < hz && hz != RATE) {
            terminal::say(&format!(
                "--hz {hz}: this kernel looks at running threads {tick} times a second, and takes \
                 no more samples of them"
            ));
        }
        Ok(Program { recording, command, path, first, variables: Vec::new() })
    }

    /// Runs it to its end; says how it ended and which profiles it wrote.
    fn record(&self, template: &Template) -> Result<(End, Vec<PathBuf>), Failure> {
        let mut environment = environment(self.recording)?;
        environment.preload_by_name(&self.first);
        for (name, value) in &self.variables {
            environment.set(name, value);
        }
        let machine = keep::Watch::begin();
        let started = SystemTime::now();
        let ended = child::run(&self.path, &self.command, |pid| {
            environment.set("OMPHALOS_PROFILE_OUT", template.for_agent(pid));
            environment
        })?;
        if let End::Killed(signal) = ended.end {
            terminal::say(&format!("{} was ended by signal {signal}", self.path.display()));
        }
        terminal::outlive_failed_writes();
        let written = template.written(ended.pid.unsigned_abs(), started);
        // Without it a report knows less of the machine: that is all.
        written.iter().for_each(|profile| drop(machine.keep(profile)));
        Ok((ended.end, written))
    }
}

fn once(
    arguments: &Arguments,
    program: &Program<'_>,
    rank: Option<name::Rank>,
) -> Result<i32, Failure> {
    let path = &program.path;
    let template = template(arguments.output.as_deref(), path, rank.is_some());
    let named = arguments.output.is_some();
    let mut earlier = prepare(&template.name(std::process::id()), named)?;
    let (end, written) = program.record(&template)?;
    // Many reports, one over the other, would help nobody.
    let is_quiet = rank.is_some_and(|rank| rank.number > 0);
    let shown = show(arguments, path, &written, is_quiet);
    if let Some(earlier) = earlier.take() {
        earlier.settle();
    }
    if let Err(failure) = shown {
        // The program ran: its exit status stands, whatever became of the report.
        terminal::say(&failure.message);
    }
    Ok(child::end_alike(end))
}

/// How often in a second the kernel looks at what runs, as far as it says so.
fn tick() -> Option<u32> {
    let mut step = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours. The coarse clock goes on with each tick.
    let known = unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &mut step) } == 0;
    let step = u32::try_from(step.tv_nsec).ok().filter(|step| known && *step > 0)?;
    Some((1e9 / f64::from(step)).round() as u32)
}

/// The environment of the profiled program, but for the name of the profile.
fn environment(recording: &Recording) -> Result<Environment, Failure> {
    let installation = Installation::find()?;
    let agent = installation.agent()?;
    let mut environment = match recording.runtime {
        Runtime::Omphalos => on_omphalos(&installation)?,
        Runtime::System => Environment::default(),
    };
    // Preloaded, the agent can resume sleeps that its own timer interrupted.
    environment.preload(&agent)?;
    if recording.collector {
        // The user's own OMPT tools run beside it; the agent declines to be one of them.
        environment.set("OMPHALOS_PROFILE_COLLECTOR", "1");
    } else {
        environment.prepend("OMP_TOOL_LIBRARIES", agent.as_os_str());
        environment.set("OMP_TOOL", "enabled");
    }
    environment.set("OMPHALOS_PROFILE_HZ", recording.hz.to_string());
    recording.part.set(&mut environment);
    Ok(environment)
}

/// A file that was where the profile is to be: out of the way while the program runs.
pub(super) struct Earlier {
    path: PathBuf,
    aside: PathBuf,
}

impl Earlier {
    fn put_aside(path: &Path) -> std::io::Result<Earlier> {
        let aside = export::beside(path, "earlier");
        std::fs::rename(path, &aside)?;
        Ok(Earlier { path: path.to_owned(), aside })
    }

    /// Gives way to the profile of this run, where there is one.
    pub(super) fn settle(self) {
        if self.path.exists() {
            let was_profile = std::fs::metadata(&self.aside).is_ok_and(|there| there.len() > 0);
            let removed = match self.aside.is_dir() {
                true => std::fs::remove_dir_all(&self.aside),
                false => std::fs::remove_file(&self.aside),
            };
            if removed.is_ok() && was_profile {
                terminal::say(&format!("{} took the place of an earlier one", typed(&self.path)));
            }
        }
    }
}

impl Drop for Earlier {
    /// Puts the file back where nothing has taken its place.
    fn drop(&mut self) {
        if self.aside.exists() && !self.path.exists() {
            let _ = std::fs::rename(&self.aside, &self.path);
        }
    }
}

/// Makes sure before the run that the profile can be written after all.
fn prepare(output: &Path, named: bool) -> Result<Option<Earlier>, Failure> {
    let cannot = |why: &dyn std::fmt::Display| {
        Failure::ours(format!(
            "cannot write the profile {}: {why}; name another place with --output FILE",
            output.display()
        ))
    };
    let mut earlier = None;
    if named && output.exists() {
        if !is_profile_or_empty(output) {
            return Err(cannot(&"the file exists and is not a profile"));
        }
        earlier = Some(Earlier::put_aside(output).map_err(|error| cannot(&error))?);
    }
    // The agent makes the file when OpenMP starts, so that its absence says that it never did.
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(output);
    made.map_err(|error| cannot(&error))?;
    std::fs::remove_file(output).map_err(|error| cannot(&error))?;
    Ok(earlier)
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

/// Shows what was recorded, or says why nothing was. `written`: the profiles, the program's own or
/// the first one first.
fn show(
    arguments: &Arguments,
    program: &Path,
    written: &[PathBuf],
    is_quiet: bool,
) -> Result<(), Failure> {
    if written.is_empty() {
        return Err(no_openmp(&arguments.recording, program));
    }
    // A process that executed another program, or was killed at once, has nothing in its profile.
    let rendered = match arguments.no_report || is_quiet {
        true => {
            report::keep(written);
            Ok((Shown::Report, 0))
        }
        false => report::show(written, &arguments.rendering, Stream::Error, Keep::Report),
    };
    let at = rendered.as_ref().map_or(0, |(_, at)| *at);
    if matches!(rendered, Ok((Shown::NoOpenMp, _))) {
        // An earlier profile of the name comes back.
        written.iter().for_each(|profile| drop(std::fs::remove_file(profile)));
        return Err(Failure::ours(format!(
            "{} ended, or executed another program, before anything of its use of OpenMP was \
             recorded; there is nothing to report",
            program.display()
        )));
    }
    terminal::say(&format!(
        "the profile is {0}; see it again with: omphalos report {0}",
        typed(&written[at])
    ));
    for (_, other) in written.iter().enumerate().filter(|(number, _)| *number != at) {
        terminal::say(&format!("another process of this run wrote {}", typed(other)));
    }
    rendered.map(drop)
}

pub(super) fn no_openmp(recording: &Recording, program: &Path) -> Failure {
    let why = match recording.runtime {
        _ if recording.collector => {
            "it started no parallel region, or its runtime does not offer what --collector needs"
        }
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
