//! Profiles of Python programs (`python/`): the line under which each region runs, and the lines of
//! Python's own code, are those that the scripts mark.
//!
//! `# region`: a region is entered from the line, and from no other. `# inside`: a region calls the
//! line. `# own: NAME`: the line is a hot one of that function.

use std::path::Path;
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

/// Debian's: the machine may have another first in its PATH.
const PYTHON: &str = "/usr/bin/python3";
const SCRIPTS: [&str; 7] =
    ["methods", "threads", "generators", "coroutines", "back", "names", "deep"];

fn main() -> ExitCode {
    let lines = |script: &'static str| {
        suite::test(format!("python::lines::{script}"), move || has_lines(script))
    };
    suite::main(SCRIPTS.into_iter().map(lines).collect())
}

/// Lines that end in a mark, with what stands behind it.
fn marked<'a>(source: &'a str, mark: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let lines = source.lines().enumerate();
    lines.filter_map(move |(at, line)| Some((at + 1, line.rsplit_once(mark)?.1.trim())))
}

fn has_lines(script: &str) -> Result<(), String> {
    let folder = paths::scratch(&format!("python {script}"));
    let file = format!("{script}.py");
    let source = paths::tests().join("python").join(&file);
    let library = paths::tests().join("python/library.c");
    let library = Compiler::Gcc.compile(&library, &["-O2", "-g", "-shared", "-fPIC"])?;
    profile(&folder, &[&source, &library])?;
    let text = std::fs::read_to_string(&source).map_err(|error| error.to_string())?;
    let stacks = report(&folder, "--folded")?;
    let at = |line: usize| format!("{file}:{line} in ");
    let is_of_script = |frame: &&str| frame.starts_with(&format!("{file}:"));

    let regions: Vec<usize> = marked(&text, "# region").map(|(line, _)| line).collect();
    let mut met = vec![false; regions.len()];
    for stack in stacks.lines() {
        let Some((outside, within)) = stack.split_once(";region at library.c:") else { continue };
        let caller = outside.rsplit(';').find(is_of_script).unwrap_or("no line of the script");
        let known = regions.iter().position(|line| caller.starts_with(&at(*line)));
        let Some(known) = known else {
            return Err(format!("a region is under {caller}: {stack}"));
        };
        met[known] = true;
        if let Some(frame) = within.split(';').find(is_of_script)
            && !marked(&text, "# inside").any(|(line, _)| frame.starts_with(&at(line)))
        {
            return Err(format!("a region calls {frame}: {stack}"));
        }
    }
    if let Some(missing) = met.iter().position(|met| !met) {
        return Err(format!("no region is under line {}:\n{stacks}", regions[missing]));
    }
    for (line, _) in marked(&text, "# inside") {
        let is_it = |stack: &str| {
            stack.split_once(";region at ").is_some_and(|(_, within)| within.contains(&at(line)))
        };
        if !stacks.lines().any(is_it) {
            return Err(format!("no region calls line {line}:\n{stacks}"));
        }
    }
    if stacks.lines().any(|stack| stack.contains("importlib")) {
        return Err(format!("imports have frames of their own:\n{stacks}"));
    }
    let json: Value =
        serde_json::from_str(&report(&folder, "--json")?).map_err(|error| error.to_string())?;
    let lines = json["hot_lines"].as_array().ok_or("no hot lines")?;
    for (line, name) in marked(&text, "# own:") {
        let is_it = |row: &&Value| {
            row["function"] == *name
                && row["line"] == line
                && row["file"].as_str() == source.to_str()
        };
        if !lines.iter().any(|row| is_it(&row)) {
            return Err(format!("{name} has no hot line {line}: {lines:#?}"));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

fn profile(folder: &Path, words: &[&Path]) -> Result<(), String> {
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    command.env("OMP_NUM_THREADS", "2").env("PYTHONDONTWRITEBYTECODE", "1");
    command.args(["profile", "-o", "app.omph", "--", PYTHON]).args(words);
    let outcome = exec::run(command.current_dir(folder))?;
    if outcome.success() { Ok(()) } else { Err(outcome.describe()) }
}

fn report(folder: &Path, option: &str) -> Result<String, String> {
    let mut command = Command::new(paths::omphalos());
    let outcome = exec::run(command.args(["report", option, "app.omph"]).current_dir(folder))?;
    if outcome.success() { Ok(outcome.stdout) } else { Err(outcome.describe()) }
}
