//! `omphalos top`: a running program's threads and regions, again and again, until it ends.

mod job;
mod kept;
mod screen;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use omphalos_inspect::top::{Lines, Picture, Top};
use omphalos_ompd_view::Fault;

use crate::child;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::install::Installation;
use crate::program;
use crate::terminal::{self, Stream};
use crate::verbs::run::on_omphalos;
use crate::words;
use kept::Kept;
use screen::Pictures;

/// Show what the threads of a running program do, and where its time goes
#[derive(clap::Args)]
pub struct Arguments {
    /// One picture, and no more
    #[arg(short = 'n', long)]
    once: bool,

    /// Plain text on a terminal too, one picture below the other
    #[arg(long)]
    plain: bool,

    /// Stop nothing: threads that run have no line
    #[arg(long)]
    no_stop: bool,

    /// Seconds between two pictures
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    every: f64,

    /// All ranks on this machine of a job of MPI: of the one that is here, or of that to which a
    /// process belongs, or whose ranks write their profiles into a folder
    #[arg(long, num_args = 0..=1, value_name = "PID | FOLDER", default_missing_value = "")]
    #[arg(value_hint = clap::ValueHint::DirPath)]
    job: Option<OsString>,

    /// The process, or a program to start, with its arguments
    #[arg(value_name = "PID | PROGRAM", required_unless_present = "job", trailing_var_arg = true)]
    #[arg(value_hint = clap::ValueHint::CommandWithArguments)]
    #[arg(allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// The number of looks for one picture.
const LOOKS: u32 = 20;

/// Shows pictures until the program ends; with `--once`, one.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    if !(0.1..=3600.0).contains(&arguments.every) {
        return Err(Failure::ours("--every takes seconds, from 0.1 to 3600"));
    }
    let every = Duration::from_secs_f64(arguments.every);
    if let Some(which) = &arguments.job {
        // A number that other options separate from `--job` has the same meaning.
        return match &arguments.command[..] {
            [] => job::run(arguments, which, every),
            [only] if which.is_empty() => job::run(arguments, only, every),
            _ => Err(Failure::ours("--job takes one process or folder, and starts no program")),
        };
    }
    let first = arguments.command[0].to_string_lossy();
    if let (Ok(pid), 1) = (first.parse::<u32>(), arguments.command.len()) {
        return of_process(arguments, pid, every);
    }
    let path = words::program("top", &arguments.command, &[])?;
    let needed = program::check(&path)?;
    let mut environment = on_omphalos(&Installation::find()?)?;
    environment.preload_by_name(&needed);
    let is_plain = arguments.once || arguments.plain;
    if !is_plain && screen::can_be_shown() {
        let how =
            Pictures { every, is_child: true, is_rank: false, stops_nothing: arguments.no_stop };
        return on_screen(&path, &arguments.command, environment, how);
    }
    let mut top = Top::with(lines(arguments.no_stop));
    let mut shown = false;
    let mut watch = |pid: u32| {
        if arguments.once && shown {
            return;
        }
        if let Ok(picture) = top.picture(pid, every, LOOKS) {
            // Standard output is the program's.
            let _ = show(&picture.text(), is_plain, Stream::Error);
            shown = true;
        }
    };
    let ended =
        child::run_watched(&path, &arguments.command, |_| environment, Some((PAUSE, &mut watch)))?;
    Ok(child::end_alike(ended.end))
}

/// Returns the next picture. If the program becomes another one meanwhile (`execve`), the picture
/// is of the new program.
fn next(top: &mut Top, pid: u32, every: Duration) -> Result<Picture, Fault> {
    let mut tries = 0;
    loop {
        match top.picture(pid, every, LOOKS) {
            Err(_) if has_ended(pid) => return Err(Fault::Gone),
            Err(_) if tries < TRIES => {
                tries += 1;
                std::thread::sleep(AGAIN);
            }
            result => return result,
        }
    }
}

/// How often a look may fail while the process is there, and the time between two tries.
const TRIES: u32 = 10;
const AGAIN: Duration = Duration::from_millis(50);

/// Whether the process has ended, even if its parent has not learned of that.
fn has_ended(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    state.is_empty() || state.starts_with(['Z', 'X'])
}

fn lines(stops_nothing: bool) -> Lines {
    if stops_nothing { Lines::none() } else { Lines::default() }
}

/// Time between two looks at a child of ours.
const PAUSE: Duration = Duration::from_millis(10);

/// Shows the program's pictures in place; its output comes after them.
fn on_screen(
    path: &Path,
    command: &[OsString],
    environment: Environment,
    how: Pictures,
) -> Result<i32, Failure> {
    let mut kept = Kept::new()?;
    let output = kept.output()?;
    let (mut shown, mut failed) = (false, None);
    let mut watch = |pid: u32| {
        if !shown {
            // If the program cannot be looked at yet, the next call tries again.
            let lines = lines(how.stops_nothing);
            let Ok(first) = screen::first(pid, how.every, lines.clone()) else { return };
            shown = true;
            failed = screen::run(pid, how, first, lines).err();
        }
        kept.pass_on();
    };
    let divert = |_| {
        output.divert();
        environment
    };
    let ended = child::run_watched(path, command, divert, Some((PAUSE, &mut watch)));
    kept.pass_on();
    match (ended, failed) {
        (Ok(_), Some(failure)) | (Err(failure), _) => Err(failure),
        (Ok(ended), None) => Ok(child::end_alike(ended.end)),
    }
}

fn of_process(arguments: &Arguments, pid: u32, every: Duration) -> Result<i32, Failure> {
    if !arguments.once && !arguments.plain && screen::can_be_shown() {
        let how =
            Pictures { every, is_child: false, is_rank: false, stops_nothing: arguments.no_stop };
        let lines = lines(arguments.no_stop);
        return screen::run(pid, how, screen::first(pid, every, lines.clone())?, lines);
    }
    let mut top = Top::with(lines(arguments.no_stop));
    let mut shown = false;
    loop {
        match next(&mut top, pid, every) {
            Ok(picture) => show(&picture.text(), true, Stream::Out)?,
            // The program has ended normally.
            Err(Fault::Gone) if shown => return Ok(0),
            Err(Fault::Gone) => return Err(Failure::ours(format!("no process {pid}"))),
            Err(fault) => return Err(Failure::ours(fault.to_string())),
        }
        shown = true;
        if arguments.once {
            return Ok(0);
        }
    }
}

/// Shows a picture. A terminal shows each in the place of the one before, cut to its width. A file
/// gets one below the other, and so does a terminal if `is_plain`.
fn show(picture: &str, is_plain: bool, stream: Stream) -> Result<(), Failure> {
    let mut text = String::new();
    if stream.is_terminal() && !is_plain {
        text.push_str("\x1b[H\x1b[J");
        for line in picture.lines() {
            text.extend(line.chars().take(stream.width()));
            text.push('\n');
        }
    } else {
        text.push_str(picture);
        text.push('\n');
    }
    match stream {
        Stream::Out => terminal::print(&text),
        Stream::Error => {
            terminal::print_error(&text);
            Ok(())
        }
    }
}
