//! Devices that the host plays (`OMPHALOS_DEVICES`), for programs of GCC's compilers.
//!
//! Programs in `devices/{c,cpp,fortran}` are right: with devices and without they write what they
//! write
//! on their compiler's own runtime. Those in `devices/errors` map wrongly: their opening comment
//! says
//! what they write where all memory is the host's (`@host:`), and what on a device (`@device:`), or
//! with
//! which words they end there (`@ends:`, `.*` for any). In `devices/trace` is a tool that traces
//! devices, and holds what it finds in its buffers against its callbacks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

/// Values of `OMPHALOS_DEVICES`; nothing is as good as unset.
const DEVICES: &[&str] = &["", "host", "host:2"];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for folder in ["c", "cpp", "fortran"] {
        for source in sources(folder) {
            let name = format!("devices::{folder}::{}", stem(&source));
            trials.push(suite::test(name, move || right(&source)));
        }
    }
    for source in sources("errors") {
        let name = format!("devices::errors::{}", stem(&source));
        trials.push(suite::test(name, move || wrong(&source)));
    }
    trials.push(suite::test("devices::numbers", numbers));
    for case in TRACES {
        trials.push(suite::test(format!("devices::trace::{}", case.name), || traced(case)));
    }
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

fn compile(source: &Path) -> Result<PathBuf, String> {
    let compiler = Compiler::of_source(source).first().ok_or("no compiler for this ending")?;
    // Code for GPUs, where the compiler could make some, is not what is tested.
    compiler.compile(source, &["-foffload=disable"])
}

fn run(program: &Path, runtime: &Runtime, variables: &[(&str, &str)]) -> Result<Outcome, String> {
    let mut command = Command::new(program);
    runtime.apply(&mut command);
    command.env_remove("OMPHALOS_DEVICES").env("OMP_NUM_THREADS", "4");
    command.envs(variables.iter().copied());
    exec::run(&mut command)
}

/// The same everywhere.
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

/// The value of a line of the opening comment.
fn directive<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix("// @")?.strip_prefix(word)?.strip_prefix(": "))
}

/// One thing on the host, another on a device.
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
        let good = match (directive(&text, "device"), directive(&text, "ends")) {
            _ if devices.is_empty() => ours.success() && ours.stdout.trim_end() == host,
            (Some(device), None) => ours.success() && ours.stdout.trim_end() == device,
            (None, Some(words)) => !ours.success() && holds(&ours.stderr, words),
            _ => return Err(String::from("one line, `@device:` or `@ends:`")),
        };
        if !good {
            return Err(format!("devices {devices:?}: {}", ours.describe()));
        }
    }
    Ok(())
}

/// Whether the pieces between `.*` stand in the text one behind the other.
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

/// Variables, what the program says, what is said of the variables.
type Case = (&'static [(&'static str, &'static str)], &'static str, &'static str);

/// How many there are, which one a region runs on, and what is said of values that are no good.
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

/// A tool that traces the devices of a program.
struct Traced {
    name: &'static str,
    /// What the tool shall do (`tracer.c` says how).
    tool: &'static str,
    /// What a second one does beside it; nothing: there is none.
    second: &'static str,
    /// The program and its arguments.
    program: &'static [&'static str],
    /// What the tool writes.
    says: &'static str,
}

const fn traced_as(
    name: &'static str,
    tool: &'static str,
    program: &'static [&'static str],
    says: &'static str,
) -> Traced {
    Traced { name, tool, second: "", program, says }
}

const ALL: &str = "tracer: records, none lost";
const NONE: &str = "tracer: no records, some lost";
const SOME: &str = "tracer: records, some lost";

const TRACES: &[Traced] = &[
    traced_as("emi", "", &["work", "8"], ALL),
    traced_as("older", "old", &["work", "8"], ALL),
    traced_as("all_events", "all", &["work", "8"], ALL),
    traced_as("all_events_older", "old all", &["work", "8"], ALL),
    traced_as("threads", "bytes=200", &["work", "100", "8"], ALL),
    traced_as("long_lists", "bytes=150", &["work", "20"], ALL),
    traced_as("one_record", "bytes=104", &["empty", "2000"], ALL),
    traced_as("one_record_no_lists", "bytes=104", &["work", "8"], SOME),
    traced_as("large_buffers", "bytes=1048576", &["work", "100", "4"], ALL),
    traced_as("no_buffer", "none=1", &["work", "20"], NONE),
    traced_as("no_buffer_later", "none=3 bytes=500", &["work", "20"], SOME),
    traced_as("no_buffer_for_a_while", "none=1 again=10", &["empty", "100"], SOME),
    traced_as("too_small", "bytes=100", &["work", "8"], NONE),
    traced_as("stops_while_it_reads", "stop=2 bytes=500", &["work", "20"], "stopped, none lost"),
    traced_as("flushes_in_callbacks", "flush=3 bytes=500", &["work", "50", "4"], ALL),
    traced_as("slow", "slow=2000 bytes=500", &["work", "8", "4"], ALL),
    traced_as("pauses", "pause=20,60", &["work", "20"], ALL),
    traced_as("a_million", "silent bytes=1048576", &["empty", "333400"], ALL),
    Traced {
        name: "two_tools",
        tool: "bytes=1000",
        second: "name=second old all bytes=104",
        program: &["empty", "500"],
        says: "second: records, none lost",
    },
    Traced {
        name: "a_bad_neighbour",
        tool: "flush=1",
        second: "name=second none=1",
        program: &["work", "20", "4"],
        says: ALL,
    },
];

/// What the tool finds in its buffers is what it was told in callbacks.
fn traced(case: &Traced) -> Result<(), String> {
    let folder = paths::tests().join("devices/trace");
    let [name, arguments @ ..] = case.program else { return Err("no program".into()) };
    let program = compile(&folder.join(format!("{name}.c")))?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let mut command = Command::new(program);
    command.args(arguments).env("OMPHALOS_DEVICES", "host:2").env("TRACER", case.tool);
    Runtime::Omphalos.apply(&mut command);
    command.env("OMP_TOOL_LIBRARIES", tool(&[])?);
    if !case.second.is_empty() {
        command.env("OMPHALOS_TOOL_LIBRARIES", tool(&["-DVARIABLE=\"SECOND\""])?);
        command.env("SECOND", case.second);
    }
    let ours = exec::run(&mut command)?;
    let lost = case.says.contains("some") || case.second.contains("none");
    let told = ours.stderr.contains("records of the trace of device") == lost;
    match ours.success() && ours.stdout.contains(case.says) && told {
        true => Ok(()),
        false => Err(ours.describe()),
    }
}

fn tool(flags: &[&str]) -> Result<PathBuf, String> {
    let headers = format!("-I{}", paths::repository().join("crates/abi/include").display());
    let start = format!("-I{}", paths::tests().join("tools").display());
    let mut all = vec!["-O1", "-g", "-shared", "-fPIC", "-pthread", &headers, &start];
    all.extend_from_slice(flags);
    Compiler::Gcc.compile_with(&paths::tests().join("devices/trace/tracer.c"), &all)
}
