//! `omphalos profile`: runs a program under the agent, then shows where its time went.
//!
//! The report goes to stderr, like that of `time` and `perf stat`: so the program's output on
//! stdout stays as it was, and can be piped on.

pub(super) mod earlier;
mod job;
mod only;
pub(super) mod part;
mod program;
pub(super) mod repeat;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use omphalos_profile_format::name;

use crate::child;
use crate::failure::Failure;
use crate::terminal::{self, Stream};
use crate::verbs::output::template;
use crate::verbs::report::{self, Keep, Rendering, Shown, typed};
pub(super) use earlier::Earlier;
use earlier::prepare;
pub(super) use program::Program;

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

Under MPI (mpirun -n 4 omphalos profile ./app) FILE is a folder, into which each rank writes
rank-N.omph [default: omphalos-PROGRAM-JOB]; the report is of all of them. Where FILE ends in .omph
or has a %, ranks write files of such names, with .rankN added where nothing in it tells ranks
apart, and rank 0 shows its report.";

/// Samples a second where nobody asks for another rate.
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

    /// Count page faults, switches and what the processor counts (cycles, instructions, cache
    /// misses, stalls) by region and function, and the energy of the run
    #[arg(long)]
    counters: bool,

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

fn once(
    arguments: &Arguments,
    program: &Program<'_>,
    rank: Option<name::Rank>,
) -> Result<i32, Failure> {
    let path = &program.path;
    let job = rank.and_then(|rank| job::Place::of(arguments.output.as_deref(), path, rank));
    let template = match &job {
        Some(place) => place.template(path)?,
        None => template(arguments.output.as_deref(), path, rank.is_some()),
    };
    let named = arguments.output.is_some() || job.is_some();
    let mut earlier = prepare(&template.name(std::process::id()), named)?;
    let (end, written) = program.record(&template)?;
    // Many reports, one over the other, would help nobody.
    let is_quiet = rank.is_some_and(|rank| rank.number > 0);
    let shown = match &job {
        Some(place) => place.ended(arguments, &written),
        None => show(arguments, path, &written, is_quiet),
    };
    if let Some(earlier) = earlier.take() {
        earlier.settle();
    }
    if let Err(failure) = shown {
        // The program ran: its exit status stands, whatever happened to the report.
        terminal::say(&failure.message);
    }
    Ok(child::end_alike(end))
}

/// Shows the profile, or says why there is none. `written`: the profiles of all processes of this
/// run. The program's own comes first; without it, the first one that was written.
fn show(
    arguments: &Arguments,
    program: &Path,
    written: &[PathBuf],
    is_quiet: bool,
) -> Result<(), Failure> {
    if written.is_empty() {
        return Err(no_openmp(&arguments.recording, program));
    }
    // A process that executed another program, or was killed at once, has an empty profile.
    let rendered = match arguments.no_report || is_quiet {
        true => {
            report::keep(written);
            Ok((Shown::Report, 0))
        }
        false => report::show(written, &arguments.rendering, Stream::Error, Keep::Report),
    };
    let at = rendered.as_ref().map_or(0, |(_, at)| *at);
    if matches!(rendered, Ok((Shown::NoOpenMp, _))) {
        // Where no profile is left, `Earlier` puts an earlier one of the same name back.
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
    if written.len() > 1 && arguments.command.first().is_some_and(|word| starts_ranks(word)) {
        terminal::say(
            "a job of MPI has one report over all its ranks where its launcher starts omphalos \
             (mpirun -n 4 omphalos profile ./app), or where omphalos report gets all these files",
        );
    }
    rendered.map(drop)
}

/// Whether a command starts the ranks of an MPI program. A name may end in that of its library, as
/// `mpirun.openmpi` does.
fn starts_ranks(command: &OsStr) -> bool {
    let name = Path::new(command).file_name().unwrap_or_default().to_string_lossy();
    ["mpirun", "mpiexec", "srun", "prun"].contains(&name.split('.').next().unwrap_or_default())
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
