//! A look from outside at a Python program that has stopped within a region's callback: its lines
//! are on the stack of its thread, with the region's function between them.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths};
use serde_json::Value;

use super::marked;

const SCRIPT: &str = "standing.py";

/// A script that runs; it ends with this value.
pub struct Running(Child);

impl Running {
    pub fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn is_seen(python: &Path) -> Result<(), String> {
    let source = paths::tests().join("python").join(SCRIPT);
    let library = paths::tests().join("python/library.c");
    let library = Compiler::Gcc.compile(&library, &["-O2", "-g", "-shared", "-fPIC"])?;
    let text = std::fs::read_to_string(&source).map_err(|error| error.to_string())?;
    let running = started(python, &Runtime::Omphalos, &source, &library)?;
    let mut seen = String::new();
    for _ in 0..LOOKS {
        let stack = stack_of(running.pid())?;
        if has_all(&stack, &text) {
            return Ok(());
        }
        seen = stack.join("\n");
    }
    Err(format!("not all lines stand in their places:\n{seen}"))
}

const LOOKS: usize = 20;

/// Starts a script, and waits until it says that it is ready.
pub fn started(
    python: &Path,
    runtime: &Runtime,
    source: &Path,
    library: &Path,
) -> Result<Running, String> {
    let mut command = Command::new(python);
    runtime.apply(&mut command);
    command.env("OMP_NUM_THREADS", "2").env("PYTHONDONTWRITEBYTECODE", "1");
    command.arg(source).arg(library).stdout(Stdio::piped());
    let mut running = Running(command.spawn().map_err(|error| error.to_string())?);
    let mut out = BufReader::new(running.0.stdout.take().ok_or("no output")?);
    let mut line = String::new();
    out.read_line(&mut line).map_err(|error| error.to_string())?;
    Ok(running)
}

/// Returns the stack of the process's first thread, innermost frame first.
pub fn stack_of(pid: u32) -> Result<Vec<String>, String> {
    let mut inspect = Command::new(paths::omphalos());
    let outcome = exec::run(inspect.args(["inspect", "--json"]).arg(pid.to_string()))?;
    if !outcome.success() {
        return Err(outcome.describe());
    }
    let all: Value = serde_json::from_str(&outcome.stdout).map_err(|error| error.to_string())?;
    let threads = all["snapshot"]["threads"].as_array().ok_or("no threads")?;
    let own = threads.iter().find(|thread| thread["lwp"] == pid).ok_or("no thread that began")?;
    let frames = own["stack"].as_array().ok_or("no stack")?;
    let shown = |frame: &Value| {
        let file = frame["file"].as_str().unwrap_or_default();
        let file = file.rsplit('/').next().unwrap_or_default();
        format!("{file}:{} {}", frame["line"], frame["function"].as_str().unwrap_or_default())
    };
    Ok(frames.iter().map(shown).collect())
}

/// Whether the stack has all marked lines, innermost first, with the region's function where it is
/// called.
fn has_all(stack: &[String], source: &str) -> bool {
    let mut lines: Vec<(usize, &str)> = marked(source, "# standing").collect();
    let mut wanted = Vec::new();
    // The script's lines are in the same order.
    lines.sort_by_key(|(line, _)| *line);
    for (line, rest) in lines {
        if rest.contains("a region") {
            wanted.push("library.c:".to_owned());
        }
        wanted.push(format!("{SCRIPT}:{line} "));
    }
    let mut places = stack.iter();
    wanted.iter().all(|begin| places.any(|frame| frame.starts_with(begin)))
}
