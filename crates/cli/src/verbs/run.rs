//! `omphalos run`: a program on the Omphalos runtime. The program takes this process's place, so
//! its exit status, its signals and its process id are its own.

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::install::Installation;
use crate::program;

/// Run a program on the Omphalos runtime
#[derive(clap::Args)]
pub struct Arguments {
    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    #[arg(allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Becomes the program; returns only where that is impossible.
pub fn run(arguments: &Arguments) -> Result<Infallible, Failure> {
    let path = program::find(&arguments.command[0])?;
    let first = program::check(&path)?;
    let mut environment = on_omphalos(&Installation::find()?)?;
    environment.preload_by_name(&first);
    let mut command = Command::new(&path);
    command.arg0(&arguments.command[0]).args(&arguments.command[1..]);
    environment.apply(&mut command);
    Err(cannot_execute(&path, &command.exec()))
}

/// The environment in which a program runs on the Omphalos runtime.
pub fn on_omphalos(installation: &Installation) -> Result<Environment, Failure> {
    let mut environment = Environment::default();
    let runtime = installation.runtime()?;
    environment.preload(&runtime)?;
    // Before all others, also before a folder that tells where the preloaded library is.
    environment.prepend("LD_LIBRARY_PATH", installation.names().as_os_str());
    // Another runtime that the process loads, such as one that a wheel brings, shows its settings too
    // where it finds the name that all know: settings that nobody uses.
    environment.rename("OMP_DISPLAY_ENV", "OMPHALOS_DISPLAY_ENV");
    Ok(environment)
}

/// The failure of an exec.
pub fn cannot_execute(path: &Path, error: &std::io::Error) -> Failure {
    let message = format!("cannot execute {}: {error}", path.display());
    match error.kind() {
        std::io::ErrorKind::NotFound => Failure::not_found(message),
        _ => Failure::not_executable(message),
    }
}
