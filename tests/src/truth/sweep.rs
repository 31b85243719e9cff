//! Builds programs in several ways, profiles them, and lists the errors of the reports.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::figures::{self, Kind};
use super::schema;
use super::source::Marks;
use super::sums;
use crate::compiler::Compiler;
use crate::exec;
use crate::paths;
use crate::program::Program;
use crate::runtime::Runtime;

/// The time limit. A program takes about a second, and far longer where other programs have the
/// CPUs.
const LIMIT: Duration = Duration::from_secs(30);
/// The smallest allowed error of a time, seconds.
const LEAST: f64 = 0.001;
/// On a busy machine a time may be so many times the true one …
const FAR: f64 = 3.0;
/// … plus so many seconds, since a thread may be held up where it is not timed.
const HELD_UP: f64 = 0.2;

/// A time by the threads' own clocks is far off if its error exceeds this share of the true one.
const RAN_FAR: f64 = 0.1;
/// Figures that the report has as time with a processor, and the program as elapsed time.
const RAN: [&str; 2] = ["imbalance", "gain"];

/// One way to build a program.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The compiler.
    pub compiler: Compiler,
    /// The level of optimisation, as `-O2`.
    pub level: &'static str,
}

impl Build {
    /// The build's name, as `gcc -O2`.
    pub fn name(self) -> String {
        format!("{} {}", self.compiler.name(), self.level)
    }
}

/// Returns the ways to build a source: GCC's compilers at each level, LLVM's at two.
pub fn builds(program: &Program) -> Vec<Build> {
    let mut builds = Vec::new();
    for compiler in Compiler::of_source(&program.source) {
        let levels: &[_] = match compiler.is_gnu() {
            true => &["-O0", "-O1", "-O2", "-O3"],
            false => &["-O0", "-O2"],
        };
        if program.compilers.contains(compiler) {
            builds.extend(levels.iter().map(|level| Build { compiler: *compiler, level }));
        }
    }
    builds
}

/// One comparison of the report with the program.
#[derive(Clone, Debug)]
pub struct Row {
    /// The figure, line or finding.
    pub what: String,
    /// The program's own value.
    pub truth: String,
    /// The report's value.
    pub report: String,
    /// The difference, for people.
    pub off: String,
    /// The report is as near as it has to be.
    pub is_right: bool,
    /// Whether no load of the machine explains the difference: another number or line, or a time
    /// that is several times too long or too short.
    pub is_far: bool,
}

/// The result of one program in one build.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// All comparisons.
    pub rows: Vec<Row>,
    /// The share of the time in which threads had a CPU.
    pub cpu_share: f64,
    /// The first finding, or the report's word if it has none.
    pub verdict: String,
}

/// Builds the program, profiles it with these options, and compares.
pub fn compare(program: &Program, build: Build, options: &[&str]) -> Result<Comparison, String> {
    let marks = Marks::read(&program.source)?;
    let (output, report) = profile(program, build, options)?;
    let mut rows = Vec::new();
    for line in output.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["TRUTH", key, value] = words[..]
            && let Ok(value) = value.parse()
        {
            rows.push(compared(&report, &marks, key, value));
        }
    }
    for (name, line) in &marks.lines {
        // The Collector API has no events for some constructs, which then have no row.
        if !figures::has_row(&report, *line) && !figures::is_of_2007(&report) {
            rows.push(wrong(&format!("line of {name}"), &format!("{line}"), "no row"));
        }
    }
    let faults = schema::faults_of_report(&report);
    rows.extend(faults.iter().map(|fault| wrong("schema", "as described", fault)));
    rows.extend(sums::faults(&report).iter().map(|fault| wrong("sums", "the same", fault)));
    let verdict = verdict(&report);
    rows.extend(disease(&report, &marks, &verdict));
    let cpu_share = report["summary"]["cpu_share"].as_f64().unwrap_or_default();
    Ok(Comparison { rows, cpu_share, verdict })
}

fn compared(report: &Value, marks: &Marks, key: &str, truth: f64) -> Row {
    let (name, mark) = key.split_once('@').map_or((key, None), |(name, mark)| (name, Some(mark)));
    let line = mark.map(|mark| marks.lines.get(mark).copied().unwrap_or(u64::MAX));
    let Some(found) = figures::figure(report, name, line) else {
        let missing = wrong(key, &format!("{truth:.4}"), "no figure");
        let is_right = figures::is_of_2007(report) && figures::is_untold_in_2007(name);
        return Row { is_right, is_far: !is_right, ..missing };
    };
    let what = key.to_owned();
    let cpu_share = report["summary"]["cpu_share"].as_f64().unwrap_or(1.0);
    let least = if RAN.contains(&name) { truth * cpu_share } else { truth };
    match figures::kind(name) {
        Kind::Time(allowed) => Row {
            what,
            truth: format!("{truth:.4}"),
            report: format!("{found:.4}"),
            off: format!("{:+.1} %", 100.0 * (found - truth) / truth.max(1e-9)),
            is_right: (found - truth).abs() <= (allowed * truth).max(LEAST),
            is_far: found > FAR * truth + HELD_UP || least > FAR * found + HELD_UP,
        },
        Kind::Ran(allowed) => Row {
            what,
            truth: format!("{truth:.4}"),
            report: format!("{found:.4}"),
            off: format!("{:+.1} %", 100.0 * (found - truth) / truth.max(1e-9)),
            is_right: (found - truth).abs() <= (allowed * truth).max(LEAST),
            is_far: (found - truth).abs() > RAN_FAR * truth + LEAST,
        },
        Kind::Count => {
            let is_right = (found - truth).abs() < 0.5;
            Row {
                what,
                truth: format!("{truth}"),
                report: format!("{found}"),
                off: format!("{:+}", found - truth),
                is_right,
                is_far: !is_right,
            }
        }
    }
}

/// Returns the report's first finding, as `imbalance:12`, or else `inconclusive` or `nothing`.
fn verdict(report: &Value) -> String {
    match report["diagnosis"].get(0) {
        Some(first) => format!("{}:{}", first["disease"].as_str().unwrap_or("?"), first["line"]),
        None if report["inconclusive"].as_array().is_some_and(|doubts| !doubts.is_empty()) => {
            "inconclusive".into()
        }
        None => "nothing".into(),
    }
}

fn disease(report: &Value, marks: &Marks, verdict: &str) -> Option<Row> {
    let what = "diagnosis";
    if marks.is_healthy {
        let is_right = matches!(verdict, "nothing" | "inconclusive");
        return (!is_right).then(|| wrong(what, "nothing", verdict));
    }
    let expected = marks.disease.as_ref()?;
    let first = &report["diagnosis"][0];
    let is_named = first["disease"] == expected.id.as_str();
    // The finding names the region; the sentence of figures names a construct inside of it.
    let file = first["file"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let inside = format!(" at {file}:{}", expected.line);
    let is_inside = first["evidence"].as_str().is_some_and(|text| text.ends_with(&inside));
    let is_placed = expected.line == 0 || first["line"] == expected.line || is_inside;
    if (is_named && is_placed) || verdict == "inconclusive" {
        return None;
    }
    Some(likely(what, &format!("{}:{}", expected.id, expected.line), verdict))
}

/// As [`wrong`], for a value that a busy machine may make wrong.
fn likely(what: &str, truth: &str, report: &str) -> Row {
    Row { is_far: false, ..wrong(what, truth, report) }
}

fn wrong(what: &str, truth: &str, report: &str) -> Row {
    let (truth, report) = (truth.to_owned(), report.to_owned());
    Row { what: what.to_owned(), truth, report, off: String::new(), is_right: false, is_far: true }
}

/// Profiles the program with these options, and returns its output and the report's JSON.
pub fn profile(
    program: &Program,
    build: Build,
    options: &[&str],
) -> Result<(String, Value), String> {
    let mut flags = vec![build.level, "-g", "-fopenmp"];
    flags.extend(program.flags.iter().map(String::as_str));
    if program.source.extension().is_none_or(|ending| ending != "f90") {
        flags.push("-pthread");
    }
    // LLVM's compilers make no calls for devices without an option that names the devices. Programs
    // link with the library of LLVM or with ours, since both have the same name.
    let folder = format!("-L{}", paths::lib().join("omptarget").display());
    if !build.compiler.is_gnu() && program.env.iter().any(|(name, _)| name == "OMPHALOS_DEVICES") {
        flags.extend(["-fopenmp-targets=x86_64-pc-linux-gnu", &folder]);
    }
    let binary = build.compiler.compile_with(&program.source, &flags)?;
    // The source of a library that the program loads is beside the program's.
    let plugin = program.source.with_extension("plugin.c");
    let plugin = match plugin.is_file() {
        true => Some(build.compiler.compile_with(&plugin, &[&flags[..], &SHARED].concat())?),
        false => None,
    };
    let way = options.concat();
    let folder = paths::scratch(&format!("truth {} {}{way}", program.name, build.name()));
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    command.args(["profile", "--no-report", "--output"]).arg(folder.join("profile.omph"));
    command.args(options).arg("--").arg(&binary).args(plugin).env("OMP_NUM_THREADS", "2");
    command.envs(program.env.iter().map(|(name, value)| (name, value))).current_dir(&folder);
    let outcome = exec::run_within(&mut command, LIMIT)?;
    if !outcome.success() {
        return Err(format!("omphalos profile: {}", outcome.describe()));
    }
    let json = folder.join("report.json");
    let mut command = Command::new(paths::omphalos());
    command.arg("report").args(profiles(&folder)).arg(format!("--json={}", json.display()));
    let told = exec::run(&mut command)?;
    if !told.success() {
        return Err(format!("omphalos report: {}", told.describe()));
    }
    let text = fs::read_to_string(&json).map_err(|e| format!("{}: {e}", json.display()))?;
    let report = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", json.display()))?;
    let _ = fs::remove_dir_all(&folder);
    Ok((outcome.stdout, report))
}

const SHARED: [&str; 2] = ["-fPIC", "-shared"];

/// Returns the profiles, one for each process, the first process's first.
fn profiles(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries
        .filter(|path| path.file_name().is_some_and(|n| n.to_string_lossy().contains(".omph")))
        .collect();
    found.sort();
    found
}
