//! `omphalos conform`: holds OpenMP runtimes against what OMPT promises.

pub mod debug;
mod generation;

use std::path::PathBuf;

use clap::Args;
use omphalos_conform::{
    Compiler, Head, Outcome, Row, Runtime, Setup, Verdict, rows, run as run_rows, table,
};

use crate::failure::Failure;
use crate::install::Installation;
use crate::progress::Bar;
use crate::terminal;
use generation::Interface;
use omphalos_report::Progress;

const LONG: &str = "Hold OpenMP runtimes against what OMPT, OpenMP's tool interface, promises

Each row is a small C program and what a tool must see of it, with the section of OpenMP 5.2 that \
says so. The programs are compiled here and run with a tool that records every event, on each \
runtime, with each compiler; the result is a table. The exit status is 0 if every row is kept on \
the first runtime, else 1.

With --generation they are held against an interface before OpenMP 5.0: each row is a program with \
a tool of that time in it, written from the document alone, which says itself what does not hold.

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

    /// An interface before OpenMP 5.0, instead of OMPT of OpenMP 5.0 and later
    #[arg(long, value_name = "INTERFACE", conflicts_with = "debug")]
    generation: Option<Interface>,

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
    if let Some(interface) = arguments.generation {
        return generation::run(interface.into(), arguments);
    }
    let more = if arguments.debug { omphalos_conform::debug::ROWS } else { &[] };
    let chosen = choose(rows().chain(more), Row::head, &arguments.rows)?;
    if arguments.list && arguments.debug {
        return debug::list();
    }
    let heads: Vec<Head> = chosen.iter().map(|row| row.head()).collect();
    if arguments.list {
        return list(&heads);
    }
    let installation = Installation::find()?;
    let runtimes = runtimes(&arguments.runtime, &installation)?;
    let compilers = compilers(&arguments.cc)?;
    if arguments.debug {
        let (files, seed, json) = (&arguments.source, arguments.seed, arguments.json);
        return debug::run(&runtimes, &compilers, &chosen, files, seed, json);
    }
    let recorder = installation.recorder()?;
    let setup = Setup { recorder: &recorder, runtimes: &runtimes, compilers: &compilers };
    let outcomes = with_bar(chosen.len(), |tell| run_rows(&setup, &chosen, |_| tell()))?;
    terminal::print(&table(&runtimes, &compilers, &heads, &outcomes))?;
    Ok(i32::from(!is_kept(&outcomes)))
}

/// Returns the rows whose names contain one of the words; without words all rows.
fn choose<R>(
    all: impl Iterator<Item = &'static R>,
    head: fn(&R) -> Head,
    words: &[String],
) -> Result<Vec<&'static R>, Failure> {
    let has = |row: &R, word: &String| head(row).name.contains(word.as_str());
    let mut all: Vec<&R> = all.collect();
    if let Some(word) = words.iter().find(|word| !all.iter().any(|row| has(row, word))) {
        return Err(Failure::ours(format!("no row's name contains `{word}`: --list shows them")));
    }
    all.retain(|row| words.is_empty() || words.iter().any(|word| has(row, word)));
    Ok(all)
}

fn list(heads: &[Head]) -> Result<i32, Failure> {
    heads.iter().try_for_each(|head| terminal::print(&head.line(heads)))?;
    Ok(0)
}

/// Returns the runtimes that are asked for, else Omphalos.
fn runtimes(asked: &[PathBuf], installation: &Installation) -> Result<Vec<Runtime>, Failure> {
    let own = [installation.lib().to_owned()];
    let folders = if asked.is_empty() { &own } else { asked };
    let found = folders.iter().map(|folder| Runtime::find(folder)).collect::<Result<_, _>>();
    found.map_err(Failure::ours)
}

/// Shows the progress of the rows while `run` runs them, which reports each as it begins.
fn with_bar<T>(
    rows: usize,
    run: impl FnOnce(&mut dyn FnMut()) -> Result<T, String>,
) -> Result<T, Failure> {
    let mut bar = Bar::new();
    bar.begin("rows", rows as u64);
    let mut done = 0;
    let result = run(&mut || {
        bar.advance(done);
        done += 1;
    });
    drop(bar);
    result.map_err(Failure::ours)
}

/// Whether every row is kept on the first runtime.
fn is_kept(outcomes: &[Outcome]) -> bool {
    let kept = |outcome: &Outcome| {
        outcome.runtime != 0 || matches!(outcome.verdict, Verdict::Ok | Verdict::NoProgram(_))
    };
    outcomes.iter().all(kept)
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

/// Returns the compiler if it is there and compiles OpenMP programs; names one that does not.
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
