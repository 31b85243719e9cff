//! Compiles the programs, runs them and judges their output.

use super::{Generation, Row, sources};
use crate::run::{Compiler, Outcome, Verdict, build, clean, finish};
use crate::runtime::Runtime;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The time that a program may take.
const LIMIT: Duration = Duration::from_secs(60);

/// The compiler flags of all programs. A call at the very end of a function must leave the
/// function's frame. OMPT's functions of 2013 are the runtime's: if a runtime lacks one, only a
/// program that calls it must fail.
const FLAGS: &[&str] = &[
    "-fno-optimize-sibling-calls",
    "-Wl,--unresolved-symbols=ignore-all,-z,lazy",
    "-ldl",
    "-pthread",
    "-latomic",
];

/// The parameters of all rows.
pub struct Setup<'a> {
    /// The interface.
    pub generation: Generation,
    /// The folder of the headers.
    pub headers: &'a Path,
    /// The runtimes.
    pub runtimes: &'a [Runtime],
    /// The compilers.
    pub compilers: &'a [Compiler],
}

/// The results of the rows.
pub struct Held {
    /// The cells of all runtimes that have the interface.
    pub outcomes: Vec<Outcome>,
    /// The other runtimes: the index of each, and a line that says that it lacks the interface.
    pub without: Vec<(usize, String)>,
}

/// Runs rows on all runtimes with all compilers. Calls `tell` with each row as it begins.
pub fn hold(setup: &Setup<'_>, rows: &[&Row], mut tell: impl FnMut(&Row)) -> Result<Held, String> {
    let scratch = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    sources::write(scratch.path())?;
    let mut folders = Vec::new();
    for (at, runtime) in setup.runtimes.iter().enumerate() {
        let folder = scratch.path().join(format!("runtime{at}"));
        std::fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        runtime.link(&folder)?;
        folders.push(folder);
    }
    let mut bench = Bench { setup, scratch: scratch.path(), made: HashMap::new() };
    let mut held = Held { outcomes: Vec::new(), without: Vec::new() };
    for (at, folder) in folders.iter().enumerate() {
        if !bench.meets(folder)? {
            let (runtime, generation) = (&setup.runtimes[at].name, setup.generation);
            let line = format!("{runtime} lacks {}: {}", generation.title(), generation.apart());
            held.without.push((at, line));
        }
    }
    let with = |at: &usize| held.without.iter().all(|(without, _)| without != at);
    let with: Vec<usize> = (0..folders.len()).filter(with).collect();
    for row in rows {
        tell(row);
        for compiler in 0..setup.compilers.len() {
            for &runtime in &with {
                let verdict = bench.judge(row, &setup.compilers[compiler].0, &folders[runtime]);
                held.outcomes.push(Outcome { row: row.name, runtime, compiler, verdict });
            }
        }
    }
    Ok(held)
}

/// The programs, each compiled once, and their folders.
struct Bench<'a> {
    setup: &'a Setup<'a>,
    scratch: &'a Path,
    /// The programs; the key is the program's name, the compiler and the flags.
    made: HashMap<Vec<String>, Result<PathBuf, String>>,
}

impl Bench<'_> {
    /// Whether a tool of the generation and the runtime find each other, with any compiler.
    fn meets(&mut self, runtime: &Path) -> Result<bool, String> {
        let source = self.scratch.join("programs/meeting.c");
        std::fs::write(&source, self.setup.generation.meeting())
            .map_err(|error| format!("{}: {error}", source.display()))?;
        for compiler in self.setup.compilers {
            let program = self.program("meeting", &[], &compiler.0)?;
            let mut command = self.command(&program, runtime);
            let said = finish(&mut command, LIMIT, &self.scratch.join("said"));
            if said.is_ok_and(|said| said == "here\n") {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn judge(&mut self, row: &Row, compiler: &str, runtime: &Path) -> Verdict {
        let program = match self.program(row.program, &row.flags, compiler) {
            Ok(program) => program,
            Err(why) => return Verdict::NoProgram(why),
        };
        let mut command = self.command(&program, runtime);
        command.args((!row.check.is_empty()).then_some(row.check));
        command.envs(row.variables.iter().copied());
        let said = match finish(&mut command, LIMIT, &self.scratch.join("said")) {
            Ok(said) => said,
            Err(fault) => return Verdict::Fault(fault),
        };
        if let Some(wrong) = said.lines().find(|line| line.starts_with("WRONG")) {
            return Verdict::Fault(wrong.to_owned());
        }
        match &row.prints {
            Some(wanted) if *wanted != said => Verdict::Fault(differs(wanted, &said)),
            _ => Verdict::Ok,
        }
    }

    /// Returns a program, and compiles it at the first call.
    fn program(
        &mut self,
        program: &str,
        flags: &[&str],
        compiler: &str,
    ) -> Result<PathBuf, String> {
        let of: Vec<String> =
            [program, compiler].iter().chain(flags).map(|&it| it.into()).collect();
        let output = self.scratch.join(format!("program{}", self.made.len()));
        let make = || {
            let source = self.scratch.join("programs").join(format!("{program}.c"));
            let headers = format!("-I{}", self.setup.headers.display());
            let mut all = vec![headers.as_str()];
            all.extend(FLAGS.iter().chain(self.setup.generation.flags()).chain(flags));
            build(compiler, &source, &output, &all).map(|()| output.clone())
        };
        self.made.entry(of).or_insert_with(make).clone()
    }

    /// Returns the command that starts the program on a runtime.
    fn command(&self, program: &Path, runtime: &Path) -> Command {
        let mut command = Command::new(program);
        clean(&mut command);
        command.env("LD_LIBRARY_PATH", runtime);
        command
    }
}

/// Returns the first line that differs.
fn differs(wanted: &str, said: &str) -> String {
    let mut wanted = wanted.lines();
    match said.lines().find(|&line| wanted.next() != Some(line)) {
        Some(line) => line.to_owned(),
        None => format!("it does not say `{}`", wanted.next().unwrap_or_default()),
    }
}
