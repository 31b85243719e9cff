//! Jobs of MPI under `omphalos profile`: one folder, one report over all ranks, with both libraries
//! that Debian has. The programs count their own calls of MPI and time them (`jobs/`).

#[path = "jobs/nodes.rs"]
mod nodes;
#[path = "jobs/top.rs"]
mod top;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::truth::schema;
use omphalos_tests::{paths, suite};
use serde_json::Value;

/// A library of MPI, and its launcher.
#[derive(Clone, Copy)]
enum Mpi {
    Open,
    Mpich,
}

impl Mpi {
    fn name(self) -> &'static str {
        match self {
            Mpi::Open => "openmpi",
            Mpi::Mpich => "mpich",
        }
    }

    /// So many processes on this machine, also for root, in a container, and without ssh. `session`
    /// is for the job alone.
    fn run(self, ranks: u32, session: &Path) -> Command {
        match self {
            Mpi::Open => self.run_by(&["--oversubscribe"], ranks, session),
            Mpi::Mpich => self.run_by(&["-launcher", "fork"], ranks, session),
        }
    }

    /// The same by a launcher that is given these words.
    fn run_by(self, words: &[&str], ranks: u32, session: &Path) -> Command {
        let mut command = Command::new(match self {
            Mpi::Open => "mpirun.openmpi",
            Mpi::Mpich => "mpiexec.mpich",
        });
        command.args(words);
        for (name, value) in [
            ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
            ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
            ("OMPI_MCA_plm", "isolated"),
            ("OMPI_MCA_btl", "self,vader"),
            ("OMPI_MCA_btl_vader_single_copy_mechanism", "none"),
            // Ranks of jobs that start at once fail in the shared memory of the default.
            ("PMIX_MCA_gds", "hash"),
            ("OMP_WAIT_POLICY", "passive"),
            ("OMPI_MCA_orte_tmpdir_base", &session.to_string_lossy()),
        ] {
            command.env(name, value);
        }
        command.args(["-n", &ranks.to_string()]).stdin(std::process::Stdio::null());
        command
    }

    /// Into the folder of the test.
    fn compile(self, name: &str, folder: &Path) -> Result<PathBuf, String> {
        let source = paths::tests().join("jobs").join(name);
        let compiler = if name.ends_with(".f90") { "mpifort" } else { "mpicc" };
        let binary = folder.join(name.replace('.', "_"));
        let mut command = Command::new(format!("{compiler}.{}", self.name()));
        command.args(["-g", "-O1", "-fopenmp"]).arg(source).arg("-o").arg(&binary);
        let outcome = exec::run(&mut command)?;
        if outcome.success() { Ok(binary) } else { Err(outcome.describe()) }
    }
}

/// What a job left.
struct Done {
    outcome: Outcome,
    folder: PathBuf,
    report: Value,
}

impl Done {
    fn job(&self) -> &Value {
        &self.report["job"]
    }

    fn rows<'a>(&'a self, table: &str) -> impl Iterator<Item = &'a Value> {
        self.job()[table].as_array().into_iter().flatten()
    }

    /// Calls of all ranks, by function.
    fn counts(&self) -> BTreeMap<&str, u64> {
        let mut counts = BTreeMap::new();
        for row in self.rows("mpi_calls") {
            let function = row["function"].as_str().unwrap_or_default();
            *counts.entry(function).or_insert(0) += row["count"].as_u64().unwrap_or(0);
        }
        counts
    }
}

/// Profiles a job, and reads the report that the last rank wrote, or whoever asks for it later.
fn profile(mpi: Mpi, name: &str, ranks: u32, folder: &Path) -> Result<Done, String> {
    let session = paths::scratch(&format!("jobs session {} {name} {ranks}", mpi.name()));
    let done = profile_by(mpi.run(ranks, &session), mpi, name, ranks, folder);
    let _ = std::fs::remove_dir_all(&session);
    done
}

/// The same with this launcher.
fn profile_by(
    mut command: Command,
    mpi: Mpi,
    name: &str,
    ranks: u32,
    folder: &Path,
) -> Result<Done, String> {
    let binary = mpi.compile(name, folder)?;
    let job = folder.join("job");
    command.arg(paths::omphalos()).args(["profile", "-o"]).arg(job).arg("--").arg(binary);
    let outcome = exec::run(command.current_dir(folder))?;
    if !outcome.success() {
        return Err(outcome.describe());
    }
    if !outcome.stderr.contains(&format!("a job of {ranks} ranks")) {
        return Err(format!("no rank showed the report of all: {}", outcome.describe()));
    }
    let report = report(&folder.join("job"))?;
    Ok(Done { outcome, folder: folder.join("job"), report })
}

fn report(folder: &Path) -> Result<Value, String> {
    let mut command = Command::new(paths::omphalos());
    let outcome = exec::run(command.arg("report").arg(folder).arg("--json"))?;
    let report: Value = serde_json::from_str(&outcome.stdout)
        .map_err(|error| format!("{error}: {}", outcome.describe()))?;
    let faults = schema::faults_of_report(&report);
    match faults.is_empty() {
        true => Ok(report),
        false => Err(format!("{}\n{report:#}", faults.join("\n"))),
    }
}

/// The time of `rank N in_mpi S calls C`, and the calls, by rank.
fn told(outcome: &Outcome) -> BTreeMap<u64, (f64, u64)> {
    let read = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["rank", rank, "in_mpi", time, "calls", calls] => {
                Some((rank.parse().ok()?, (time.parse().ok()?, calls.parse().ok()?)))
            }
            _ => None,
        }
    };
    outcome.stdout.lines().filter_map(read).collect()
}

/// The time in `MPI_Finalize` of each rank that says so: `rank N finalize S`.
fn finalized(outcome: &Outcome) -> BTreeMap<u64, f64> {
    let read = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["rank", rank, "finalize", time] => Some((rank.parse().ok()?, time.parse().ok()?)),
        _ => None,
    };
    outcome.stdout.lines().filter_map(read).collect()
}

/// What must hold of any job: all ranks are there, their times add up, and calls and their time are
/// as the program's own clock has them.
fn holds(done: &Done, ranks: u32) -> Result<(), String> {
    let told = told(&done.outcome);
    let mut faults = Vec::new();
    if told.len() != ranks as usize || done.rows("ranks").count() != ranks as usize {
        faults.push(format!("{} ranks spoke, not {ranks}", told.len()));
    }
    let mut in_calls: f64 = 0.0;
    for row in done.rows("mpi_calls") {
        let function = row["function"].as_str().unwrap_or_default();
        if !["MPI_Init", "MPI_Init_thread", "MPI_Finalize"].contains(&function) {
            in_calls += row["elapsed_ns"].as_f64().unwrap_or(f64::NAN) / 1e9;
        }
        if row["wait_ns"].as_u64() > row["elapsed_ns"].as_u64() {
            faults.push(format!("more waiting than time: {row}"));
        }
    }
    let own: f64 = told.values().map(|(time, _)| time).sum();
    // A call begins behind the program's look at its clock, and ends before the other one: so there
    // is no more, and hardly less. A busy machine may stop a rank between the two.
    let had_cpus = done.job()["efficiency"]["cpu"].as_f64() >= Some(0.9);
    let agrees = |time: f64, own: f64| {
        let least = if had_cpus { 0.97 * own - 0.02 } else { 0.0 };
        (least..own + 0.001).contains(&time)
    };
    if !agrees(in_calls, own) {
        faults.push(format!("{in_calls} s in MPI, {own} s by the program's own clock"));
    }
    let ends = finalized(&done.outcome);
    let parts = [
        "work_ns", "serial_ns", "openmp_wait_ns", "blocked_ns", "without_cpu_ns", "mpi_wait_ns",
        "mpi_transfer_ns", "mpi_other_ns", "mpi_start_ns",
    ];
    for row in done.rows("ranks") {
        let sum: u64 = parts.iter().filter_map(|part| row[part].as_u64()).sum();
        if row["threads_alive_ns"].as_u64() != Some(sum) {
            faults.push(format!("its parts add up to {sum}: {row}"));
        }
        let rank = row["rank"].as_u64().unwrap_or(u64::MAX);
        // Beside those that the program counts it begins and ends.
        let calls = told.get(&rank).map(|(_, calls)| calls + 2);
        if row["mpi_calls"].as_u64() != calls {
            faults.push(format!("{calls:?} calls by its own count: {row}"));
        }
        let (Some((own, _)), Some(end)) = (told.get(&rank), ends.get(&rank)) else { continue };
        let own = own + end;
        let parts = ["mpi_wait_ns", "mpi_transfer_ns", "mpi_other_ns"];
        let in_mpi: u64 = parts.iter().filter_map(|part| row[part].as_u64()).sum();
        if !agrees(in_mpi as f64 / 1e9, own) {
            faults.push(format!("{own} s in MPI by its own clock: {row}"));
        }
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(format!("{}\n{:#}", faults.join("\n"), done.job())),
    }
}

/// The line of a source with this mark.
fn line(name: &str, mark: &str) -> String {
    let path = paths::tests().join("jobs").join(name);
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let at = text.lines().position(|line| line.ends_with(mark)).map_or(0, |at| at + 1);
    format!("{name}:{at} ")
}

/// The first finding is this one, of these ranks, at the line with this mark.
fn first(done: &Done, name: &str, disease: &str, ranks: &[u64], mark: &str) -> Result<(), String> {
    let finding = &done.job()["findings"][0];
    let place = finding["place"].as_str().unwrap_or_default();
    let found: Vec<u64> =
        finding["ranks"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let is_there = mark.is_empty() || format!("{place} ").contains(&line(name, mark));
    match finding["disease"] == disease && found == ranks && is_there {
        true => Ok(()),
        false => Err(format!("not {disease} of {ranks:?} first: {:#}", done.job())),
    }
}

type Check = fn(&Done) -> Result<(), String>;

/// Each program, with how many ranks, and what its report says.
const PROGRAMS: [(&str, u32, Check); 27] = [
    ("ring.c", 4, |done| counted(done, &[("MPI_Send", 40), ("MPI_Recv", 40)])),
    ("ring.c", 16, |done| counted(done, &[("MPI_Send", 160), ("MPI_Recv", 160)])),
    ("ring.f90", 3, |done| {
        counted(done, &[("MPI_Comm_dup", 3), ("MPI_Sendrecv_replace", 30), ("MPI_Barrier", 30)])
    }),
    ("collectives.c", 4, collectives),
    ("slow_rank.c", 4, |done| {
        first(done, "slow_rank.c", "rank-imbalance", &[1], "// uneven ranks")
    }),
    ("slow_serial.c", 3, |done| first(done, "slow_serial.c", "rank-serial", &[0], "")),
    ("uneven_threads.c", 4, |done| {
        first(done, "uneven_threads.c", "rank-thread-imbalance", &[2], "// uneven threads")
    }),
    ("funnelled.c", 2, |done| level(done, "MPI_THREAD_FUNNELED", 1)),
    ("multiple.c", 2, |done| level(done, "MPI_THREAD_MULTIPLE", 2)),
    ("against_level.c", 2, |done| {
        let warning = done.job()["warnings"][0].as_str().unwrap_or_default();
        match warning.starts_with("2 threads of rank 0 call MPI") {
            true => Ok(()),
            false => Err(format!("nothing is said of the second thread: {:#}", done.job())),
        }
    }),
    ("late.c", 2, |done| late(done, &["MPI_Ssend", "MPI_Recv", "MPI_Wait"])),
    ("halo.c", 4, |done| {
        counted(done, &[("MPI_Isend", 120), ("MPI_Waitall", 80)])?;
        late(done, &["MPI_Waitall"])?;
        first(done, "halo.c", "rank-imbalance", &[0], "// larger part")
    }),
    ("pipeline.c", 4, pipeline),
    ("reduce_often.c", 2, |done| counted(done, &[("MPI_Allreduce", 600)])),
    ("threads.c", 2, |done| level(done, "MPI_THREAD_MULTIPLE", 3)),
    ("poll.c", 2, |done| counted(done, &[("MPI_Irecv", 40), ("MPI_Send", 40)])),
    ("pthread.c", 2, |done| level(done, "MPI_THREAD_MULTIPLE", 2)),
    ("persistent.c", 4, |done| counted(done, &[("MPI_Send_init", 4), ("MPI_Startall", 80)])),
    ("windows.c", 4, |done| counted(done, &[("MPI_Win_fence", 160), ("MPI_Get", 80)])),
    ("asks.c", 2, |done| {
        waits(done, &["Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome"])
    }),
    ("kept.c", 2, |done| waits(done, &["Wait", "Waitall"])),
    ("begun.c", 4, |done| waits(done, &["Wait"])),
    ("windows_late.c", 4, |done| {
        waits(done, &["Win_fence"])?;
        access(done)
    }),
    ("epochs.c", 4, |done| {
        counted(done, &[("MPI_Win_post", 40), ("MPI_Win_start", 40), ("MPI_Win_complete", 40)])?;
        counted(done, &[("MPI_Win_wait", 20), ("MPI_Win_flush", 40), ("MPI_Win_lock_all", 4)])
    }),
    ("neighbours.c", 4, |done| {
        counted(done, &[("MPI_Neighbor_allgather", 40), ("MPI_Neighbor_alltoall", 40)])
    }),
    ("files.c", 3, |done| {
        counted(done, &[("MPI_File_read", 15), ("MPI_File_read_all", 15)])?;
        counted(done, &[("MPI_File_write", 15), ("MPI_File_write_all", 15)])
    }),
    ("master.c", 3, |done| {
        let used: Vec<&Value> = done.rows("ranks").map(|row| &row["used_openmp"]).collect();
        match used == [&Value::Bool(false), &Value::Bool(true), &Value::Bool(true)] {
            true => Ok(()),
            false => Err(format!("who used OpenMP? {:#}", done.job())),
        }
    }),
];

fn counted(done: &Done, expected: &[(&str, u64)]) -> Result<(), String> {
    let counts = done.counts();
    let wrong = expected.iter().find(|(name, count)| counts.get(name) != Some(count));
    match wrong {
        None => Ok(()),
        Some(wrong) => Err(format!("not {wrong:?}: {counts:?}")),
    }
}

/// Of each collective call it is known who waited, on all communicators.
fn collectives(done: &Done) -> Result<(), String> {
    // Twenty rounds on three communicators, by four ranks.
    counted(done, &["MPI_Bcast", "MPI_Scan", "MPI_Alltoallv"].map(|name| (name, 240)))?;
    let all = ["Barrier", "Gather", "Scatterv", "Reduce", "Exscan", "Reduce_scatter_block"];
    let rows: Vec<&Value> = done.rows("mpi_calls").collect();
    for name in all {
        let function = format!("MPI_{name}");
        let found = rows.iter().find(|row| row["function"] == *function);
        let is_known = found
            .is_some_and(|row| row["wait_ns"].is_u64() && row["ranks"] == 4 && row["count"] == 240);
        if !is_known {
            return Err(format!("nothing is known of waits in {function}: {rows:#?}"));
        }
    }
    Ok(())
}

/// What these calls take is known to be waiting for the other rank, nearly all of it.
fn late(done: &Done, functions: &[&str]) -> Result<(), String> {
    let had_cpus = done.job()["efficiency"]["cpu"].as_f64() >= Some(0.9);
    for function in functions {
        let is_its = |row: &&Value| row["function"] == **function;
        let rows: Vec<&Value> = done.rows("mpi_calls").filter(is_its).collect();
        let figure = |row: &&Value, part: &str| row[part].as_f64().unwrap_or(f64::NAN);
        let sum = |part: &str| rows.iter().map(|row| figure(row, part)).sum();
        let (wait, elapsed): (f64, f64) = (sum("wait_ns"), sum("elapsed_ns"));
        let least = if had_cpus { 0.6 * elapsed } else { 0.0 };
        if !(wait > least && wait <= elapsed) {
            return Err(format!("{wait} of {elapsed} ns waiting in {function}: {:#}", done.job()));
        }
    }
    Ok(())
}

/// What all ranks waited in these functions is as the program has it by the moments at which they
/// came; what the calls took beside is transfer.
fn waits(done: &Done, functions: &[&str]) -> Result<(), String> {
    let read = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["rank", _, "waited", function, time] => Some((function.to_owned(), time.parse().ok()?)),
        _ => None,
    };
    let told: Vec<(String, f64)> = done.outcome.stdout.lines().filter_map(read).collect();
    let had_cpus = done.job()["efficiency"]["cpu"].as_f64() >= Some(0.9);
    for function in functions {
        let own: f64 = told.iter().filter(|of| of.0 == **function).map(|of| of.1).sum();
        let rows = done.rows("mpi_calls");
        let rows = rows.filter(|row| row["function"] == format!("MPI_{function}"));
        let known: Option<Vec<f64>> = rows.map(|row| row["wait_ns"].as_f64()).collect();
        let Some(known) = known.filter(|known| !known.is_empty()) else {
            return Err(format!("nothing is known of waits in MPI_{function}: {:#}", done.job()));
        };
        let wait = known.iter().sum::<f64>() / 1e9;
        // A busy machine may stop a rank between its clock and its call.
        if had_cpus && (wait - own).abs() > 0.03 * own + 0.002 {
            let what = format!("{wait} s of waiting in MPI_{function}, {own} s by its own clock");
            return Err(format!("{what}: {:#}", done.job()));
        }
    }
    Ok(())
}

/// Ranks that have access to one part of a window one after the other wait for each other, in one
/// of the calls in which a library may.
fn access(done: &Done) -> Result<(), String> {
    let calls = ["MPI_Win_lock", "MPI_Win_flush", "MPI_Win_unlock"];
    let rows = done.rows("mpi_calls");
    let rows = rows.filter(|row| calls.iter().any(|call| row["function"] == **call));
    let wait: f64 = rows.filter_map(|row| row["wait_ns"].as_f64()).sum();
    match wait > 0.0 {
        true => Ok(()),
        false => Err(format!("nobody waited for access to a window: {:#}", done.job())),
    }
}

/// The first stage's own report says that it is in MPI, and where; it has no work beside.
fn pipeline(done: &Done) -> Result<(), String> {
    counted(done, &[("MPI_Sendrecv", 80)])?;
    let report = report(&done.folder.join("rank-0.omph"))?;
    let first = &report["diagnosis"][0];
    let place = first["place"].as_str().unwrap_or_default();
    let main = &report["threads"][0];
    let time = |part: &str| main[part].as_u64().unwrap_or(u64::MAX);
    let parts = ["openmp_work_ns", "openmp_wait_ns", "blocked_ns", "without_cpu_ns", "mpi_ns"];
    let sum: u64 = parts.iter().map(|part| time(part)).sum();
    let row = done.rows("ranks").find(|row| row["rank"] == 0).unwrap_or(&Value::Null);
    let all = ["mpi_wait_ns", "mpi_transfer_ns", "mpi_other_ns", "mpi_start_ns"];
    let in_mpi: u64 = all.iter().filter_map(|part| row[part].as_u64()).sum();
    let is_said = first["disease"] == "mpi" && place.contains("MPI_Sendrecv at pipeline.c:");
    match is_said && sum == time("alive_ns") && time("mpi_ns") == in_mpi {
        true => Ok(()),
        false => Err(format!("{in_mpi} ns in MPI: {first:#} {main:#}")),
    }
}

fn level(done: &Done, level: &str, threads: u64) -> Result<(), String> {
    let job = done.job();
    let are_so_many = done.rows("ranks").all(|row| row["mpi_threads"] == threads);
    let is_quiet = job["warnings"].as_array().is_some_and(Vec::is_empty);
    match job["thread_level"] == level && are_so_many && is_quiet {
        true => Ok(()),
        false => Err(format!("not {level} with {threads} threads: {job:#}")),
    }
}

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for mpi in [Mpi::Open, Mpi::Mpich] {
        for (name, ranks, check) in PROGRAMS {
            let title = format!("jobs::{}::{}::{ranks}", mpi.name(), name.replace('.', "_"));
            trials.push(suite::test(title.clone(), move || {
                let folder = paths::scratch(&title);
                let done = profile(mpi, name, ranks, &folder)?;
                holds(&done, ranks)?;
                check(&done)?;
                let _ = std::fs::remove_dir_all(&folder);
                Ok(())
            }));
        }
        for words in [&["run"][..], &["profile", "--no-report", "-o", "job"]] {
            let title = format!("jobs::{}::top_{}", mpi.name(), words[0]);
            trials.push(suite::test(title, move || top::names_each_rank(mpi, words)));
        }
        let title = format!("jobs::{}::slow_node", mpi.name());
        trials.push(suite::test(title, move || nodes::slow_node_is_named(mpi)));
        let title = format!("jobs::{}::again_with_fewer", mpi.name());
        trials.push(suite::test(title, move || again_with_fewer(mpi)));
        let title = format!("jobs::{}::names_of_their_own", mpi.name());
        trials.push(suite::test(title, move || names_of_their_own(mpi)));
    }
    suite::main(trials)
}

/// A later job in the same folder takes the place of the earlier one, also with fewer ranks.
fn again_with_fewer(mpi: Mpi) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs again {}", mpi.name()));
    profile(mpi, "funnelled.c", 3, &folder)?;
    let done = profile(mpi, "funnelled.c", 2, &folder)?;
    holds(&done, 2)?;
    let warning = done.job()["warnings"][0].as_str().unwrap_or_default();
    let files = std::fs::read_dir(&done.folder).map_or(0, Iterator::count);
    match warning.contains("1 of the files are of other jobs") && files == 3 {
        true => Ok(()),
        false => Err(format!("{files} files, and: {:#}", done.job())),
    }
}

/// Without `-o` the folder is called after the program and the job; profiles with names that the
/// user chose are one report where they are named together.
fn names_of_their_own(mpi: Mpi) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs names {}", mpi.name()));
    let binary = mpi.compile("funnelled.c", &folder)?;
    let run = |options: &[&str]| {
        let session = paths::scratch(&format!("jobs session names {}", mpi.name()));
        let mut command = mpi.run(2, &session);
        command.arg(paths::omphalos()).arg("profile").args(options).arg("--").arg(&binary);
        exec::run(command.current_dir(&folder))
    };
    let outcome = run(&["--no-report"])?;
    let made: Vec<String> = std::fs::read_dir(&folder)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("omphalos-"))
        .collect();
    let is_one = made.len() == 1 && made[0].starts_with("omphalos-funnelled_c-");
    let is_said = outcome.stderr.contains(&format!("omphalos report {}", made.join(" ")));
    if !is_one || !is_said || outcome.stderr.contains("a job of") {
        return Err(format!("made {made:?}: {}", outcome.describe()));
    }
    report(&folder.join(&made[0]))?;
    run(&["--no-report", "-o", "own.%r.omph"])?;
    let mut command = Command::new(paths::omphalos());
    command.args(["report", "own.0.omph", "own.1.omph"]);
    let outcome = exec::run(command.current_dir(&folder))?;
    match outcome.stdout.contains("a job of 2 ranks") {
        true => Ok(()),
        false => Err(outcome.describe()),
    }
}
