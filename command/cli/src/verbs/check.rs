//! `omphalos check --mapping`: runs a program with a device that the host plays, watches it like a
//! debugger, and reports its wrong maps.
//!
//! Findings go to stderr as they are made; the program's output stays as it is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use omphalos_check::{End, Finding, VARIABLE, Watched};
use serde_json::json;

use crate::child;
use crate::environment::Environment;
use crate::export::{self, Kind};
use crate::failure::Failure;
use crate::install::Installation;
use crate::program;
use crate::terminal;
use crate::verbs::run::{devices_are_asked_for, on_omphalos};
use crate::words;

const AFTER_HELP: &str = "Exit status:
  1    the program ended with 0, and something is wrong
  else that of the program (a signal that ended it ends omphalos too)

The device is one that the host plays, with memory of its own; OMPHALOS_DEVICES=host:N makes
several. Programs of GCC's compilers need nothing; those of LLVM's are to be compiled with
-fopenmp-targets=x86_64-pc-linux-gnu. With -g, variables and lines have names.";

/// Run a program and say what it does wrong
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// What its target constructs map wrongly: missing maps, stale copies, wrong sections,
    /// directions and pointers, use after unmapping, leaks
    #[arg(long, required = true)]
    mapping: bool,

    /// Write what is found as JSON, too; `-` for standard output
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    json: Option<PathBuf>,

    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    #[arg(value_hint = clap::ValueHint::CommandWithArguments)]
    #[arg(allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Runs the program and reports the findings. Returns its exit status, or 1.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let exports = arguments.json.as_deref().map(|out| (Kind::Findings, out));
    export::check(exports.as_slice())?;
    let path = words::program("check", &arguments.command, &[])?;
    let first = program::check(&path)?;
    let installation = Installation::find()?;
    let mut environment = on_omphalos(&installation)?;
    if !devices_are_asked_for() {
        environment.set("OMPHALOS_DEVICES", "host");
        environment.prepend("LD_LIBRARY_PATH", installation.devices().as_os_str());
    }
    environment.set(VARIABLE, std::process::id().to_string());
    environment.preload_by_name(&first);
    let (watched, found) = watch(&path, &arguments.command, environment)?;
    if let End::Killed(signal) = watched.end {
        terminal::say(&format!("{} was ended by signal {signal}", path.display()));
    }
    terminal::outlive_failed_writes();
    sum_up(&watched, &found);
    if let Some(file) = &arguments.json {
        write_json(file, &path, &watched, &found)?;
    }
    Ok(match watched.end {
        End::Exited(0) if !found.is_empty() => 1,
        End::Exited(status) => child::end_alike(child::End::Exited(status)),
        End::Killed(signal) => child::end_alike(child::End::Killed(signal)),
    })
}

fn watch(
    path: &Path,
    command: &[OsString],
    environment: Environment,
) -> Result<(Watched, Vec<Finding>), Failure> {
    let mut found = Vec::new();
    let watched = child::run_traced(
        path,
        command,
        |_| environment,
        |pid| {
            omphalos_check::watch(pid, &mut |finding: Finding| {
                terminal::print_error(&terminal::fit(&finding.text()));
                found.push(finding);
            })
        },
    )?;
    let watched = watched
        .map_err(|error| Failure::ours(format!("cannot trace {}: {error}", path.display())))?;
    Ok((watched, found))
}

fn sum_up(watched: &Watched, found: &[Finding]) {
    if watched.constructs == 0 {
        terminal::say(
            "no construct was executed on a device: nothing was checked (has the program target \
             constructs? was it compiled by gcc, or by clang with \
             -fopenmp-targets=x86_64-pc-linux-gnu? `omphalos doctor` says what it uses)",
        );
    } else {
        let constructs = match watched.constructs {
            1 => "one construct".to_owned(),
            more => format!("{more} constructs"),
        };
        let errors = match found.len() {
            0 => "nothing".to_owned(),
            1 => "one mapping error".to_owned(),
            more => format!("{more} mapping errors"),
        };
        terminal::say(&format!("{errors} found in {constructs} on devices"));
    }
}

fn write_json(
    file: &Path,
    program: &Path,
    watched: &Watched,
    found: &[Finding],
) -> Result<(), Failure> {
    let text = json!({
        "program": program.display().to_string(),
        "constructs": watched.constructs,
        "findings": found.iter().map(Finding::json).collect::<Vec<_>>(),
    });
    let text = format!("{text:#}\n");
    export::write(Kind::Findings, file, &text)
}
