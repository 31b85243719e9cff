//! The tools that the tests share: compile a C program, run it with the agent on LLVM's runtime,
//! read the record ([`read`]) and its stacks ([`Functions`]).
//!
//! The programs measure by themselves what the agent should find, so a busy machine changes both
//! alike: no test depends on how fast anything is.
#![allow(dead_code, unused_imports)]

mod best;
mod functions;
mod recorded;

pub use best::{best, part};
pub use functions::Functions;
use omphalos_profile_format::ThreadTotal;
pub use recorded::{Mapped, Recorded, read};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of this test's own, removed at its end, and the runtime that programs find from it.
pub struct Scratch {
    pub folder: PathBuf,
    /// True where the runtime is Omphalos' own.
    pub own_runtime: bool,
}

impl Scratch {
    /// Returns one for LLVM's runtime, and one for Omphalos' own if `OMPHALOS_LIB` names its
    /// folder.
    pub fn each(name: &str) -> Vec<Scratch> {
        let llvm = ["/usr/lib/llvm-19/lib/libomp.so.5", "/usr/lib/x86_64-linux-gnu/libomp.so.5"];
        let llvm = llvm.iter().map(PathBuf::from).find(|path| path.exists());
        let llvm = llvm.expect("LLVM's runtime; apt-get install libomp-19-dev");
        let own = std::env::var_os("OMPHALOS_LIB").map(|folder| {
            PathBuf::from(folder).join("libomphalos.so").canonicalize().expect("our runtime")
        });
        let mut all = vec![Scratch::new(&format!("{name}-llvm"), &llvm, false)];
        all.extend(own.map(|own| Scratch::new(&format!("{name}-own"), &own, true)));
        all
    }

    fn new(name: &str, runtime: &Path, own_runtime: bool) -> Scratch {
        let folder = std::env::temp_dir().join(format!("omphalos-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let libraries = folder.join("runtime");
        std::fs::create_dir_all(&libraries).expect("a temporary folder");
        for name in ["libgomp.so.1", "libomp.so.5", "libomp.so"] {
            std::os::unix::fs::symlink(runtime, libraries.join(name)).expect("a link");
        }
        Scratch { folder, own_runtime }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The agent as built for this test run.
pub fn agent() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let deps = test.parent().expect("a folder");
    [deps.join("libomphalos_agent.so"), deps.join("../libomphalos_agent.so")]
        .into_iter()
        .filter(|path| path.exists())
        .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok())
        .expect("libomphalos_agent.so beside the tests")
}

/// A compiler of the test programs; the programs of both compilers run on LLVM's runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    Clang,
    Gcc,
}

/// Compiles `tests/programs/NAME.c`.
pub fn compile(scratch: &Scratch, name: &str, compiler: Compiler, flags: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"));
    let out = scratch.path(name);
    let program = match compiler {
        Compiler::Clang => "clang-19",
        Compiler::Gcc => "gcc",
    };
    let output = Command::new(program)
        .args(["-g", "-O2", "-fopenmp", "-fomit-frame-pointer", "-o"])
        .arg(&out)
        .arg(source)
        .args(flags)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}; apt-get install clang-19 gcc"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    out
}

/// Returns a command that runs `program` with the agent, and records into `record`. Programs of GCC
/// and of clang find the runtime under the name that they look for.
pub fn profiled(scratch: &Scratch, program: &Path, record: &Path) -> Command {
    let libraries = scratch.path("runtime");
    let mut command = Command::new("timeout");
    command
        .args(["-s", "KILL", "60"])
        .arg("env")
        .arg(format!("LD_LIBRARY_PATH={}", libraries.display()))
        .arg(format!("LD_PRELOAD={}", agent().display()))
        .arg(format!("OMPHALOS_PROFILE_OUT={}", record.display()))
        .env_remove("OMP_NUM_THREADS")
        .env_remove("OMP_TOOL")
        .env_remove("OMP_TOOL_LIBRARIES")
        // The runtime's tool for races would take the agent's place where that fails.
        .env("OMPHALOS_PROFILE_HZ", "1000");
    command.arg(program);
    command
}

/// Runs a command that must succeed, and returns its standard output.
pub fn run(command: &mut Command) -> String {
    let output = command.output().expect("a command that starts");
    check(&output);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn check(output: &Output) {
    assert!(
        output.status.success(),
        "{}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Returns the `NAME VALUE` lines of a program's output.
pub fn figures(output: &str) -> HashMap<String, f64> {
    output
        .lines()
        .filter_map(|line| {
            let (name, value) = line.split_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        })
        .collect()
}

/// Asserts that two figures differ by at most `part` of the second.
#[track_caller]
pub fn close(found: f64, truth: f64, part: f64, what: &str) {
    assert!((found - truth).abs() <= truth.abs() * part, "{what}: {found} instead of {truth}");
}

/// Asserts that the classes of a thread's total add up to its life.
#[track_caller]
pub fn classes_add_up(total: &ThreadTotal) {
    let sum = total.work
        + total.idle
        + total.barrier_wait
        + total.mutex_wait
        + total.task_wait
        + total.overhead
        + total.serial_work;
    assert!(sum.abs_diff(total.alive) <= 10, "{total:?}");
}
