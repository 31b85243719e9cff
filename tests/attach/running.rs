//! A program that runs until it is told to end, and `omphalos attach` on it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::paths;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::truth::schema;
use serde_json::Value;

/// Each compiler with a runtime that its programs run on.
pub const ALL: [(Compiler, &str); 4] = [
    (Compiler::Gcc, "omphalos"),
    (Compiler::Gcc, "libgomp"),
    (Compiler::Clang, "omphalos"),
    (Compiler::Clang, "libomp"),
];

/// Returns a runtime by its name: ours, or the one that the compiler came with.
pub fn on(name: &str) -> Runtime {
    if name == "omphalos" { Runtime::Omphalos } else { Runtime::Stock }
}

/// Builds a program of `attach/`.
pub fn build(compiler: Compiler, name: &str, flags: &[&str]) -> Result<PathBuf, String> {
    let all = [&["-O2", "-g", "-fopenmp"], flags].concat();
    compiler.compile_with(&paths::tests().join("attach").join(name), &all)
}

/// Finds the number of the line that ends with that mark.
pub fn line_of(name: &str, mark: &str) -> Result<u64, String> {
    let text = fs::read_to_string(paths::tests().join("attach").join(name));
    let text = text.map_err(|error| error.to_string())?;
    let at = text.lines().position(|line| line.contains("omp") && line.ends_with(mark));
    at.map(|at| at as u64 + 1).ok_or_else(|| format!("{name} has no {mark}"))
}

/// A program that runs until it is told to end. Dropping this value ends the program.
pub struct Running {
    child: Child,
    stop: PathBuf,
    /// The folder of the profiles.
    pub folder: PathBuf,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Running {
    /// Starts a program with the path of the file at which it ends, and further words. Returns once
    /// the program has said that it is ready.
    pub fn start(runtime: Runtime, program: &Path, words: &[&str]) -> Result<Running, String> {
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder =
            paths::scratch(&format!("attach {name} {runtime:?} {words:?}").replace('/', "_"));
        let stop = folder.join("stop");
        let mut command = Command::new(program);
        runtime.apply(&mut command);
        // A thread that waits and spins would use its clock.
        command.env("OMP_NUM_THREADS", "2").env("OMP_WAIT_POLICY", "passive");
        command.arg(&stop).args(words).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
        let mut first = [0; 6];
        let out = child.stdout.as_mut().ok_or("no output")?;
        out.read_exact(&mut first).map_err(|error| error.to_string())?;
        Ok(Running { child, stop, folder })
    }

    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether the program has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Runs `omphalos` in the program's folder.
    pub fn omphalos(&self, words: &[&str]) -> Result<Outcome, String> {
        exec::run(&mut self.command(words))
    }

    /// Returns the command that runs `omphalos` there.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(paths::omphalos());
        Runtime::Stock.apply(&mut command);
        command.args(words).current_dir(&self.folder);
        command
    }

    /// Looks at the program from outside, and returns the report, which must match its schema.
    pub fn attached(&mut self, options: &[&str]) -> Result<Value, String> {
        self.reported(&[&["--outside"], options].concat()).map(|(report, _)| report)
    }

    /// Attaches to the program in the way that `omphalos` chooses. Returns the report, and the
    /// lines that `omphalos` prints besides.
    pub fn reported(&mut self, options: &[&str]) -> Result<(Value, String), String> {
        let pid = self.pid().to_string();
        let words = [&["attach", &pid, "-o", "app.omph", "--json=report.json"], options].concat();
        let outcome = self.omphalos(&words)?;
        if !outcome.success() {
            return Err(outcome.describe());
        }
        let text = fs::read_to_string(self.folder.join("report.json"));
        let text = text.map_err(|error| format!("{error}: {}", outcome.describe()))?;
        let report: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let faults = schema::faults_of_report(&report);
        match faults.is_empty() {
            true => Ok((report, outcome.stderr)),
            false => Err(format!("{}\n{report:#}", faults.join("\n"))),
        }
    }

    /// Lists everything in the process that a tool could leave behind: names of threads, files,
    /// timers, and the signals that the process handles. Leaves out whatever ended meanwhile.
    pub fn belongings(&self) -> Vec<String> {
        let of = |name: &str| format!("/proc/{}/{name}", self.pid());
        let names = |folder: &str, path: &dyn Fn(&Path) -> Option<String>| {
            let all = fs::read_dir(of(folder)).into_iter().flatten().flatten();
            all.filter_map(|entry| path(&entry.path())).collect::<Vec<String>>()
        };
        let thread = |path: &Path| fs::read_to_string(path.join("comm")).ok();
        let file = |path: &Path| Some(fs::read_link(path).ok()?.to_string_lossy().into_owned());
        let status = fs::read_to_string(of("status")).unwrap_or_default();
        let caught = status.lines().filter(|line| line.starts_with("SigCgt")).map(str::to_owned);
        let timers = fs::read_to_string(of("timers")).unwrap_or_default();
        let mut all = names("task", &thread);
        all.extend(names("fd", &file));
        all.extend(caught.chain([timers]));
        all.sort_unstable();
        all
    }

    /// Ends the program, which must end with status 0. Returns the lines that it printed.
    pub fn end(&mut self) -> Result<Vec<String>, String> {
        fs::write(&self.stop, "").map_err(|error| error.to_string())?;
        let out = self.child.stdout.take().ok_or("no output")?;
        let lines: Vec<String> = BufReader::new(out).lines().map_while(Result::ok).collect();
        let status = self.child.wait().map_err(|error| error.to_string())?;
        match status.success() {
            true => Ok(lines),
            false => Err(format!("the program ended with {status}: {lines:?}")),
        }
    }
}

/// Returns how long a thread ran between two times, by the notes of its own clock, in seconds.
pub fn ran(notes: &[String], tid: u64, (begin, end): (f64, f64)) -> f64 {
    let note = |line: &String| -> Option<(f64, f64)> {
        let words: Vec<f64> =
            line.strip_prefix("clock ")?.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [of, wall, cpu] = words[..] else { return None };
        (of == tid as f64).then_some((wall, cpu))
    };
    let notes: Vec<(f64, f64)> = notes.iter().filter_map(note).collect();
    let at = |time: f64| {
        let next = notes.partition_point(|(wall, _)| *wall < time);
        match (next.checked_sub(1).map(|before| notes[before]), notes.get(next)) {
            (Some((wall, cpu)), Some((after, more))) => {
                cpu + (more - cpu) * (time - wall) / (after - wall).max(1.0)
            }
            (Some((_, cpu)), None) | (None, Some(&(_, cpu))) => cpu,
            (None, None) => f64::NAN,
        }
    };
    (at(end) - at(begin)) / 1e9
}
