//! `omphalos conform --debug`: holds OMPD against OMPT; and the debugger's own process, a hidden
//! verb.

use std::path::PathBuf;
use std::process::Command;

use clap::Args;
use omphalos_conform::debug::{Order, Setup, Source, debug, hold, questions};
use omphalos_conform::{Compiler, Row, Runtime};
use omphalos_report::Progress;

use crate::failure::Failure;
use crate::progress::Bar;
use crate::terminal;

/// The hidden verb's name.
const VERB: &str = "compare-ompd";

/// Looks at one program, for `conform --debug`
#[derive(Args)]
pub struct Arguments {
    /// The order, in the words that `conform --debug` has for it
    #[arg(allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Plays the debugger of one program, and prints the answers.
pub fn look(arguments: &Arguments) -> Result<i32, Failure> {
    let order = Order::parse(&arguments.words);
    let order = order.ok_or_else(|| Failure::ours(format!("`{VERB}` is for `conform --debug`")))?;
    debug(&order, &mut std::io::stdout().lock()).map_err(Failure::ours)?;
    Ok(0)
}

/// Lists the questions.
pub fn list() -> Result<i32, Failure> {
    for question in questions() {
        terminal::print(&format!("{:<28} {}\n", question.name, question.by))?;
    }
    Ok(0)
}

/// Runs the programs and prints a table for each runtime and compiler.
pub fn run(
    runtimes: &[Runtime],
    compilers: &[Compiler],
    rows: &[&'static Row],
    files: &[PathBuf],
    seed: u32,
    json: bool,
) -> Result<i32, Failure> {
    let me = std::env::current_exe()
        .map_err(|error| Failure::ours(format!("cannot find my own place: {error}")))?;
    let debugger = |order: &Order| {
        let mut command = Command::new(&me);
        command.arg(VERB).args(order.words());
        command
    };
    // A program with a tool of its own has no room for ours.
    let rows = rows.iter().filter(|row| !row.has_tool()).map(|row| Source::Row(row));
    let programs: Vec<Source<'_>> = match files {
        [] => rows.collect(),
        files => files.iter().cloned().map(Source::File).collect(),
    };
    if programs.is_empty() {
        return Err(Failure::ours("these rows have tools of their own: --debug cannot use them"));
    }
    let setup = Setup { runtimes, compilers, programs: &programs, seed, debugger: &debugger };
    let mut bar = Bar::new();
    bar.begin("programs", programs.len() as u64);
    let sheets = hold(&setup, |at| bar.advance(at as u64));
    drop(bar);
    let sheets = sheets.map_err(Failure::ours)?;
    if json {
        let all: Vec<_> = sheets.iter().map(|sheet| sheet.json()).collect();
        terminal::print(&format!("{:#}\n", serde_json::Value::from(all)))?;
    } else {
        let tables: Vec<String> = sheets.iter().map(|sheet| sheet.table()).collect();
        terminal::print(&tables.join("\n"))?;
    }
    let first = &sheets[..compilers.len()];
    Ok(i32::from(!first.iter().all(|sheet| sheet.is_kept())))
}
