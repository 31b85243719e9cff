//! The tests of devices for programs of LLVM's compilers, which make code for the host as a device.
//! They link with a library of LLVM's name that leads to our devices.
//!
//! A compiler is left out if its tools for devices are missing (Debian has them in another package:
//! `clang-tools-NN`).

use super::{DEVICES, Path, PathBuf, Runtime, says, suite};
use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::paths;
use std::fs;
use std::process::Command;
use std::sync::Mutex;

/// Returns a test for each of LLVM's compilers of the source's language that can make code for
/// devices.
pub fn trials(
    name: &str,
    source: &Path,
    run: fn(&Path, Compiler) -> Result<(), String>,
) -> Vec<Trial> {
    let able = Compiler::matrix(source).into_iter().filter(|compiler| is_able(*compiler));
    let trial = |compiler: Compiler| {
        let source = source.to_owned();
        suite::test(format!("{name}::{}", compiler.name()), move || run(&source, compiler))
    };
    able.map(trial).collect()
}

/// Whether a compiler makes code for devices, and links it. Each answer is found once in a process.
fn is_able(compiler: Compiler) -> bool {
    static ANSWERS: Mutex<Vec<(&str, bool)>> = Mutex::new(Vec::new());
    if compiler.is_gnu() {
        return false;
    }
    let mut answers = ANSWERS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let name = compiler.name();
    if let Some(known) = answers.iter().find(|answer| answer.0 == name) {
        return known.1;
    }
    let able = links_for_devices(compiler);
    answers.push((name, able));
    able
}

fn links_for_devices(compiler: Compiler) -> bool {
    let tool = "-print-prog-name=clang-linker-wrapper";
    let said = Command::new(compiler.command()).arg(tool).output();
    said.is_ok_and(|said| Path::new(String::from_utf8_lossy(&said.stdout).trim()).is_file())
}

fn folder() -> PathBuf {
    paths::lib().join("omptarget")
}

pub fn compile(source: &Path, compiler: Compiler) -> Result<PathBuf, String> {
    compile_with(source, compiler, &[])
}

/// Compiles a program for devices, with more flags.
pub fn compile_with(source: &Path, compiler: Compiler, more: &[&str]) -> Result<PathBuf, String> {
    // The program links with LLVM's library or with ours, since both have the same name.
    let folder = format!("-L{}", folder().display());
    let flags = ["-fopenmp-targets=x86_64-pc-linux-gnu", &folder];
    compiler.compile(source, &[&flags[..], more].concat())
}

/// Returns the command that runs the program on our devices.
pub fn command(program: &Path, devices: &str) -> Command {
    let mut command = Command::new(program);
    Runtime::Omphalos.apply(&mut command);
    let path = format!("{}:{}", folder().display(), paths::lib().display());
    command.env("LD_LIBRARY_PATH", path);
    command.env("OMPHALOS_DEVICES", devices).env("OMP_NUM_THREADS", "4");
    command
}

fn run(program: &Path, devices: &str) -> Result<Outcome, String> {
    exec::run(&mut command(program, devices))
}

/// Tests that a program writes what it writes when GCC compiles it, on GCC's own runtime.
pub fn right(source: &Path, compiler: Compiler) -> Result<(), String> {
    let program = compile(source, compiler)?;
    let stock = super::run(&super::compile(source)?, &Runtime::Stock, &[])?;
    same(&program, &stock.stdout)
}

/// Tests that a program writes everywhere what its opening comment says (`@says:`).
pub fn alone(source: &Path, compiler: Compiler) -> Result<(), String> {
    let program = compile(source, compiler)?;
    let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("// @says: "));
    same(&program, &lines.map(|line| format!("{line}\n")).collect::<String>())
}

fn same(program: &Path, expected: &str) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    for devices in DEVICES {
        let ours = run(program, devices)?;
        if !ours.success() || ours.stdout != expected {
            let ours = ours.describe();
            return Err(format!("devices {devices:?}: {ours}\nit should say: {expected}"));
        }
    }
    Ok(())
}

/// Tests a program that maps wrongly: on the host and on a device it does what its comment says.
pub fn wrong(source: &Path, compiler: Compiler) -> Result<(), String> {
    let program = compile(source, compiler)?;
    let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    for devices in DEVICES {
        let ours = run(&program, devices)?;
        match super::directive(&text, "warns") {
            // LLVM's programs go on after an update of a list item that is only partly on the
            // device.
            Some(words) if !devices.is_empty() && ours.success() => {
                if !super::holds(&ours.stderr, words) {
                    return Err(format!("devices {devices:?}: {}", ours.describe()));
                }
            }
            _ => says(&text, devices, &ours)?,
        }
    }
    Ok(())
}
