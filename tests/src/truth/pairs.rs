//! Pairs of programs with one known difference, and the result of `omphalos diff` on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::compiler::Compiler;
use crate::{exec, paths};

/// A source that is built in two variants.
pub struct Pair {
    source: PathBuf,
    /// Parts of diff's first sentence, on a machine where no other program has the CPUs.
    pub says: Vec<String>,
    /// Parts of diff's JSON.
    pub has: Vec<String>,
    /// The verdict of diff.
    pub verdict: String,
    /// Options of the profiler.
    options: Vec<String>,
}

/// The result of diff.
pub struct Said {
    /// The whole comparison.
    pub json: Value,
    /// The change by the programs' own clocks, seconds; from the medians of the runs.
    pub truth: f64,
}

impl Pair {
    /// Reads all pairs of `tests/pairs`.
    pub fn all() -> Result<Vec<Pair>, String> {
        let folder = paths::tests().join("pairs");
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut sources: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "c"))
            .collect();
        sources.sort();
        sources.into_iter().map(Pair::read).collect()
    }

    fn read(source: PathBuf) -> Result<Pair, String> {
        let text = fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
        let marked = |mark: &str| -> Vec<String> {
            let lines = text.lines().filter_map(|line| line.strip_prefix(mark));
            lines.map(|line| line.trim().to_owned()).collect()
        };
        let verdict = marked("// verdict:").pop().ok_or("no verdict is marked")?;
        let (says, has) = (marked("// says:"), marked("// has:"));
        Ok(Pair { says, has, verdict, options: marked("// with:"), source })
    }

    /// The name of the source, without its ending.
    pub fn name(&self) -> String {
        self.source.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Records `repeat` runs of both variants, and compares them. Both have the same name, one over
    /// the other, as when somebody changes a program. `number` keeps the folders apart.
    pub fn compare(&self, compiler: Compiler, repeat: u32, number: u32) -> Result<Said, String> {
        let name = self.name();
        let folder = paths::scratch(&format!("pair-{name}-{}-{number}", compiler.name()));
        let program = folder.join("app");
        let mut truths = Vec::new();
        for (side, define) in [("before", "-DBEFORE"), ("after", "-DAFTER")] {
            let flags = ["-O1", "-g", "-fopenmp", define];
            let built = compiler.compile_with(&self.source, &flags)?;
            fs::copy(&built, &program).map_err(|e| e.to_string())?;
            truths.push(self.record(&folder, &program, side, repeat)?);
        }
        let mut command = Command::new(paths::omphalos());
        command.args(["diff", "--json", "before", "after"]).current_dir(&folder);
        let outcome = exec::run(&mut command)?;
        if !outcome.success() {
            return Err(outcome.describe());
        }
        let json = serde_json::from_str(&outcome.stdout).map_err(|e| e.to_string())?;
        let _ = fs::remove_dir_all(&folder);
        Ok(Said { json, truth: truths[1] - truths[0] })
    }
}

impl Pair {
    /// Records one variant, and returns the median of its own clock, seconds.
    fn record(
        &self,
        folder: &Path,
        program: &Path,
        side: &str,
        repeat: u32,
    ) -> Result<f64, String> {
        let mut command = Command::new(paths::omphalos());
        command.args(["profile", "--no-report", "--repeat", &repeat.to_string(), "-o", side]);
        command.args(&self.options);
        command.arg(program).current_dir(folder).env("OMP_DYNAMIC", "false");
        let outcome = exec::run_within(&mut command, LIMIT)?;
        if !outcome.success() {
            return Err(outcome.describe());
        }
        let lines = outcome.stdout.lines().filter_map(|line| line.strip_prefix("TRUTH elapsed "));
        let mut took: Vec<f64> = lines.filter_map(|line| line.parse().ok()).collect();
        took.sort_by(f64::total_cmp);
        took.get(took.len() / 2).copied().ok_or_else(|| "it says no time".to_owned())
    }

    /// Lists the faults of the comparison that no load of the machine explains: a missing part of
    /// the JSON, or a change in the other direction.
    pub fn faults(&self, said: &Said) -> Vec<String> {
        let text = said.json.to_string();
        let lacks = self.has.iter().filter(|part| !text.contains(part.as_str()));
        let mut faults: Vec<String> = lacks.map(|part| format!("it lacks {part}")).collect();
        let may_be = [self.verdict.as_str(), "same", "inconclusive"];
        if !may_be.contains(&said.verdict()) {
            faults.push(format!("it is {}, not {}", said.verdict(), self.verdict));
        }
        faults
    }

    /// Lists the missing parts of the sentence, which must be there on a machine that does nothing
    /// else.
    pub fn unsaid(&self, said: &Said) -> Vec<&str> {
        let lacks = self.says.iter().filter(|part| !said.sentence().contains(part.as_str()));
        lacks.map(String::as_str).collect()
    }
}

impl Said {
    /// The verdict: `same`, `faster`, `slower` or `inconclusive`.
    pub fn verdict(&self) -> &str {
        self.json["verdict"].as_str().unwrap_or_default()
    }

    /// The first sentence.
    pub fn sentence(&self) -> &str {
        self.json["sentence"].as_str().unwrap_or_default()
    }

    /// The change of the elapsed time in diff's result, seconds.
    pub fn change(&self) -> f64 {
        self.json["elapsed"]["change_ns"].as_f64().unwrap_or_default() / 1e9
    }
}

/// The time limit. A program takes less than a second, and far longer where other programs have the
/// CPUs.
const LIMIT: Duration = Duration::from_secs(120);
