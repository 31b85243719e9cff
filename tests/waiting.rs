//! The way that threads wait, as the environment asks for it, and the number of processors that the
//! runtime assumes for the process.
//!
//! The programs in `waiting/` see by the kernel's own counts whether a waiting thread sleeps; none
//! measures time. The test makes its own files of control groups, which a preloaded library puts in
//! place of the kernel's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

/// Variables and their values.
type Environment = &'static [(&'static str, &'static str)];
/// Files and their text.
type Files = &'static [(&'static str, &'static str)];

/// `(environment, what the program must find, blocktime in milliseconds or -1)`; the team has two
/// threads, except with `serial`.
const POLICIES: &[(Environment, &str, i64)] = &[
    (&[], "sleeps", -1),
    (&[("OMP_WAIT_POLICY", "passive")], "sleeps", 0),
    (&[("OMP_WAIT_POLICY", "active")], "spins", -1),
    (&[("KMP_BLOCKTIME", "0")], "sleeps", 0),
    (&[("KMP_BLOCKTIME", "20")], "sleeps", 20),
    (&[("KMP_BLOCKTIME", "600000")], "spins_long", 600_000),
    (&[("KMP_BLOCKTIME", "infinite")], "spins", -1),
    (&[("GOMP_SPINCOUNT", "0")], "sleeps", -1),
    (&[("GOMP_SPINCOUNT", "30k")], "sleeps", -1),
    (&[("GOMP_SPINCOUNT", "infinity")], "spins", -1),
    (&[("GOMP_SPINCOUNT", "100G")], "spins_long", -1),
    (&[("KMP_LIBRARY", "serial")], "serial", -1),
    (&[("KMP_LIBRARY", "turnaround")], "spins", -1),
    (&[("KMP_LIBRARY", "throughput")], "sleeps", -1),
    // The more exact variable wins.
    (&[("OMP_WAIT_POLICY", "active"), ("KMP_BLOCKTIME", "0")], "sleeps", 0),
    (&[("OMP_WAIT_POLICY", "active"), ("GOMP_SPINCOUNT", "0")], "sleeps", -1),
    (&[("OMP_WAIT_POLICY", "passive"), ("KMP_BLOCKTIME", "infinite")], "spins", -1),
    (&[("OMP_WAIT_POLICY", "passive"), ("GOMP_SPINCOUNT", "infinite")], "spins", -1),
    (&[("KMP_LIBRARY", "turnaround"), ("OMP_WAIT_POLICY", "passive")], "sleeps", 0),
    // With more threads than processors no thread spins for long, whatever the environment asks
    // for.
    (&[("OMP_WAIT_POLICY", "active")], "crowd", -1),
    (&[("KMP_LIBRARY", "turnaround")], "crowd", -1),
    (&[("KMP_BLOCKTIME", "infinite")], "crowd", -1),
    (&[("GOMP_SPINCOUNT", "infinite")], "crowd", -1),
];

/// Files of control groups, and the number of processors that they leave.
const QUOTAS: &[(&str, Files, &str)] = &[
    ("v2", &[(GROUPS, "0::/a/b\n"), ("sys/fs/cgroup/a/b/cpu.max", "100000 100000\n")], "1"),
    ("v2_above", &[(GROUPS, "0::/a/b\n"), ("sys/fs/cgroup/a/cpu.max", "50000 100000\n")], "1"),
    ("v2_rounded_up", &[(GROUPS, "0::/a\n"), ("sys/fs/cgroup/a/cpu.max", "110000 100000\n")], "2"),
    (
        "v2_without_limit",
        &[(GROUPS, "0::/a\n"), ("sys/fs/cgroup/a/cpu.max", "max 100000\n")],
        "999",
    ),
    (
        "v1",
        &[
            (GROUPS, "4:memory:/m\n2:cpu,cpuacct:/c\n"),
            ("sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "70000\n"),
            ("sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n"),
        ],
        "1",
    ),
    (
        "v1_without_limit",
        &[(GROUPS, "2:cpu:/c\n"), ("sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "-1\n")],
        "999",
    ),
    ("no_files", &[(GROUPS, "0::/a\n")], "999"),
    ("nonsense", &[(GROUPS, "0::/a\n\n::\n"), ("sys/fs/cgroup/a/cpu.max", "much\n")], "999"),
];

/// The file in which a process reads its control groups.
const GROUPS: &str = "proc/self/cgroup";

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for &(environment, how, blocktime) in POLICIES {
            let shown: Vec<String> = environment.iter().map(|(n, v)| format!("{n}={v}")).collect();
            let title = format!("waiting::{how}::{}::{}", shown.join(" "), compiler.name());
            trials.push(suite::test(title, move || policy(compiler, environment, how, blocktime)));
        }
        for &(name, files, wanted) in QUOTAS {
            let title = format!("waiting::quota_{name}::{}", compiler.name());
            trials.push(suite::test(title, move || quota(compiler, name, files, wanted)));
        }
        let title = format!("waiting::quota_makes_a_crowd::{}", compiler.name());
        trials.push(suite::test(title, move || crowd_by_quota(compiler)));
    }
    suite::main(trials)
}

fn source(name: &str) -> PathBuf {
    paths::tests().join("waiting").join(name)
}

/// Runs a program on our runtime, where it must end with `ok`.
fn fine(program: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    let mut command = Command::new(program);
    Runtime::Omphalos.apply(&mut command);
    command.args(arguments).envs(environment.iter().copied());
    let outcome = exec::run(&mut command)?;
    match outcome.success() && outcome.stdout.lines().last() == Some("ok") {
        true => Ok(()),
        false => Err(outcome.describe()),
    }
}

fn policy(
    compiler: Compiler,
    environment: Environment,
    how: &str,
    blocktime: i64,
) -> Result<(), String> {
    let program = compiler.compile(&source("waiting.c"), &[])?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let mut all = environment.to_vec();
    if how != "serial" {
        all.push(("OMP_NUM_THREADS", "2"));
    }
    let blocktime = blocktime.to_string();
    let arguments = if blocktime == "-1" { vec![how] } else { vec![how, &blocktime] };
    fine(&program, &arguments, &all)
}

/// Makes a folder with these files, and returns the variables that put them in place of the
/// kernel's.
fn groups(title: &str, files: &[(&str, &str)]) -> Result<[(&'static str, String); 2], String> {
    let preload = Compiler::Gcc.compile_with(&source("quota.c"), &["-O2", "-fPIC", "-shared"])?;
    let root = paths::scratch(&format!("groups {title}"));
    for (file, text) in files {
        let path = root.join(file);
        let folder = path.parent().unwrap_or(&root);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
        written.map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let text = |path: &Path| path.to_string_lossy().into_owned();
    Ok([("LD_PRELOAD", text(&preload)), ("QUOTA_ROOT", text(&root))])
}

fn quota(
    compiler: Compiler,
    name: &str,
    files: &[(&str, &str)],
    wanted: &str,
) -> Result<(), String> {
    let program = compiler.compile(&source("granted.c"), &[])?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let variables = groups(&format!("{name} {}", compiler.name()), files)?;
    let variables: Vec<(&str, &str)> = variables.iter().map(|(n, v)| (*n, v.as_str())).collect();
    fine(&program, &[wanted], &variables)
}

/// Tests two threads with time for one processor: threads do not spin, although the policy is
/// active.
fn crowd_by_quota(compiler: Compiler) -> Result<(), String> {
    let program = compiler.compile(&source("waiting.c"), &[])?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let files = [(GROUPS, "0::/a\n"), ("sys/fs/cgroup/a/cpu.max", "100000 100000\n")];
    let variables = groups(&format!("crowd {}", compiler.name()), &files)?;
    let mut all: Vec<(&str, &str)> = variables.iter().map(|(n, v)| (*n, v.as_str())).collect();
    all.extend([("OMP_NUM_THREADS", "2"), ("OMP_WAIT_POLICY", "active")]);
    fine(&program, &["sleeps"], &all)
}
