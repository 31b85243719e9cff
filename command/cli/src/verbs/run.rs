//! `omphalos run`: a program on the Omphalos runtime. The program takes this process's place, so
//! its exit status, its signals and its process id are its own. With `--hang` this process stays as
//! the program's parent, looks at the program from time to time, and says why the program makes no
//! progress. Each look stops the program's threads for a moment.
//!
//! Other verbs start programs in the same environment: [`on_omphalos`].

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use omphalos_inspect::look::{self, Series};
use omphalos_inspect::{Way, text};
use omphalos_why::SaidCauses;

use crate::child;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::inherited;
use crate::install::Installation;
use crate::program;
use crate::terminal;
use crate::words;

/// Run a program on the Omphalos runtime
#[derive(clap::Args)]
pub struct Arguments {
    /// Watch the program; where nothing goes on for so long, say why on standard error
    #[arg(long, value_name = "SECONDS")]
    hang: Option<f64>,

    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    #[arg(value_hint = clap::ValueHint::CommandWithArguments)]
    #[arg(allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Becomes the program, or runs it and watches it: then returns its exit status.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let command = program::words(&arguments.command);
    let path = words::program("run", &command, &[])?;
    let loaded_first = program::check(&path)?;
    let mut environment = on_omphalos(&Installation::find()?)?;
    environment.preload_by_name(&loaded_first);
    match arguments.hang {
        Some(seconds) => watched(&path, &command, environment, seconds),
        None => become_it(&path, &command, &environment).map(|never| match never {}),
    }
}

/// Executes the program in place of this process. Returns only if that fails.
fn become_it(
    path: &Path,
    words: &[OsString],
    environment: &Environment,
) -> Result<Infallible, Failure> {
    let mut command = Command::new(path);
    command.arg0(&words[0]).args(&words[1..]);
    environment.apply(&mut command);
    inherited::hand_on(&mut command);
    Err(cannot_execute(path, &command.exec()))
}

/// Runs the program as a child and looks at it [`look::LOOKS`] times in `seconds`. If no look in
/// all that time saw progress, it says why, once for each hang. Returns the program's exit status.
fn watched(
    path: &Path,
    words: &[OsString],
    environment: Environment,
    seconds: f64,
) -> Result<i32, Failure> {
    if !(0.1..=86_400.0).contains(&seconds) {
        return Err(Failure::ours("--hang takes seconds, from 0.1 to 86400"));
    }
    let mut series = Series::default();
    let mut said = SaidCauses::default();
    let mut watch = |pid: u32| {
        // The program may have ended, or have become another one: then a new series begins.
        let Ok(look) = look::live(pid, Way::Stopping) else {
            series = Series::default();
            return;
        };
        series.add(look);
        if series.count <= look::LOOKS {
            return;
        }
        let seen = std::mem::take(&mut series);
        let found = omphalos_why::explain(&seen.last.snapshot, Some(&seen.first.snapshot));
        if said.is_new(&seen.last.snapshot, &found) {
            let (head, findings) = (text::head(&seen.last), text::findings(&found));
            terminal::print_error(&format!(
                "omphalos: no progress for {seconds} s: {head}\n{findings}"
            ));
        }
    };
    let every = Duration::from_secs_f64(seconds / f64::from(look::LOOKS));
    let ended = child::run_watched(path, words, |_| environment, Some((every, &mut watch)))?;
    Ok(child::end_alike(ended.end))
}

/// The environment in which a program runs on the Omphalos runtime.
pub fn on_omphalos(installation: &Installation) -> Result<Environment, Failure> {
    let mut environment = Environment::default();
    let runtime = installation.runtime()?;
    environment.preload(&runtime)?;
    // This folder comes even before the one that `preload` may have put in front.
    environment.prepend("LD_LIBRARY_PATH", installation.names().as_os_str());
    if devices_are_asked_for() {
        environment.prepend("LD_LIBRARY_PATH", installation.devices().as_os_str());
    }
    // Another runtime that the process loads, such as a wheel's, would show its settings too if it
    // found the usual name, and nobody uses those settings.
    environment.rename("OMP_DISPLAY_ENV", "OMPHALOS_DISPLAY_ENV");
    Ok(environment)
}

/// Whether the environment asks for devices that the host plays.
pub fn devices_are_asked_for() -> bool {
    std::env::var_os("OMPHALOS_DEVICES").is_some_and(|devices| !devices.is_empty())
}

/// The failure of an exec.
pub fn cannot_execute(path: &Path, error: &std::io::Error) -> Failure {
    let message = format!("cannot execute {}: {error}", path.display());
    match error.kind() {
        std::io::ErrorKind::NotFound => Failure::not_found(message),
        _ => Failure::not_executable(message),
    }
}
