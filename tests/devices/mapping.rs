//! `omphalos check --mapping`. Programs in `devices/mapping` map wrongly, and their opening comment
//! has the findings: `@finds: KIND VARIABLE` (`-` for no variable; kinds with `|` between them are
//! alternatives). Each finding must be at a line that has `@here`. The output must contain the
//! words of `@says:`. In correct programs there is no finding, and they do what they do without the
//! check.

use super::{Path, PathBuf, llvm, suite};
use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::truth::schema;
use omphalos_tests::{paths, runtime::Runtime};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// Returns tests of a wrong program, with GCC's compiler and with LLVM's.
pub fn wrong(name: &str, source: &Path) -> Vec<Trial> {
    let mut trials = llvm::trials(name, source, |source, compiler| {
        finds(source, &llvm::compile_with(source, compiler, &["-O0"])?)
    });
    let source = source.to_owned();
    trials.push(suite::test(name, move || finds(&source, &compile(&source)?)));
    trials
}

/// Returns tests of a correct program for LLVM's compilers.
pub fn right_for_llvm(name: &str, source: &Path) -> Vec<Trial> {
    llvm::trials(&format!("{name}::checked"), source, |source, compiler| {
        let program = llvm::compile_with(source, compiler, &["-O0"])?;
        if suite::stock_only() {
            return Ok(());
        }
        let (outcome, findings) = check(&program)?;
        // Not every program has constructs to check.
        let good = !outcome.stdout.is_empty() && findings.is_empty();
        if good { Ok(()) } else { Err(outcome.describe()) }
    })
}

/// Returns a test of a correct program.
pub fn right(name: &str, source: &Path) -> Trial {
    let source = source.to_owned();
    suite::test(name, move || {
        let program = compile(&source)?;
        let stock = super::run(&program, &Runtime::Stock, &[])?;
        if suite::stock_only() {
            return Ok(());
        }
        let (outcome, findings) = check(&program)?;
        if outcome.success() && findings.is_empty() && outcome.stdout == stock.stdout {
            return Ok(());
        }
        let stock = stock.stdout;
        Err(format!("{}\nthe stock runtime says: {stock}", outcome.describe()))
    })
}

fn compile(source: &Path) -> Result<PathBuf, String> {
    let compiler = Compiler::of_source(source).first().ok_or("no compiler for this ending")?;
    compiler.compile(source, &["-g", "-O0", "-foffload=disable"])
}

/// A finding: kind, variable, line.
type Found = (String, String, u64);

/// Runs a program with the check, and returns its outcome and the findings.
fn check(program: &Path) -> Result<(Outcome, Vec<Found>), String> {
    let file = program.with_extension(format!("{}.json", std::process::id()));
    let mut command = Command::new(paths::omphalos());
    command.args(["check", "--mapping", "--json"]).arg(&file).arg(program);
    command.env_remove("OMPHALOS_DEVICES").env("OMP_NUM_THREADS", "4");
    let outcome = exec::run(&mut command)?;
    let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let _ = fs::remove_file(&file);
    let said: Value = serde_json::from_str(&text)
        .map_err(|error| format!("{error}: {text}\n{}", outcome.describe()))?;
    let faults = schema::faults_of("check", &said);
    if !faults.is_empty() {
        return Err(format!("docs/check.schema.json: {faults:#?} in {said:#}"));
    }
    let one = |finding: &Value| {
        let place = match &finding["access"] {
            Value::Null => &finding["construct"],
            access => access,
        };
        let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let line = place["line"].as_u64().unwrap_or(0);
        (word(&finding["kind"]), word(&finding["variable"]), line)
    };
    let findings = said["findings"].as_array().map_or(&[][..], Vec::as_slice);
    Ok((outcome, findings.iter().map(one).collect()))
}

/// Tests that the check has exactly the findings of the opening comment.
fn finds(source: &Path, program: &Path) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
    let said = |line: &str| line.split_once("@finds: ").map(|(_, said)| said.to_owned());
    let expected: Vec<String> = text.lines().filter_map(said).collect();
    let here = |(at, line): (usize, &str)| line.contains("@here").then_some(at as u64 + 1);
    let lines: Vec<u64> = text.lines().enumerate().filter_map(here).collect();
    let (outcome, mut findings) = check(program)?;
    let mut good = findings.iter().all(|(.., line)| lines.contains(line));
    let mut says = text.lines().filter_map(|line| line.split_once("@says: "));
    good &= says.all(|(_, words)| outcome.stderr.contains(words.trim_end_matches(" */")));
    for line in &expected {
        let mut words = line.split_ascii_whitespace();
        let (Some(kinds), Some(variable)) = (words.next(), words.next()) else {
            return Err(format!("no kind and variable in {line:?}"));
        };
        let is_it =
            |(kind, name, _): &Found| kinds.split('|').any(|it| it == kind) && name == variable;
        match findings.iter().position(is_it) {
            Some(at) => drop(findings.remove(at)),
            None => good = false,
        }
    }
    if good && findings.is_empty() && !outcome.success() && !expected.is_empty() {
        return Ok(());
    }
    Err(format!("{expected:?} should be found on lines {lines:?}: {}", outcome.describe()))
}
