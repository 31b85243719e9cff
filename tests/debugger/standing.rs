//! A program whose threads stand at known places, and the debuggers that look at it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::paths;
use omphalos_tests::runtime::Runtime;

/// Returns the path of a source file of this folder.
pub fn source(name: &str) -> PathBuf {
    paths::tests().join("debugger").join(name)
}

/// Compiles a debugger of ours: `NAME.c`, or all of the folder `NAME`, with the sources that all of
/// them share.
pub fn debugger(name: &str) -> Result<PathBuf, String> {
    let include = format!("-I{}", paths::repository().join("runtime/abi/include").display());
    let folder = source(name);
    let mut sources =
        paths::sources(&if folder.is_dir() { folder } else { folder.with_extension("c") });
    sources.extend([source("target.c"), source("running.c")]);
    // The debugger defines functions that the 2013 plugin calls.
    let flags = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-rdynamic", &include, "-ldl"];
    Compiler::Gcc.compile_all(name, &sources, &flags)
}

/// A running program that has said "ready"; it is killed in the end.
pub struct Standing {
    child: Child,
    _stdout: BufReader<ChildStdout>,
}

impl Standing {
    /// Compiles and starts a program of this folder.
    pub fn start(compiler: Compiler, name: &str, env: &[(&str, &str)]) -> Result<Standing, String> {
        let program = compiler.compile(&source(name), &["-O0"])?;
        let mut command = Command::new(program);
        Runtime::Omphalos.apply(&mut command);
        command.envs(env.iter().copied()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let stdout = child.stdout.take().ok_or("no output")?;
        let mut standing = Standing { child, _stdout: BufReader::new(stdout) };
        let mut line = String::new();
        while line.trim() != "ready" {
            line.clear();
            if standing._stdout.read_line(&mut line).map_err(|error| error.to_string())? == 0 {
                return Err(format!("{name} ends before it is ready"));
            }
        }
        Ok(standing)
    }

    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Looks until a look finds all of `wanted`, then stops the process for good. Returns the last
    /// look.
    pub fn settle(
        &self,
        look: impl Fn() -> Result<String, String>,
        wanted: &[&str],
    ) -> Result<String, String> {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let seen = look()?;
            let missing: Vec<_> = wanted.iter().filter(|want| !seen.contains(**want)).collect();
            if missing.is_empty() {
                break;
            }
            if Instant::now() > end {
                return Err(format!("does not say {missing:?}:\n{seen}"));
            }
            thread::sleep(Duration::from_millis(50));
        }
        // SAFETY: a signal to a child that was not waited for.
        unsafe { libc::kill(self.pid() as i32, libc::SIGSTOP) };
        look()
    }

    /// Writes a core of the program, with gdb.
    pub fn core(&self, folder: &Path) -> Result<PathBuf, String> {
        let core = folder.join("core");
        let mut gdb = Command::new("gdb");
        gdb.args(["-q", "-nx", "-batch", "-p", &self.pid().to_string(), "-ex"]);
        gdb.arg(format!("gcore {}", core.display()));
        let outcome = exec::run(&mut gdb)?;
        if core.exists() {
            Ok(core)
        } else {
            Err(format!("gdb writes no core: {}", outcome.describe()))
        }
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs one of our debuggers, and returns its output; a line with `WRONG` is an error.
pub fn ask(debugger: &Path, env: &[(&str, &str)], arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(debugger);
    command.args(arguments).envs(env.iter().copied());
    command.env("LD_LIBRARY_PATH", paths::lib());
    let outcome: Outcome = exec::run(&mut command)?;
    if !outcome.success() || outcome.stdout.contains("WRONG") || outcome.stderr.contains("panic") {
        let all = outcome.stdout.lines().filter(|line| line.contains("WRONG"));
        let wrong: Vec<&str> = all.collect();
        return Err(format!("{arguments:?}: {}\n{}", wrong.join("\n"), outcome.describe()));
    }
    Ok(outcome.stdout)
}

/// Compares two texts line by line; the error has the first difference.
pub fn same(of: &str, one: &str, other: &str) -> Result<(), String> {
    let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    match differs {
        None if one.lines().count() == other.lines().count() => Ok(()),
        None => Err(format!("{of}: the process and its core differ in length")),
        Some((one, other)) => {
            Err(format!("{of}: the process and its core differ:\n  {one}\n  {other}"))
        }
    }
}
