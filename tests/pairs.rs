//! Pairs of programs with one known difference: `omphalos diff` matches their rows and names the
//! difference, whatever else the machine does meanwhile. `cargo xtask truth --pairs` says how near
//! its figures are to the programs' own clocks on an idle machine.

use std::process::ExitCode;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::suite;
use omphalos_tests::truth::pairs::Pair;
use omphalos_tests::truth::schema;

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for pair in Pair::all().unwrap_or_default() {
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            let title = format!("pairs::{}::{}", pair.name(), compiler.name());
            let name = pair.name();
            trials.push(suite::test(title, move || says_what_is_different(&name, compiler)));
        }
    }
    for part in 1..=4 {
        let title = format!("pairs::nothing_is_said_of_nothing::{part}");
        trials.push(suite::test(title, move || nothing_is_said_of_nothing(5 * part)));
    }
    libtest_mimic::run(&suite::arguments(), trials).exit_code()
}

fn named(name: &str) -> Result<Pair, String> {
    Pair::all()?.into_iter().find(|pair| pair.name() == name).ok_or_else(|| "no such pair".into())
}

fn says_what_is_different(name: &str, compiler: Compiler) -> Result<(), String> {
    let pair = named(name)?;
    let said = pair.compare(compiler, 2, 0)?;
    let mut faults = pair.faults(&said);
    faults.extend(schema::faults_of_diff(&said.json));
    match faults.is_empty() {
        true => Ok(()),
        false => Err(format!("{faults:#?} in {:#}", said.json)),
    }
}

/// Tests that no pair is called a change where nothing is different; the four parts try twenty
/// pairs.
fn nothing_is_said_of_nothing(first: u32) -> Result<(), String> {
    let pair = named("nothing")?;
    for number in first..first + 5 {
        let said = pair.compare(Compiler::Gcc, 3, number)?;
        if !["same", "inconclusive"].contains(&said.verdict()) || said.sentence().contains("; but")
        {
            return Err(format!("{}: {:#}", said.sentence(), said.json));
        }
    }
    Ok(())
}
