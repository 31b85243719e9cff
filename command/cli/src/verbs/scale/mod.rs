//! `omphalos scale`: runs a program with several numbers of threads, and says what limits it.
//!
//! The program's output is kept and compared, and goes nowhere else; so the answer is on standard
//! output.

mod captured;
mod sizes;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ValueHint;
use omphalos_diff::Side;
use omphalos_profile_format::name;
use omphalos_report::text::TextOptions;
use omphalos_report::words::duration;
use omphalos_scale::{Ended, Machine, Outputs, Runs, Scaling, render};
use serde_json::Value;

use crate::child::{self, End};
use crate::export::{self, Kind};
use crate::failure::Failure;
use crate::terminal::{self, Stream};
use crate::topology;
use crate::verbs::profile::{Program, Recording, no_openmp, repeat};
use crate::verbs::report::typed;
use crate::verbs::runs;
use captured::{Input, Output};
use sizes::Sizes;

const AFTER_HELP: &str = "-t LIST may also stand behind the program and its arguments, where LIST \
has several numbers.

Each run finds its number of threads in OMP_NUM_THREADS. What it prints on standard output is \
compared and not shown. The exit status is that of the first run that failed.";

/// Run a program with several numbers of threads, and say what limits it
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The numbers of threads, as 1,2,4,8 [default: 1, 2, 4 and so on, to the number of CPUs]
    #[arg(short, long, value_name = "LIST")]
    threads: Option<Sizes>,

    /// Run each size so often, and take the run whose elapsed time is the median
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,

    /// The folder for the profiles, which has one folder for each size [default:
    /// omphalos-PROGRAM-PID]
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,

    #[command(flatten)]
    recording: Recording,

    /// Write the answer as a page (HTML), to send to somebody: it needs no other file, no network
    #[arg(long, value_name = "OUT.HTML", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,

    /// Write everything as JSON; without =OUT on standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,

    /// Show also what takes next to nothing
    #[arg(long)]
    all: bool,

    /// Constructs in the table
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// No colours, even on a terminal
    #[arg(long)]
    no_color: bool,

    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    #[arg(value_hint = ValueHint::CommandWithArguments)]
    #[arg(allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Runs the program with each size, and shows how it scales.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let asked = [(Kind::Page, &arguments.html), (Kind::Json, &arguments.json)];
    let exports: Vec<(Kind, &Path)> = export::asked(asked).collect();
    export::check(&exports)?;
    if name::rank().is_some_and(|rank| rank.size > 1) {
        return Err(Failure::ours(
            "scale runs a program again and again, which the ranks of an MPI program cannot be: \
             profile the whole mpirun with each number of threads, and compare with omphalos diff",
        ));
    }
    let machine = topology::look();
    let mut command = arguments.command.clone();
    let asked = match &arguments.threads {
        Some(asked) => Some(asked.clone()),
        None => Sizes::taken_off(&mut command).map_err(Failure::ours)?,
    };
    let Sizes(sizes) = asked.unwrap_or_else(|| Sizes::up_to(machine.processors()));
    let mut program = Program::find(&arguments.recording, ("scale", &command), &[])?;
    let folder = repeat::folder(arguments.output.as_deref(), &program.path);
    let mut earlier = repeat::prepare(&folder, "scale", is_size)?;
    let cannot = |error| repeat::cannot(&folder, &error);
    std::fs::create_dir_all(&folder).map_err(cannot)?;
    let ran = every_size(arguments, &mut program, &folder, &sizes);
    if ran.is_err() {
        // Only folders without a profile go; then an earlier one of the same name comes back.
        sizes.iter().for_each(|size| drop(std::fs::remove_dir(of_size(&folder, *size))));
        let _ = std::fs::remove_dir(&folder);
    }
    let Ran { all, outputs, failed, is_stopped } = ran?;
    if !is_stopped {
        show(arguments, &exports, all, machine, outputs)?;
    }
    terminal::say(&format!(
        "the profiles are in {0}; see those of a size with: omphalos report {1}",
        typed(&folder),
        typed(&of_size(&folder, sizes[0]))
    ));
    if let Some(earlier) = earlier.take() {
        earlier.settle();
    }
    Ok(failed.map_or(0, child::end_alike))
}

fn show(
    arguments: &Arguments,
    exports: &[(Kind, &Path)],
    all: Vec<Runs>,
    machine: Machine,
    outputs: Outputs,
) -> Result<(), Failure> {
    let scaling = Scaling::of(all, machine, outputs).map_err(Failure::ours)?;
    for (kind, out) in exports {
        let content = match kind {
            Kind::Page => omphalos_page::scaling(&scaling),
            _ => render::json(&scaling),
        };
        export::write(*kind, out, &content)?;
    }
    if !exports.is_empty() {
        return Ok(());
    }
    let options = TextOptions {
        width: Stream::Out.width(),
        color: Stream::Out.color() && !arguments.no_color,
        whole_names: !Stream::Out.is_terminal(),
        all: arguments.all,
        top: arguments.top,
    };
    terminal::print(&render::text(&scaling, &options, arguments.all))
}

/// The results of the runs of all sizes.
struct Ran {
    all: Vec<Runs>,
    outputs: Outputs,
    /// The end of the first run that failed, or of the last one, if that was stopped.
    failed: Option<End>,
    /// True where somebody stopped a run, and thereby all of them.
    is_stopped: bool,
}

fn every_size(
    arguments: &Arguments,
    program: &mut Program<'_>,
    folder: &Path,
    sizes: &[u32],
) -> Result<Ran, Failure> {
    let input = Input::begin();
    let mut first: Option<(Output, End)> = None;
    let outputs = Outputs::default();
    let mut ran = Ran { all: Vec::new(), outputs, failed: None, is_stopped: false };
    for &threads in sizes {
        let own = of_size(folder, threads);
        std::fs::create_dir_all(&own).map_err(|error| repeat::cannot(&own, &error))?;
        program.variables = vec![("OMP_NUM_THREADS", variable(threads))];
        let mut reports = Vec::new();
        let mut is_told = false;
        for number in 1..=arguments.repeat {
            input.rewind();
            let (output, (end, written)) = Output::of(|| repeat::record(program, &own, number))?;
            let end = child::asked_to_end().unwrap_or(end);
            if is_of_the_user(end) {
                return Ok(Ran { failed: Some(end), is_stopped: true, ..ran });
            }
            if end != End::Exited(0) && ran.failed.is_none() {
                ran.failed = Some(end);
            }
            match read(&written) {
                Some(report) => reports.push(report),
                None if first.is_none() => {
                    return Err(no_openmp(&arguments.recording, &program.path));
                }
                None => terminal::say(&format!("a run with {threads} threads wrote no profile")),
            }
            let Some((earlier, usual)) = &first else {
                first = Some((output, end));
                continue;
            };
            if end != *usual && !ran.outputs.ends.iter().any(|known| known.threads == threads) {
                ran.outputs.ends.push(Ended { threads, end: in_words(end) });
            }
            let is_first_size = threads == sizes[0];
            if !is_told && let Some(other) = earlier.against(threads, &output)? {
                is_told = true;
                match is_first_size {
                    true => ran.outputs.at_one_size.push(other),
                    false => ran.outputs.between_sizes.push(other),
                }
            }
        }
        if reports.is_empty() {
            continue;
        }
        let side = Side::of(&typed(&own), &reports).map_err(Failure::ours)?;
        let times: Vec<f64> = side.runs().iter().map(|run| run.summary.elapsed_ns).collect();
        let elapsed: Vec<String> = times.into_iter().map(duration).collect();
        terminal::say(&format!("OMP_NUM_THREADS={threads}: {}", elapsed.join(", ")));
        ran.all.push(Runs { threads, side });
    }
    Ok(ran)
}

/// Returns the report of a run, if it used OpenMP.
fn read(written: &[PathBuf]) -> Option<Value> {
    if written.is_empty() { None } else { runs::of_run(written).ok() }
}

/// Whether the user, or somebody for the user, ended the run: the others are not wanted either.
fn is_of_the_user(end: End) -> bool {
    let signals = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];
    matches!(end, End::Killed(signal) if signals.contains(&signal))
}

fn in_words(end: End) -> String {
    match end {
        End::Exited(status) => format!("exit status {status}"),
        End::Killed(signal) => format!("signal {signal}"),
    }
}

/// Returns the variable's value for `threads` threads; the part for inner regions stays.
fn variable(threads: u32) -> OsString {
    let set = std::env::var("OMP_NUM_THREADS").unwrap_or_default();
    let inner = set.split_once(',').map_or_else(String::new, |(_, inner)| format!(",{inner}"));
    format!("{threads}{inner}").into()
}

const BEGIN: &str = "threads-";

fn of_size(folder: &Path, threads: u32) -> PathBuf {
    folder.join(format!("{BEGIN}{threads}"))
}

fn is_size(name: &str) -> bool {
    name.strip_prefix(BEGIN).is_some_and(|number| number.parse::<u32>().is_ok())
}
