//! Devices that the host plays (`OMPHALOS_DEVICES`), for programs of GCC's and LLVM's compilers.
//!
//! - `devices/{c,cpp,fortran}`: correct programs. With devices and without they write what they
//!   write on GCC's own runtime.
//! - `devices/errors`: programs that map wrongly. Their opening comment says what they write where
//!   all memory is the host's (`@host:`), and either what they write on a device (`@device:`) or
//!   with which words they end there (`@ends:`, with `.*` for any text).
//! - `devices/trace`: a tool that traces devices, and compares its buffers with its callbacks.
//! - `devices/llvm`: programs for LLVM's compilers alone.
//! - `devices/plugin`: the programs that test plugins of GCC's.
//! - `devices/mapping`: programs with errors that `omphalos check --mapping` finds.

#[path = "devices/faults.rs"]
mod faults;
#[path = "devices/llvm.rs"]
mod llvm;
#[path = "devices/mapping.rs"]
mod mapping;
#[path = "devices/plugins.rs"]
mod plugins;
#[path = "devices/trace/mod.rs"]
mod traces;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

/// Values of `OMPHALOS_DEVICES`; an empty one means the same as an unset variable.
const DEVICES: &[&str] = &["", "host", "host:2"];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for folder in ["c", "cpp", "fortran"] {
        for source in sources(folder) {
            let name = format!("devices::{folder}::{}", stem(&source));
            trials.extend(llvm::trials(&name, &source, llvm::right));
            trials.push(mapping::right(&format!("{name}::checked"), &source));
            trials.push(suite::test(name, move || right(&source)));
        }
    }
    for source in sources("mapping") {
        let name = format!("devices::mapping::{}", file_name(&source));
        trials.extend(mapping::wrong(&name, &source));
    }
    for source in sources("llvm") {
        let name = format!("devices::llvm::{}", stem(&source));
        trials.extend(llvm::trials(&name, &source, llvm::alone));
        trials.extend(mapping::right_for_llvm(&name, &source));
    }
    for source in sources("errors") {
        let name = format!("devices::errors::{}", stem(&source));
        trials.extend(llvm::trials(&name, &source, llvm::wrong));
        trials.push(suite::test(name, move || wrong(&source)));
    }
    trials.push(suite::test("devices::numbers", numbers));
    trials.push(suite::test("devices::limits", limits));
    trials.push(suite::test("devices::allocators", allocators));
    let folders = ["c", "cpp", "fortran"];
    trials.extend(plugins::trials(&folders.map(sources).concat()));
    trials.extend(faults::trials());
    trials.extend(traces::trials());
    suite::main(trials)
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let folder = paths::tests().join("devices").join(folder);
    let entries = fs::read_dir(&folder).map(|entries| entries.flatten().collect::<Vec<_>>());
    let mut sources: Vec<PathBuf> =
        entries.unwrap_or_default().into_iter().map(|entry| entry.path()).collect();
    sources.sort();
    sources
}

fn stem(source: &Path) -> String {
    source.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns the file's name with its ending: programs of several languages may share a stem.
fn file_name(source: &Path) -> String {
    source.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn compile(source: &Path) -> Result<PathBuf, String> {
    let compiler = Compiler::of_source(source).first().ok_or("no compiler for this ending")?;
    // Some compilers could make code for GPUs; these tests are for the host's devices alone.
    compiler.compile(source, &["-foffload=disable"])
}

fn run(program: &Path, runtime: &Runtime, variables: &[(&str, &str)]) -> Result<Outcome, String> {
    let mut command = Command::new(program);
    runtime.apply(&mut command);
    command.env_remove("OMPHALOS_DEVICES").env("OMP_NUM_THREADS", "4");
    command.envs(variables.iter().copied());
    exec::run(&mut command)
}

/// Tests that a program writes the same on the stock runtime and on ours, with devices and without.
fn right(source: &Path) -> Result<(), String> {
    let program = compile(source)?;
    let stock = run(&program, &Runtime::Stock, &[])?;
    if !stock.success() {
        return Err(format!("the test itself is wrong: {}", stock.describe()));
    }
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    for devices in DEVICES {
        let ours = run(&program, &Runtime::Omphalos, &[("OMPHALOS_DEVICES", devices)])?;
        if !ours.success() || ours.stdout != stock.stdout {
            let (ours, stock) = (ours.describe(), stock.stdout);
            return Err(format!("devices {devices:?}: {ours}\nthe stock runtime says: {stock}"));
        }
    }
    Ok(())
}

/// Finds the value of the line `// @word: value` in the opening comment.
fn directive<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix("// @")?.strip_prefix(word)?.strip_prefix(": "))
}

/// Tests a program that maps wrongly: on the host and on a device it does what its comment says.
fn wrong(source: &Path) -> Result<(), String> {
    let program = compile(source)?;
    let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
    let host = directive(&text, "host").ok_or("no line `@host:`")?;
    let stock = run(&program, &Runtime::Stock, &[])?;
    if stock.stdout.trim_end() != host {
        return Err(format!("the test itself is wrong: {}", stock.describe()));
    }
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    for devices in DEVICES {
        let ours = run(&program, &Runtime::Omphalos, &[("OMPHALOS_DEVICES", devices)])?;
        says(&text, devices, &ours)?;
    }
    Ok(())
}

/// Compares what a program did with what its opening comment says.
fn says(text: &str, devices: &str, ours: &Outcome) -> Result<(), String> {
    let host = directive(text, "host").unwrap_or_default();
    let good = match (directive(text, "device"), directive(text, "ends")) {
        _ if devices.is_empty() => ours.success() && ours.stdout.trim_end() == host,
        (Some(device), None) => ours.success() && ours.stdout.trim_end() == device,
        (None, Some(words)) => !ours.success() && holds(&ours.stderr, words),
        _ => return Err(String::from("one line, `@device:` or `@ends:`")),
    };
    if good { Ok(()) } else { Err(format!("devices {devices:?}: {}", ours.describe())) }
}

/// Whether the text contains the pieces between `.*` one after the other.
fn holds(text: &str, words: &str) -> bool {
    let mut rest = text;
    words.split(".*").all(|piece| match rest.split_once(piece) {
        Some((_, behind)) => {
            rest = behind;
            true
        }
        None => false,
    })
}

/// Variables, the program's output, and the runtime's message about the variables.
type Case = (&'static [(&'static str, &'static str)], &'static str, &'static str);

/// Tests the number of devices, the device that a region runs on, and the messages about bad
/// values.
fn numbers() -> Result<(), String> {
    let source = paths::tests().join("devices/numbers.c");
    let program = compile(&source)?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let cases: &[Case] = &[
        (&[], "devices 0, region on 0, host 1, threads 1, tasks 1, if 0", ""),
        (
            &[("OMPHALOS_DEVICES", "host")],
            "devices 1, region on 0, host 0, threads 0, tasks 0, if 1",
            "",
        ),
        (
            &[("OMPHALOS_DEVICES", "host:3"), ("OMP_DEFAULT_DEVICE", "2")],
            "devices 3, region on 2, host 0, threads 0, tasks 0, if 3",
            "",
        ),
        (
            &[("OMPHALOS_DEVICES", "host:2"), ("OMP_DEFAULT_DEVICE", "2")],
            "devices 2, region on 2, host 1, threads 1, tasks 1, if 2",
            "",
        ),
        (
            &[("OMPHALOS_DEVICES", "host:2"), ("OMP_TARGET_OFFLOAD", "disabled")],
            "devices 0, region on 0, host 1, threads 1, tasks 1, if 0",
            "",
        ),
        (
            &[("OMPHALOS_DEVICES", "gpu:2")],
            "devices 0, region on 0, host 1, threads 1, tasks 1, if 0",
            "OMPHALOS_DEVICES=\"gpu:2\" is ignored, the host is the only device; it should be",
        ),
        (
            &[
                ("OMPHALOS_DEVICES", "host"),
                ("OMP_TARGET_OFFLOAD", "mandatory"),
                ("OMP_DEFAULT_DEVICE", "5"),
            ],
            "",
            "OMP_TARGET_OFFLOAD is mandatory and there is no device 5",
        ),
    ];
    for (variables, says, complains) in cases {
        let ours = run(&program, &Runtime::Omphalos, variables)?;
        let quiet = complains.is_empty() == ours.stderr.is_empty();
        if ours.stdout.trim_end() != *says || !ours.stderr.contains(complains) || !quiet {
            return Err(format!("{variables:?}: {}", ours.describe()));
        }
    }
    Ok(())
}

/// Variables, a line for each device and the host, and the runtime's message about the variables.
type Limits = (&'static [(&'static str, &'static str)], [&'static str; 3], &'static str);

/// Tests memory of devices that comes from memory spaces and allocators.
fn allocators() -> Result<(), String> {
    let program = compile(&paths::tests().join("devices/allocators.c"))?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    for devices in DEVICES {
        let ours = run(&program, &Runtime::Omphalos, &[("OMPHALOS_DEVICES", devices)])?;
        if !ours.success() {
            return Err(format!("devices {devices:?}: {}", ours.describe()));
        }
    }
    Ok(())
}

/// Tests that variables for devices set the ICVs of each device, and leave the host's alone.
fn limits() -> Result<(), String> {
    let program = compile(&paths::tests().join("devices/limits.c"))?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    const LIKE_HOST: &str =
        "threads 4, dynamic 0, schedule 1 0, limit 2147483647, levels 1, teams 0 0";
    let cases: &[Limits] = &[
        (&[], [LIKE_HOST; 3], ""),
        (
            &[
                ("OMP_NUM_THREADS_DEV", "3"),
                ("OMP_NUM_THREADS_DEV_1", "2,5"),
                ("OMP_DYNAMIC_DEV_0", "true"),
                ("OMP_SCHEDULE_DEV", "dynamic,7"),
                ("OMP_THREAD_LIMIT_DEV_1", "6"),
                ("OMP_NUM_TEAMS_DEV_0", "8"),
                ("OMP_TEAMS_THREAD_LIMIT_DEV", "9"),
                ("OMP_MAX_ACTIVE_LEVELS_ALL", "1"),
            ],
            [
                "threads 3, dynamic 1, schedule 2 7, limit 2147483647, levels 1, teams 8 9",
                "threads 2, dynamic 0, schedule 2 7, limit 6, levels 1, teams 0 9",
                LIKE_HOST,
            ],
            "",
        ),
        (
            &[("OMP_NUM_THREADS_DEV_1", "none")],
            [LIKE_HOST; 3],
            "OMP_NUM_THREADS_DEV_1=\"none\" is ignored, using what else is set; it should be",
        ),
        (
            &[("OMP_NUM_THREADS_DEV_2", "3")],
            [LIKE_HOST; 3],
            "OMP_NUM_THREADS_DEV_2=\"3\" is ignored: there are the devices 0 to 1",
        ),
        (
            &[("OMP_STACKSIZE_DEV", "3")],
            [LIKE_HOST; 3],
            "OMP_STACKSIZE_DEV=\"3\" is ignored: devices have no OMP_STACKSIZE of their own",
        ),
    ];
    for (variables, says, complains) in cases {
        let variables = [&[("OMPHALOS_DEVICES", "host:2")], *variables].concat();
        let ours = run(&program, &Runtime::Omphalos, &variables)?;
        let says: String = says.iter().map(|line| format!("{line}\n")).collect();
        let set = "on the device 5 and 6, then 5 6 there and 0 0 here\n";
        let good = ours.stdout.strip_suffix(set) == Some(&says);
        let quiet = complains.is_empty() == ours.stderr.is_empty();
        if !good || !ours.stderr.contains(complains) || !quiet {
            return Err(format!("{variables:?}: {}\nit should say: {says}{set}", ours.describe()));
        }
    }
    Ok(())
}
