//! Compiles a row's program, runs it with the recorder and judges the recorded events.

use crate::rows::Row;
use crate::runtime::Runtime;
use crate::stream::Stream;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time that a program may take.
const LIMIT: Duration = Duration::from_secs(20);

/// A compiler of the rows' programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler(pub String);

impl Compiler {
    /// Whether the compiler can be started.
    pub fn is_there(&self) -> bool {
        let mut command = Command::new(&self.0);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// Compiles and links a small OpenMP program. The error is the reason why that fails, in one
    /// line. (A clang may lack omp.h, or the library to link with.)
    pub fn try_openmp(&self) -> Result<(), String> {
        let scratch =
            tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let (source, program) = (scratch.path().join("try.c"), scratch.path().join("try"));
        let text = "#include <omp.h>\nint main(void)\n{\n    int n = 0;\n#pragma omp parallel \
                    reduction(+ : n)\n    n += omp_get_thread_num();\n    return n;\n}\n";
        std::fs::write(&source, text).map_err(|error| error.to_string())?;
        build(&self.0, &source, &program, &[])
    }
}

/// The parameters of all rows.
pub struct Setup<'a> {
    /// The recorder's library.
    pub recorder: &'a Path,
    /// The runtimes.
    pub runtimes: &'a [Runtime],
    /// The compilers.
    pub compilers: &'a [Compiler],
}

/// The result of a row on one runtime, with one compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The events are those that the specification demands.
    Ok,
    /// The events are others: the text says which came.
    Fault(String),
    /// The runtime itself answers that it never reports the event.
    Never(String),
    /// The compiler does not know the construct, or compiles it without calling a runtime.
    NoProgram(String),
}

/// One cell of the table.
pub struct Outcome {
    /// The row's name.
    pub row: &'static str,
    /// Index of the runtime.
    pub runtime: usize,
    /// Index of the compiler.
    pub compiler: usize,
    /// The result.
    pub verdict: Verdict,
}

/// Runs rows on all runtimes with all compilers. Calls `tell` with each row as it begins.
pub fn run(
    setup: &Setup<'_>,
    rows: &[&Row],
    mut tell: impl FnMut(&Row),
) -> Result<Vec<Outcome>, String> {
    let scratch = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let folders: Vec<PathBuf> =
        (0..setup.runtimes.len()).map(|at| scratch.path().join(format!("runtime{at}"))).collect();
    for (runtime, folder) in setup.runtimes.iter().zip(&folders) {
        std::fs::create_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        runtime.link(folder)?;
    }
    let mut outcomes = Vec::new();
    for row in rows {
        tell(row);
        for (compiler, name) in setup.compilers.iter().enumerate() {
            let program = compile(row, &name.0, scratch.path());
            for (runtime, folder) in folders.iter().enumerate() {
                let verdict = match &program {
                    Ok(program) => {
                        judge(row, &name.0, program, folder, setup.recorder, scratch.path())
                    }
                    Err(why) => Verdict::NoProgram(why.clone()),
                };
                outcomes.push(Outcome { row: row.name, runtime, compiler, verdict });
            }
        }
    }
    Ok(outcomes)
}

/// Compiles a row's program.
pub(crate) fn compile(row: &Row, compiler: &str, scratch: &Path) -> Result<PathBuf, String> {
    let source = scratch.join(format!("{}.c", row.name));
    let program = scratch.join(row.name);
    std::fs::write(&source, row.source()).map_err(|error| error.to_string())?;
    build(compiler, &source, &program, &[]).map(|()| program)
}

/// Compiles and links. The error is the reason why that fails, in one line.
pub(crate) fn build(
    compiler: &str,
    source: &Path,
    program: &Path,
    flags: &[&str],
) -> Result<(), String> {
    let output = Command::new(compiler)
        .args(["-O1", "-g", "-fopenmp", "-rdynamic", "-w", "-o"])
        .args([program, source])
        .args(flags)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{compiler}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_reason =
        |line: &&str| line.to_ascii_lowercase().contains("error") || line.contains("cannot find");
    let line = said.lines().find(is_reason);
    Err(line.unwrap_or("does not compile").to_owned())
}

fn judge(
    row: &Row,
    compiler: &str,
    program: &Path,
    runtime: &Path,
    recorder: &Path,
    scratch: &Path,
) -> Verdict {
    let record = scratch.join("record");
    let _ = std::fs::remove_file(&record);
    let mut command = Command::new(program);
    clean(&mut command);
    command
        .env("LD_LIBRARY_PATH", runtime)
        .env("OMPHALOS_RECORD_OUT", &record)
        .env("OMP_NUM_THREADS", "2")
        .env("OMP_CANCELLATION", "true")
        .env("OMP_MAX_ACTIVE_LEVELS", "2");
    if !row.has_tool() {
        command.env("OMP_TOOL_LIBRARIES", recorder);
    }
    if let Err(fault) = finish(&mut command, LIMIT, &scratch.join("said")) {
        return Verdict::Fault(fault);
    }
    let fault = |what: String| {
        if row.inlined.iter().any(|word| compiler.contains(word)) {
            Verdict::NoProgram(format!("{compiler} makes it without the runtime: {what}"))
        } else {
            Verdict::Fault(what)
        }
    };
    let Ok(text) = std::fs::read_to_string(&record) else {
        return fault("the runtime loads no tool".into());
    };
    let stream = Stream::parse(&text);
    let refused = row.events.iter().find(|event| {
        let answer = stream.answers.get(**event).map_or("Never", String::as_str);
        matches!(answer, "Never" | "Error" | "Impossible")
    });
    if let Some(event) = refused {
        return Verdict::Never((*event).to_owned());
    }
    match (row.check)(&stream) {
        Ok(()) => Verdict::Ok,
        Err(what) => fault(what),
    }
}

/// Removes from the environment the variables that OpenMP runtimes read.
pub(crate) fn clean(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let read = ["OMP_", "KMP_", "GOMP_", "OMPT_", "OMPHALOS_", "LD_PRELOAD"];
        if read.iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
}

/// Runs the command to its end within the limit. Its output, both kinds, goes to the file `said`.
/// The exit status must be 0.
pub(crate) fn finish(
    command: &mut Command,
    limit: Duration,
    said: &Path,
) -> Result<String, String> {
    let told = |error: std::io::Error| format!("{}: {error}", said.display());
    let file = File::create(said).map_err(told)?;
    command.stdin(Stdio::null()).stdout(file.try_clone().map_err(told)?).stderr(file);
    let mut child = command.spawn().map_err(|error| format!("cannot be started: {error}"))?;
    let begin = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begin.elapsed() > limit => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("did not end within {} s", limit.as_secs()));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(error) => return Err(error.to_string()),
        }
    };
    let said = String::from_utf8_lossy(&std::fs::read(said).map_err(told)?).into_owned();
    if status.success() {
        return Ok(said);
    }
    Err(format!("{status}: {}", said.lines().next().unwrap_or("nothing said")))
}
