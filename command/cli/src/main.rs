//! The `omphalos` program: runs, profiles and examines OpenMP programs. Each verb has a file or a
//! folder in `verbs`.
//!
//! Exit status: that of the program it ran, where it ran; else 125 for an error of Omphalos's own,
//! 126 for a program that cannot be executed and 127 for one that is not there, as `env` has it.

#![deny(clippy::print_stdout, clippy::print_stderr)] // they panic where the disk is full

mod change;
mod child;
mod elf;
mod energy;
mod environment;
mod export;
mod failure;
mod inherited;
mod install;
mod keep;
mod loader;
mod machine;
mod openmp;
mod program;
mod progress;
mod scope;
mod script;
mod search;
mod terminal;
mod topology;
mod verbs;
mod words;

use clap::{CommandFactory, Parser, Subcommand};

use failure::{Failure, OURS};
use verbs::{
    attach, check, conform, diff, doctor, generate, inspect, install as having, mcp, profile,
    report, run, scale, top, uninstall,
};

const ABOUT: &str = "Runs OpenMP programs on the Omphalos runtime and shows where their time went.

Programs built by GCC, Clang, gfortran, Flang and Intel's compilers work as they are: nothing is \
recompiled or relinked.";

const WHY: &str = "Say why a running or dead program makes no progress";

const AFTER_HELP: &str = "Exit status:
  the program's own, where one ran (a signal that ended it ends omphalos too)
  125  an error of omphalos's own
  126  the program cannot be executed
  127  there is no such program";

#[derive(Parser)]
#[command(name = "omphalos", version)]
#[command(about = "Runs and profiles OpenMP programs", long_about = ABOUT)]
#[command(after_help = AFTER_HELP)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Run(run::Arguments),
    Check(check::Arguments),
    Profile(profile::Arguments),
    Attach(attach::Arguments),
    Report(report::Arguments),
    Diff(diff::Arguments),
    Scale(scale::Arguments),
    Doctor(doctor::Arguments),
    // A verb that is `inspect --why`: all its options are inspect's.
    #[command(about = WHY, long_about = None)]
    #[command(mut_arg("why", |why| why.default_value("true").hide(true)))]
    Why(inspect::Arguments),
    Inspect(inspect::Arguments),
    Top(top::Arguments),
    Conform(conform::Arguments),
    Mcp(mcp::Arguments),
    Install(having::Arguments),
    Uninstall(uninstall::Arguments),
    #[command(hide = true)]
    AskOmpd(inspect::Asked),
    #[command(hide = true)]
    AskPlaces(doctor::placement::probe::Asked),
    #[command(hide = true)]
    Generate(generate::Arguments),
    #[command(hide = true)]
    CompareOmpd(conform::debug::Arguments),
}

fn main() {
    terminal::die_of_a_closed_pipe();
    std::process::exit(match dispatch() {
        Ok(status) => status,
        Err(failure) => {
            terminal::say(&failure.message);
            failure.status
        }
    })
}

fn dispatch() -> Result<i32, Failure> {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // `--help` and `--version` come this way too.
            if error.use_stderr() {
                let _ = error.print();
                return Ok(OURS);
            }
            return terminal::print(&terminal::help(&error)).map(|()| 0);
        }
    };
    match arguments.verb {
        Verb::Run(arguments) => run::run(&arguments),
        Verb::Check(arguments) => check::run(&arguments),
        Verb::Top(arguments) => top::run(&arguments),
        Verb::Profile(arguments) => profile::run(&arguments),
        Verb::Attach(arguments) => attach::run(&arguments),
        Verb::Report(arguments) => report::run(&arguments),
        Verb::Diff(arguments) => diff::run(&arguments),
        Verb::Scale(arguments) => scale::run(&arguments),
        Verb::Doctor(arguments) => doctor::run(&arguments),
        Verb::Why(arguments) | Verb::Inspect(arguments) => inspect::run(&arguments),
        Verb::AskOmpd(arguments) => inspect::serve_library(&arguments),
        Verb::AskPlaces(_) => doctor::placement::probe::answer(),
        Verb::Mcp(arguments) => mcp::run(&arguments),
        Verb::Conform(arguments) => conform::run(&arguments),
        Verb::Install(arguments) => having::run(&arguments),
        Verb::Uninstall(arguments) => uninstall::run(&arguments),
        Verb::CompareOmpd(arguments) => conform::debug::look(&arguments),
        Verb::Generate(arguments) => generate::run(&arguments, Arguments::command()),
    }
}
