//! Runs the program of `bench/micro` on a runtime, with or without a tool, and reads its figures.
//!
//! Each compiler makes one binary, which all runtimes get by the loader's path alone.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::compiler::Compiler;
use crate::exec;
use crate::paths;
use crate::peers::{self, Contender};
use crate::runtime::Runtime;

/// The row of a whole process.
pub const PROCESS_START: &str = "process_start";
/// The time limit of all rows on one runtime.
const LIMIT: Duration = Duration::from_secs(300);

/// A runtime, with or without tools.
pub struct Setup {
    /// Its name in the table.
    pub name: &'static str,
    /// The runtime.
    pub runtime: Runtime,
    /// A tool's library, preloaded.
    pub tool: Option<PathBuf>,
    /// A second tool's library, which the runtime loads (`OMP_TOOL_LIBRARIES`).
    pub second_tool: Option<PathBuf>,
}

/// The settings of a run.
#[derive(Clone, Copy)]
pub struct Settings {
    /// The size of a team.
    pub threads: u32,
    /// The length of one repetition, ms.
    pub ms: u32,
    /// The value of `OMP_WAIT_POLICY`, if it is set.
    pub wait: Option<&'static str>,
}

/// A row's figure in one process.
pub struct Measured {
    /// The row.
    pub row: String,
    /// ns per operation, for [`PROCESS_START`] us.
    pub value: f64,
    /// Events per operation, with a tool that counts them.
    pub events: Option<f64>,
}

impl Setup {
    /// A runtime without a tool.
    pub fn plain(contender: &Contender) -> Setup {
        let (name, runtime) = (contender.name, contender.runtime.clone());
        Setup { name, runtime, tool: None, second_tool: None }
    }

    /// The same runtime with a tool's library preloaded.
    pub fn with_tool(&self, name: &'static str, tool: &Path) -> Setup {
        let tool = Some(tool.into());
        Setup { name, runtime: self.runtime.clone(), tool, second_tool: None }
    }

    /// Prepares the command that starts `program`, or one that starts it under another program.
    pub fn command(&self, program: &mut Command, settings: Settings) {
        self.runtime.apply(program);
        program.env_remove("OMP_TOOL_LIBRARIES");
        if let Some(tool) = &self.tool {
            program.env("LD_PRELOAD", tool);
        }
        if let Some(tool) = &self.second_tool {
            program.env("OMP_TOOL_LIBRARIES", tool);
        }
        program.env("OMP_NUM_THREADS", settings.threads.to_string());
        match settings.wait {
            Some(policy) => program.env("OMP_WAIT_POLICY", policy),
            None => program.env_remove("OMP_WAIT_POLICY"),
        };
        // Without this no task has a priority.
        program.env("OMP_MAX_TASK_PRIORITY", "8");
        program.env("BENCH_MS", settings.ms.to_string());
    }

    /// Runs one process with all `rows`, and one more if [`PROCESS_START`] is among them.
    ///
    /// # Errors
    /// When a process cannot be started or hangs. One that fails only gets a message on stderr.
    pub fn run(
        &self,
        program: &Path,
        settings: Settings,
        rows: &[String],
    ) -> Result<Vec<Measured>, String> {
        let command = || {
            let mut command = Command::new(program);
            self.command(&mut command, settings);
            command
        };
        let complain = |what: String| format!("on {}: {what}", self.name);
        let mut all = Vec::new();
        if rows.iter().any(|row| row == PROCESS_START) {
            // The name is no row of the program, which then enters one region and ends.
            let start = Instant::now();
            let outcome = exec::run(command().arg(PROCESS_START)).map_err(complain)?;
            let value = start.elapsed().as_secs_f64() * 1e6;
            if outcome.success() {
                all.push(Measured { row: PROCESS_START.into(), value, events: None });
            }
        }
        let outcome = exec::run_within(command().args(rows), LIMIT).map_err(complain)?;
        if !outcome.success() {
            eprintln!("bench: on {}: {}", self.name, outcome.describe());
        }
        all.extend(outcome.stdout.lines().filter_map(measured));
        Ok(all)
    }
}

/// Reads a line of the program: row, unit, value, perhaps events.
pub fn measured(line: &str) -> Option<Measured> {
    let mut words = line.split_whitespace();
    let (row, _unit, value) = (words.next()?, words.next()?, words.next()?.parse().ok()?);
    Some(Measured {
        row: row.into(),
        value,
        events: words.next().and_then(|word| word.parse().ok()),
    })
}

/// Compiles the program.
///
/// # Errors
/// The compiler's own message.
pub fn compile(compiler: Compiler) -> Result<PathBuf, String> {
    let folder = paths::repository().join("bench/micro");
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|ending| ending == "c") {
            sources.push(path);
        }
    }
    sources.sort();
    compiler.compile_all("micro", &sources, &["-O2", "-fopenmp"])
}

/// Returns the program's rows whose names contain one of the words `wanted`, or all if there are no
/// words.
///
/// # Errors
/// When there are no such rows, or the program does not run.
pub fn rows(program: &Path, wanted: &[String]) -> Result<Vec<String>, String> {
    let mut command = Command::new(program);
    Runtime::Stock.apply(&mut command);
    let listed = exec::run(command.arg("--list"))?;
    let mut all: Vec<String> = listed.stdout.lines().map(String::from).collect();
    all.insert(0, PROCESS_START.into());
    let rows: Vec<String> = match wanted {
        [] => all,
        _ => all.into_iter().filter(|r| wanted.iter().any(|w| r.contains(w.as_str()))).collect(),
    };
    if rows.is_empty() {
        return Err(format!("no row has {wanted:?} in its name: see --list"));
    }
    Ok(rows)
}

/// Returns LLVM's runtime and Intel's for this compiler's programs, those that the machine has.
///
/// # Errors
/// When a runtime that a variable names does not exist.
pub fn llvm_peers(compiler: Compiler) -> Result<Vec<Setup>, String> {
    let all = peers::contenders(compiler.is_gnu())?;
    let llvm = all.iter().filter(|each| !matches!(each.name, "omphalos" | "libgomp"));
    Ok(llvm.map(Setup::plain).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_program() {
        let with = measured("barrier ns 12.5 8.000").unwrap();
        assert_eq!((with.row.as_str(), with.value, with.events), ("barrier", 12.5, Some(8.0)));
        assert_eq!(measured("barrier ns 12.5").unwrap().events, None);
        assert!(measured("barrier ns").is_none());
    }
}
