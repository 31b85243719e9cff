//! Pairs of programs in which one known thing is different: what `omphalos diff` says of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::compiler::Compiler;
use crate::{exec, paths};

/// A program of which there are two.
pub struct Pair {
    source: PathBuf,
    /// Parts of diff's first sentence, where no other program has the CPUs.
    pub says: Vec<String>,
    /// Parts of its JSON.
    pub has: Vec<String>,
    /// What it calls the change.
    pub verdict: String,
    /// What it is recorded with.
    options: Vec<String>,
}

/// What diff said.
pub struct Said {
    /// The whole comparison.
    pub json: Value,
    /// What the programs' own clocks say of the change, seconds; the medians of the runs.
    pub truth: f64,
}

impl Pair {
    /// All pairs of `tests/pairs`.
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

    /// The name of its file, without what follows.
    pub fn name(&self) -> String {
        self.source.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Records so many runs of both, and compares. Both are built with one name, one over the
    /// other, as who changes a program does it.
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
    /// Records, and says what the program's own clock said: the median.
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

    /// What the comparison lacks, whatever else the machine does: parts of the JSON, and where
    /// something changed, that it is no change the other way.
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

    /// What the sentence lacks, on a machine that does nothing else.
    pub fn unsaid(&self, said: &Said) -> Vec<&str> {
        let lacks = self.says.iter().filter(|part| !said.sentence().contains(part.as_str()));
        lacks.map(String::as_str).collect()
    }
}

impl Said {
    /// `same`, `faster`, `slower`, `inconclusive`.
    pub fn verdict(&self) -> &str {
        self.json["verdict"].as_str().unwrap_or_default()
    }

    /// The first sentence.
    pub fn sentence(&self) -> &str {
        self.json["sentence"].as_str().unwrap_or_default()
    }

    /// What it says the elapsed time changed by, seconds.
    pub fn change(&self) -> f64 {
        self.json["elapsed"]["change_ns"].as_f64().unwrap_or_default() / 1e9
    }
}

/// A program takes less than a second, and far longer where others have the CPUs.
const LIMIT: Duration = Duration::from_secs(120);
