//! Tests the findings about placement. The test places threads badly: by `taskset`, OpenMP's
//! variables, control groups and launchers of MPI. The report's first finding must name each bad
//! placement and its cause, and `omphalos doctor --placement` must say so before the program runs.
//! Programs that are placed well must have no such finding.
//!
//! The tests of `profile/report` and `command/cli` play back what another machine would show
//! (hyper-threads, nodes, slow cores).

#[path = "placement/doctor.rs"]
mod doctor;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::control_group::{Group, with_quota};
use omphalos_tests::truth::schema;
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

/// The diseases of placement.
const PLACED: [&str; 2] = ["placement", "throttled"];

/// `(name, words in front of the program, environment, argument, text of the finding)`; `{cpu}` is
/// the first CPU that the test may use, `{other}` the second.
type Planted = (
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
    &'static str,
    &'static str,
);

const PLANTED: &[Planted] = &[
    ("taskset", &["taskset", "-c", "{cpu}"], &[], "", "taskset"),
    ("places", &[], &[("OMP_PLACES", "{{cpu}}"), ("OMP_PROC_BIND", "true")], "", "OMP_PLACES={"),
    (
        "primary",
        &[],
        &[("OMP_PLACES", "threads"), ("OMP_PROC_BIND", "primary")],
        "",
        "OMP_PROC_BIND=primary",
    ),
    ("gomp_affinity", &[], &[("GOMP_CPU_AFFINITY", "{cpu}")], "", "GOMP_CPU_AFFINITY="),
    (
        "kmp_affinity",
        &[],
        &[("KMP_AFFINITY", "explicit,proclist=[{cpu}]")],
        "",
        "KMP_AFFINITY=explicit",
    ),
    ("itself", &[], &[], "bind", "the program, or a library that it uses, binds them"),
    (
        "taskset_and_places",
        &["taskset", "-c", "{other}"],
        &[("OMP_PLACES", "cores"), ("OMP_PROC_BIND", "close")],
        "",
        "taskset",
    ),
];

/// Programs that are placed well, in the same form.
const WELL: &[Planted] = &[
    ("free", &[], &[], "", ""),
    ("cores", &[], &[("OMP_PLACES", "cores"), ("OMP_PROC_BIND", "close")], "", ""),
    ("taskset_of_two", &["taskset", "-c", "{cpu},{other}"], &[], "", ""),
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for row in PLANTED {
            let title = format!("placement::planted::{}::{}", row.0, compiler.name());
            trials.push(suite::test(title, move || is_named(compiler, row)));
        }
        for row in WELL {
            let title = format!("placement::well::{}::{}", row.0, compiler.name());
            trials.push(suite::test(title, move || is_not_named(compiler, row)));
        }
    }
    trials.push(suite::test("placement::planted::quota", quota));
    trials.push(suite::test("placement::well::quota", large_quota));
    trials.push(suite::test("placement::well::quota_in_part", quota_in_part));
    trials.push(suite::test("placement::well::team_of_one", team_of_one));
    trials.push(suite::test("placement::planted::cpuset", cpuset));
    trials.push(suite::test("placement::planted::mpirun", || launched(&["mpirun.openmpi"])));
    trials.push(suite::test("placement::planted::mpirun_cpu_set", || {
        launched(&["mpirun.openmpi", "--cpu-set", "{cpu}"])
    }));
    trials.push(suite::test("placement::planted::mpiexec", || launched(&["mpiexec.mpich"])));
    trials.push(suite::test("placement::planted::ranks", ranks));
    trials.extend(doctor::tests());
    suite::main(trials)
}

/// The CPUs that the test itself may use.
fn cpus() -> Vec<String> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse::<u32>().ok()?..=last.parse::<u32>().ok()?)
    };
    let parts = list.unwrap_or_default().trim().split(',').filter_map(range);
    parts.flatten().map(|cpu| cpu.to_string()).collect()
}

/// Fills in the CPUs; `None` if the test may use one CPU only, since then no placement can be bad.
fn filled(text: &str) -> Option<String> {
    let cpus = cpus();
    Some(text.replace("{cpu}", cpus.first()?).replace("{other}", cpus.get(1)?))
}

fn build(compiler: Compiler) -> Result<PathBuf, String> {
    compiler.compile_with(&paths::tests().join("placement/team.c"), &["-O1", "-g", "-fopenmp"])
}

/// Returns a command of `words` and then `omphalos` with `rest`, in a folder; `None` on one CPU.
fn omphalos(words: &[&str], rest: &[&str], folder: &Path) -> Option<Command> {
    let words: Vec<String> = words.iter().map(|word| filled(word)).collect::<Option<_>>()?;
    filled("")?;
    let mut command = match &words[..] {
        [] => Command::new(paths::omphalos()),
        [first, others @ ..] => {
            let mut command = Command::new(first);
            command.args(others).arg(paths::omphalos());
            command
        }
    };
    command.args(rest).current_dir(folder);
    Some(command)
}

/// Profiles the program and returns its report; `None` on one CPU.
fn profile(compiler: Compiler, row: &Planted) -> Result<Option<Value>, String> {
    let (name, words, environment, argument, _) = row;
    let folder = paths::scratch(&format!("placement {name} {}", compiler.name()));
    let binary = build(compiler)?;
    let rest = ["profile", "-o", "app.omph", "--json=report.json", "--"];
    let Some(mut command) = omphalos(words, &rest, &folder) else { return Ok(None) };
    for (variable, value) in *environment {
        command.env(variable, filled(value).unwrap_or_default());
    }
    command.arg(binary);
    if !argument.is_empty() {
        command.arg(argument);
    }
    let report = report(&mut command, &folder)?;
    let _ = fs::remove_dir_all(&folder);
    Ok(Some(report))
}

fn report(command: &mut Command, folder: &Path) -> Result<Value, String> {
    let outcome = exec::run(command)?;
    if !outcome.success() {
        return Err(outcome.describe());
    }
    let text = fs::read_to_string(folder.join("report.json"));
    let text = text.map_err(|error| format!("{error}: {}", outcome.describe()))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    match schema::faults_of_report(&report) {
        faults if faults.is_empty() => Ok(report),
        faults => Err(format!("{}\n{report:#}", faults.join("\n"))),
    }
}

fn is_first(report: &Value, disease: &str, says: &str) -> Result<(), String> {
    let first = &report["diagnosis"][0];
    let evidence = first["evidence"].as_str().unwrap_or_default();
    match first["disease"] == disease && evidence.contains(says) {
        true => Ok(()),
        false => Err(format!("{disease} with {says:?} is not first: {:#}", report["diagnosis"])),
    }
}

fn is_named(compiler: Compiler, row: &Planted) -> Result<(), String> {
    let Some(report) = profile(compiler, row)? else { return Ok(()) };
    is_first(&report, "placement", row.4)?;
    let evidence = report["diagnosis"][0]["evidence"].as_str().unwrap_or_default();
    if !evidence.starts_with("both threads share CPU ") {
        return Err(format!("which CPU? {evidence}"));
    }
    // Each thread ran on that CPU.
    let cpu = evidence.split_whitespace().nth(4);
    let cpu: Option<u64> = cpu.and_then(|cpu| cpu.trim_end_matches(':').parse().ok());
    let threads = report["threads"].as_array().cloned().unwrap_or_default();
    let is_there = |thread: &Value| {
        let ran = thread["place"]["ran_on"].as_array().cloned().unwrap_or_default();
        let of = |is: &dyn Fn(&Value) -> bool| -> u64 {
            ran.iter().filter(|on| is(&on["cpu"])).filter_map(|on| on["running_ns"].as_u64()).sum()
        };
        let (there, all) = (of(&|on| on.as_u64() == cpu), of(&|_| true));
        // The first thread may have begun elsewhere. The samples miss little of the running time,
        // and the two figures are read one after the other.
        let running = thread["running_ns"].as_u64().unwrap_or(0);
        there * 10 >= all * 9 && all > 0 && all * 20 <= running * 21 && all * 20 >= running * 19
    };
    match threads.len() == 2 && threads.iter().all(is_there) {
        true => Ok(()),
        false => Err(format!("they ran elsewhere than on {cpu:?}: {threads:#?}")),
    }
}

fn is_not_named(compiler: Compiler, row: &Planted) -> Result<(), String> {
    let Some(report) = profile(compiler, row)? else { return Ok(()) };
    none(&report)
}

fn none(report: &Value) -> Result<(), String> {
    let found = report["diagnosis"].as_array().cloned().unwrap_or_default();
    let is_wrong = |one: &Value| PLACED.iter().any(|disease| one["disease"] == *disease);
    match found.iter().any(is_wrong) {
        false => Ok(()),
        true => Err(format!("placed well, and the report says {found:#?}")),
    }
}

fn in_group(group: &Group, name: &str) -> Result<Value, String> {
    in_group_with(group, name, &[])
}

fn in_group_with(group: &Group, name: &str, set: &[(&str, &str)]) -> Result<Value, String> {
    let folder = paths::scratch(&format!("placement {name}"));
    let words = group.words();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let rest = ["profile", "-o", "app.omph", "--json=report.json", "--"];
    let Some(mut command) = omphalos(&words, &rest, &folder) else {
        return Err("a group of one CPU".to_owned());
    };
    let found = report(command.envs(set.iter().copied()).arg(build(Compiler::Gcc)?), &folder);
    let _ = fs::remove_dir_all(&folder);
    found
}

/// Says on standard error what the test could not try.
fn not_here(what: &str) -> Result<(), String> {
    eprintln!("{what}: no control group can be made here");
    Ok(())
}

fn quota() -> Result<(), String> {
    let Some(group) = with_quota("quota", "20000").filter(|_| cpus().len() > 1) else {
        return not_here("a small quota");
    };
    let report = in_group(&group, "quota")?;
    is_first(&report, "throttled", "it grants 0.20 CPUs (20.0 ms each 100.0 ms)")?;
    let limit = &report["placement"]["control_group"];
    let count = |field: &str| limit[field].as_u64().unwrap_or(0);
    match (count("quota_us"), count("period_us"), count("throttled_periods")) {
        (20_000, 100_000, 1..) if count("throttled_ns") > 0 => Ok(()),
        _ => Err(format!("{limit:#}")),
    }
}

fn large_quota() -> Result<(), String> {
    let Some(group) = with_quota("large", "6400000").filter(|_| cpus().len() > 1) else {
        return not_here("a large quota");
    };
    none(&in_group(&group, "large")?)
}

/// A thread alone in its team waits for nobody: it has no CPU.
fn team_of_one() -> Result<(), String> {
    let Some(group) = with_quota("one", "20000").filter(|_| cpus().len() > 1) else {
        return not_here("a quota for one thread");
    };
    let report = in_group_with(&group, "one", &[("OMP_THREAD_LIMIT", "1")])?;
    let thread = &report["threads"][0];
    let time = |class: &str| thread[class].as_u64().unwrap_or(0);
    match time("without_cpu_ns") > 10 * time("barrier_wait_ns") {
        true => Ok(()),
        false => Err(format!("for whom does it wait? {thread:#}")),
    }
}

/// A grant of one and a half CPUs lets two threads run at once, so nothing is crowded.
fn quota_in_part() -> Result<(), String> {
    let Some(group) = with_quota("part", "150000").filter(|_| cpus().len() > 1) else {
        return not_here("a quota of 1.5 CPUs");
    };
    let report = in_group(&group, "part")?;
    let mut findings = report["diagnosis"].as_array().into_iter().flatten();
    let is_crowded = findings.any(|finding| finding["disease"] == "oversubscription");
    match report["program"]["usable_cpus"].as_u64() {
        Some(2) if !is_crowded => Ok(()),
        usable => Err(format!("{usable:?} CPUs: {:#}", report["diagnosis"])),
    }
}

fn cpuset() -> Result<(), String> {
    let Some(cpu) = filled("{other}") else { return Ok(()) };
    let files = [("cpuset.mems", "0"), ("cpuset.cpus", cpu.as_str())];
    let Some(group) = Group::make("cpuset", "cpuset", &files) else {
        return not_here("a cpuset");
    };
    let report = in_group(&group, "cpuset")?;
    is_first(&report, "placement", "control group may use no others")
}

/// Tests a rank with two threads that its launcher binds to one core.
fn launched(launcher: &[&str]) -> Result<(), String> {
    let is_open = launcher[0].ends_with("openmpi");
    let bind = if is_open { "--bind-to" } else { "-bind-to" };
    let words = [launcher, &["-n", "1", bind, "core"]].concat();
    let rest = ["profile", "-o", "app.omph", "--json=report.json", "--"];
    let Some((report, _)) = job(&words, &rest)? else { return Ok(()) };
    is_first(&report, "placement", if is_open { "mpirun bound" } else { "mpiexec bound" })
}

/// Tests that a job's report names two ranks on one core.
fn ranks() -> Result<(), String> {
    let words = ["taskset", "-c", "{other}", "mpiexec.mpich", "-launcher", "fork", "-n", "2"];
    let rest = ["profile", "-o", "job", "--json=report.json", "--"];
    let Some((report, cpu)) = job(&words, &rest)? else { return Ok(()) };
    let first = &report["job"]["findings"][0];
    let name = format!("ranks 0-1 have 4 threads on CPU {cpu}, which leaves out ");
    let is_named = first["name"].as_str().is_some_and(|said| said.starts_with(&name));
    match first["disease"] == "placement" && is_named {
        true => Ok(()),
        false => Err(format!("{name} is not first: {:#}", report["job"])),
    }
}

/// Profiles the program under a launcher; returns the report and the second CPU, or `None` on one
/// CPU.
fn job(words: &[&str], rest: &[&str]) -> Result<Option<(Value, String)>, String> {
    let folder = paths::scratch(&format!("placement {}", words.join(" ")));
    let binary = build(Compiler::Gcc)?;
    let Some(mut command) = omphalos(words, rest, &folder) else { return Ok(None) };
    for (name, value) in [
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ("OMPI_MCA_plm", "isolated"),
        ("PMIX_MCA_gds", "hash"),
    ] {
        command.env(name, value);
    }
    let report = report(command.arg(binary).stdin(std::process::Stdio::null()), &folder)?;
    let _ = fs::remove_dir_all(&folder);
    Ok(filled("{other}").map(|cpu| (report, cpu)))
}
