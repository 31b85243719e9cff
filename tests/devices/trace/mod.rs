//! Tools that trace devices.

use super::compile;
use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::paths;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::suite;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn trials() -> Vec<Trial> {
    let named = |name: &str| format!("devices::trace::{name}");
    let mut trials = Vec::new();
    for case in TRACES {
        trials.push(suite::test(named(case.name), || traced(case)));
    }
    for (name, tool, second, threads) in COUNTS {
        let name = named(&format!("counts::{name}"));
        trials.push(suite::test(name, move || counted(tool, second, threads)));
    }
    for (name, mode, says) in REGIONS {
        let name = named(&format!("regions::{name}"));
        trials.push(suite::test(name, move || of_regions(mode, says)));
    }
    let work = paths::tests().join("devices/trace/work.c");
    trials.extend(super::llvm::trials(&named("llvm"), &work, of_llvm));
    for (name, flag) in [("of_2016_data", "-DOMPT_2016_DATA"), ("of_2016_ids", "-DOMPT_2016_IDS")] {
        trials.push(suite::test(named(name), move || traced_in_2016(flag)));
    }
    trials
}

/// A tool that traces the devices of a program.
struct Traced {
    name: &'static str,
    /// The words that say what the tool does (see `tracer/tracer.c`).
    tool: &'static str,
    /// The words for a second tool beside it; empty: there is none.
    second: &'static str,
    /// The program and its arguments.
    program: &'static [&'static str],
    /// The text that the tool writes.
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

/// Tests that the records in a tool's buffers agree with its callbacks.
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
    command.env("OMP_TOOL_LIBRARIES", tool("tracer", &[])?);
    if !case.second.is_empty() {
        command.env("OMPHALOS_TOOL_LIBRARIES", tool("tracer", &["-DVARIABLE=\"SECOND\""])?);
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

/// A name, the words for the tool (see `counter.c`), those for a second tool beside it, and the
/// number of threads that trace a million records.
const COUNTS: [(&str, &str, &str, &str); 14] = [
    ("one_record", "bytes=104", "", "4"),
    ("three_records", "bytes=312", "", "1"),
    ("4_kib", "bytes=4096", "", "4"),
    ("1_mib", "bytes=1048576", "", "4"),
    ("slow", "bytes=1048576 slow=20000", "", "4"),
    ("no_buffer_later", "bytes=4096 none=100", "", "4"),
    ("no_buffer_for_a_while", "bytes=104 none=20 again=200000", "", "4"),
    ("stops", "bytes=312 stop=100000", "", "1"),
    ("stops_for_a_while", "bytes=104 stop=100000 start=200000", "", "4"),
    ("stops_while_it_reads", "bytes=1048576 stop-inside=10", "", "4"),
    ("starts_anew", "bytes=4096 stop-inside=10 start=200000", "", "4"),
    ("two_tools", "bytes=104", "bytes=1048576", "4"),
    ("one_stops_one_is_slow", "bytes=4096 stop-inside=5", "bytes=1048576 slow=20000", "4"),
    ("one_gives_none", "bytes=4096 none=5", "bytes=312", "4"),
];

/// Tests that each of a million records arrives, or is among those that the runtime reports as
/// lost.
fn counted(words: &str, second: &str, threads: &str) -> Result<(), String> {
    let program = compile(&paths::tests().join("devices/trace/empty.c"))?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let mut command = Command::new(program);
    command.args(["333334", threads]).env("OMPHALOS_DEVICES", "host:2").env("COUNTER", words);
    Runtime::Omphalos.apply(&mut command);
    command.env("OMP_TOOL_LIBRARIES", tool("counter.c", &[])?);
    if !second.is_empty() {
        command.env("OMPHALOS_TOOL_LIBRARIES", tool("counter.c", &["-DVARIABLE=\"SECOND\""])?);
        command.env("SECOND", format!("name=second {second}"));
    }
    let ours = exec::run(&mut command)?;
    let right = ours.stdout.lines().filter(|line| line.ends_with(", right")).count();
    let tools = 1 + usize::from(!second.is_empty());
    let told = ours.stderr.contains("records of the trace of device") == words.contains("none");
    if ours.success() && right == tools && told { Ok(()) } else { Err(ours.describe()) }
}

/// The way that a tool learns of the events inside regions, and its output.
const REGIONS: [(&str, &str, &str); 3] = [
    ("both", "", "regions: some events, some records"),
    ("callbacks", "callbacks-only", "regions: some events, no records"),
    ("records", "records-only", "regions: no events, some records"),
];

/// Tests that records of events inside regions on devices agree with the callbacks.
fn of_regions(mode: &str, says: &str) -> Result<(), String> {
    let program = compile(&paths::tests().join("devices/trace/regions.c"))?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let mut command = Command::new(program);
    command.env("OMPHALOS_DEVICES", "host:2").env("REGIONS", mode);
    Runtime::Omphalos.apply(&mut command);
    command.env("OMP_TOOL_LIBRARIES", tool("regions_tool.c", &[])?);
    let ours = exec::run(&mut command)?;
    let good = ours.success() && ours.stdout.contains(says) && ours.stdout.contains("right");
    if good { Ok(()) } else { Err(ours.describe()) }
}

/// Tests the same with a program of LLVM's compilers, which brings its code as an image.
fn of_llvm(source: &Path, compiler: Compiler) -> Result<(), String> {
    let program = super::llvm::compile(source, compiler)?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let tool = tool("tracer", &[])?;
    let mut command = super::llvm::command(&program, "host:2");
    command.args(["8", "4"]).env("OMP_TOOL_LIBRARIES", tool).env("TRACER", "llvm");
    let ours = exec::run(&mut command)?;
    if ours.success() && ours.stdout.contains(ALL) { Ok(()) } else { Err(ours.describe()) }
}

/// Tests a trace with the functions and the layout of 2016.
fn traced_in_2016(variant: &str) -> Result<(), String> {
    let program = compile(&paths::tests().join("devices/trace/work.c"))?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let mut command = Command::new(program);
    command.args(["8", "2"]).env("OMPHALOS_DEVICES", "host:2");
    Runtime::Omphalos.apply(&mut command);
    command.env("OMP_TOOL_LIBRARIES", tool("tracer_2016.c", &[variant])?);
    let ours = exec::run(&mut command)?;
    let good = ours.success() && ours.stdout.contains("2016: records") && ours.stderr.is_empty();
    if good { Ok(()) } else { Err(ours.describe()) }
}

/// Compiles a tool of ours: a file, or all of a folder.
fn tool(name: &str, flags: &[&str]) -> Result<PathBuf, String> {
    let headers = format!("-I{}", paths::repository().join("runtime/abi/include").display());
    let start = format!("-I{}", paths::tests().join("tools").display());
    let mut all = vec!["-O1", "-g", "-shared", "-fPIC", "-pthread", &headers, &start];
    all.extend_from_slice(flags);
    let sources = paths::sources(&paths::tests().join("devices/trace").join(name));
    Compiler::Gcc.compile_all(name, &sources, &all)
}
