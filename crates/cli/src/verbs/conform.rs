//! `omphalos conform`: holds OpenMP runtimes against what OMPT promises.

pub mod debug;

use std::path::PathBuf;

use clap::Args;
use omphalos_conform::{
    Compiler, Outcome, Row, Runtime, Setup, Verdict, rows, run as run_rows, table,
};

use crate::failure::Failure;
use crate::install::Installation;
use crate::progress::Bar;
use crate::terminal;
use omphalos_report::Progress;

const LONG: &str = "Hold OpenMP runtimes against what OMPT, OpenMP's tool interface, promises

Each row is a small C program and what a tool must see of it, with the section of OpenMP 5.2 that \
says so. The programs are compiled here and run with a tool that records every event, on each \
runtime, with each compiler; the result is a table. The exit status is 0 if every row is kept on \
the first runtime, else 1.

With --debug the same programs run under a debugger: at some of OMPT's callbacks a thread is held, \
and what OMPD (the runtime's libompd.so) says of it is held against what OMPT and the omp_ \
routines say there, of the process and of cores of it. The exit status is 0 if OMPD says the same, \
and can always tell, on the first runtime.";

/// Holds OpenMP runtimes against what OMPT promises.
#[derive(Args)]
#[command(about = "Hold OpenMP runtimes against what OMPT promises", long_about = LONG)]
pub struct Arguments {
    /// A runtime: its library, or the folder that it is in; may be given several times, the
    /// runtimes then stand side by side [default: Omphalos]
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::AnyPath)]
    runtime: Vec<PathBuf>,

    /// A compiler of the programs; may be given several times [default: gcc and the first clang
    /// that compiles OpenMP programs]
    #[arg(long, value_name = "COMPILER", value_hint = clap::ValueHint::CommandName)]
    cc: Vec<String>,

    /// List the rows and what each says, and run nothing; with --debug, the questions
    #[arg(long)]
    list: bool,

    /// Hold OMPD, the interface of debuggers, against OMPT
    #[arg(long)]
    debug: bool,

    /// A program of your own instead of the rows' ones; may be given several times
    #[arg(long, value_name = "FILE", requires = "debug", conflicts_with = "rows")]
    source: Vec<PathBuf>,

    /// Chooses the callbacks at which threads are held; the same number chooses the same ones
    #[arg(long, value_name = "NUMBER", requires = "debug", default_value_t = 1)]
    seed: u32,

    /// Print JSON instead of tables, a list with one object for each runtime and compiler
    #[arg(long, requires = "debug", conflicts_with = "list")]
    json: bool,

    /// Rows, or words that their names contain [default: all]
    #[arg(value_name = "ROW")]
    rows: Vec<String>,
}

/// Runs the rows and prints the table.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let chosen = choose(&arguments.rows, arguments.debug)?;
    if arguments.list && arguments.debug {
        return debug::list();
    }
    if arguments.list {
        for row in &chosen {
            let line = format!("{:<28} {:<10} {}\n", row.name, row.section, row.says);
            terminal::print(&line)?;
        }
        return Ok(0);
    }
    let installation = Installation::find()?;
    let mut folders = arguments.runtime.clone();
    if folders.is_empty() {
        folders.push(installation.lib().to_owned());
    }
    let runtimes =
        folders.iter().map(|folder| Runtime::find(folder)).collect::<Result<Vec<_>, _>>();
    let runtimes = runtimes.map_err(Failure::ours)?;
    let compilers = compilers(&arguments.cc)?;
    if arguments.debug {
        let (files, seed, json) = (&arguments.source, arguments.seed, arguments.json);
        return debug::run(&runtimes, &compilers, &chosen, files, seed, json);
    }
    let recorder = installation.recorder()?;
    let setup = Setup { recorder: &recorder, runtimes: &runtimes, compilers: &compilers };
    let mut bar = Bar::new();
    bar.begin("rows", chosen.len() as u64);
    let mut done = 0;
    let outcomes = run_rows(&setup, &chosen, |_| {
        bar.advance(done);
        done += 1;
    });
    drop(bar);
    let outcomes = outcomes.map_err(Failure::ours)?;
    terminal::print(&table(&setup, &chosen, &outcomes).to_string())?;
    let kept = |outcome: &Outcome| {
        outcome.runtime != 0 || matches!(outcome.verdict, Verdict::Ok | Verdict::NoProgram(_))
    };
    Ok(i32::from(!outcomes.iter().all(kept)))
}

fn choose(words: &[String], debug: bool) -> Result<Vec<&'static Row>, Failure> {
    let more = if debug { omphalos_conform::debug::ROWS } else { &[] };
    let all = || rows().chain(more);
    if let Some(word) = words.iter().find(|word| !all().any(|row| row.name.contains(word.as_str())))
    {
        return Err(Failure::ours(format!(
            "no row's name contains `{word}`: `omphalos conform --list` shows them"
        )));
    }
    let wanted =
        |row: &&Row| words.is_empty() || words.iter().any(|word| row.name.contains(word.as_str()));
    Ok(all().filter(wanted).collect())
}

fn compilers(asked: &[String]) -> Result<Vec<Compiler>, Failure> {
    if asked.is_empty() {
        let clangs = ["clang", "clang-22", "clang-21", "clang-20", "clang-19"];
        let mut found: Vec<Compiler> = ["gcc"].into_iter().filter_map(usable).collect();
        found.extend(clangs.into_iter().find_map(usable));
        if found.is_empty() {
            return Err(Failure::ours(
                "no C compiler that compiles OpenMP: install gcc or clang (and libomp-dev), or \
                 name one by --cc",
            ));
        }
        return Ok(found);
    }
    let all: Vec<Compiler> = asked.iter().map(|name| Compiler(name.clone())).collect();
    match all.iter().find(|compiler| !compiler.is_there()) {
        Some(missing) => Err(Failure::ours(format!(
            "there is no compiler {}: --cc wants a command, as `gcc-12` or `/usr/bin/clang-19`",
            missing.0
        ))),
        None => Ok(all),
    }
}

/// The compiler if it is there and compiles OpenMP programs; one that does not is named.
fn usable(name: &str) -> Option<Compiler> {
    let compiler = Compiler(name.to_owned());
    if !compiler.is_there() {
        return None;
    }
    match compiler.try_openmp() {
        Ok(()) => Some(compiler),
        Err(why) => {
            terminal::say(&format!("leaving {name} out: it compiles no OpenMP program: {why}"));
            None
        }
    }
}
