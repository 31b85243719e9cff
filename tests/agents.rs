//! `omphalos mcp` answers a client as the protocol demands, with answers of bounded length; and
//! JSON output conforms to its schema in docs.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::truth::schema;
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

/// The most characters of a run's digest for an agent: fewer than 1000 tokens of about four
/// characters.
const DIGEST: usize = 4_000;
/// The time that a program, or a client with all its questions, may take on a busy machine.
const LIMIT: Duration = Duration::from_secs(150);

fn main() -> ExitCode {
    if suite::stock_only() {
        return ExitCode::SUCCESS;
    }
    suite::main(vec![
        suite::test("agents::a_client_gets_answers", a_client_gets_answers),
        suite::test("agents::the_official_client_gets_answers", the_official_client),
        suite::test("agents::digests_are_short_and_as_described", digests),
        suite::test("agents::what_conform_writes_is_as_described", of_conform),
        suite::test("agents::what_doctor_finds_is_as_described", of_doctor),
    ])
}

/// A program that is killed when the test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program that hangs, and waits until the program says that it is ready.
fn hung(program: &Path) -> Result<Running, String> {
    let mut command = Command::new(paths::omphalos());
    command.arg("run").arg(program).stdout(Stdio::piped());
    let mut child = Running(command.spawn().map_err(|error| error.to_string())?);
    let mut line = String::new();
    let output = child.0.stdout.take().ok_or("no output")?;
    BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
    std::thread::sleep(Duration::from_secs(1));
    Ok(child)
}

/// Builds and profiles a program; returns the profile's path.
fn profiled(source: &Path, folder: &Path) -> Result<PathBuf, String> {
    let program = Compiler::Gcc.compile(source, &["-O2", "-g"])?;
    let name = source.file_stem().unwrap_or_default();
    let profile = folder.join(name).with_extension("omph");
    let mut command = Command::new(paths::omphalos());
    command.args(["profile", "--no-report", "--output"]).arg(&profile).arg(program);
    let outcome = exec::run_within(command.env("OMP_NUM_THREADS", "2"), LIMIT)?;
    if outcome.success() { Ok(profile) } else { Err(outcome.describe()) }
}

fn example(name: &str) -> PathBuf {
    paths::repository().join("examples/c").join(name).with_extension("c")
}

/// Builds and profiles a program with more regions than an answer has room for.
fn large(folder: &Path) -> Result<PathBuf, String> {
    let mut text = String::from("static volatile int n;\n");
    for number in 0..300 {
        let body = "\n#pragma omp parallel num_threads(2)\n for (int i = 0; i < 100; i++) n = i;\n";
        text += &format!("static void region_{number}(void) {{{body}}}\n");
    }
    text += "int main(void) {\n";
    (0..300).for_each(|number| text += &format!(" region_{number}();\n"));
    let source = folder.join("large.c");
    std::fs::write(&source, text + " return 0;\n}\n").map_err(|error| error.to_string())?;
    profiled(&source, folder)
}

fn python(script: &str, interpreter: &str, arguments: &[&Path]) -> Result<(), String> {
    let mut command = Command::new(interpreter);
    command.arg(paths::tests().join("agents").join(script)).arg(paths::omphalos());
    let outcome = exec::run_within(command.args(arguments), LIMIT)?;
    if outcome.success() { Ok(()) } else { Err(outcome.describe()) }
}

fn a_client_gets_answers() -> Result<(), String> {
    let folder = paths::scratch("agents");
    let profile = profiled(&example("imbalance"), &folder)?;
    let other = profiled(&example("healthy"), &folder)?;
    let big = large(&folder)?;
    let hangs = paths::tests().join("hangs/mutex_and_lock.c");
    let running = hung(&Compiler::Gcc.compile(&hangs, &[])?)?;
    let pid = running.0.id().to_string();
    python("client.py", "python3", &[&profile, &other, Path::new(&pid), &big])
}

/// Tests with the protocol's own client, in the Python that `OMPHALOS_TEST_MCP` names: it needs
/// the package `mcp`, and without it the test does nothing.
fn the_official_client() -> Result<(), String> {
    let interpreter = std::env::var("OMPHALOS_TEST_MCP").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&interpreter).args(["-c", "import mcp"]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        eprintln!("{interpreter} has no package mcp: the protocol's own client is not tried");
        return Ok(());
    }
    let profile = profiled(&example("imbalance"), &paths::scratch("agents-official"))?;
    python("official.py", &interpreter, &[&profile])
}

fn json(command: &mut Command) -> Result<Value, String> {
    let outcome = exec::run(command)?;
    let read = serde_json::from_str(&outcome.stdout);
    read.map_err(|error| format!("{error}: {}", outcome.describe()))
}

fn as_described(name: &str, value: &Value) -> Result<(), String> {
    let faults = schema::faults_of(name, value);
    if faults.is_empty() { Ok(()) } else { Err(format!("{faults:#?} in {value:#}")) }
}

fn digests() -> Result<(), String> {
    let folder = paths::scratch("agents-digests");
    let names = ["imbalance", "hot_critical", "slow_stage", "tiny_loops", "serial_time"];
    let mut profiles: Vec<PathBuf> =
        names.iter().map(|name| profiled(&example(name), &folder)).collect::<Result<_, _>>()?;
    profiles.push(large(&folder)?);
    for profile in profiles {
        let value =
            json(Command::new(paths::omphalos()).args(["report", "--digest"]).arg(&profile))?;
        as_described("digest", &value)?;
        let length = value.to_string().chars().count();
        if length > DIGEST {
            return Err(format!("{}: {length} characters: {value:#}", profile.display()));
        }
    }
    Ok(())
}

fn of_doctor() -> Result<(), String> {
    let outcome =
        exec::run_within(Command::new(paths::omphalos()).args(["doctor", "--json"]), LIMIT)?;
    let found: Value = serde_json::from_str(&outcome.stdout)
        .map_err(|error| format!("{error}: {}", outcome.describe()))?;
    let faults = schema::faults_of("doctor", &found);
    if faults.is_empty() { Ok(()) } else { Err(format!("{faults:#?} in {found:#}")) }
}

fn of_conform() -> Result<(), String> {
    let mut command = Command::new(paths::omphalos());
    command.args(["conform", "--debug", "--json", "--cc", "gcc", "debug-"]);
    as_described("conform", &json(&mut command)?)
}
