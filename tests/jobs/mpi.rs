//! A job of MPI: how each library compiles and launches one, and its results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::paths;
use omphalos_tests::truth::schema;
use serde_json::Value;

/// A library of MPI, and its launcher.
#[derive(Clone, Copy)]
pub enum Mpi {
    Open,
    Mpich,
}

impl Mpi {
    pub fn name(self) -> &'static str {
        match self {
            Mpi::Open => "openmpi",
            Mpi::Mpich => "mpich",
        }
    }

    /// Returns the launcher's command for `ranks` processes on this machine. It works also for
    /// root, in a container, and without ssh. `session` is a folder for this job alone.
    pub fn run(self, ranks: u32, session: &Path) -> Command {
        match self {
            Mpi::Open => self.run_by(&["--oversubscribe"], ranks, session),
            Mpi::Mpich => self.run_by(&["-launcher", "fork"], ranks, session),
        }
    }

    /// The same, with these words for the launcher.
    pub fn run_by(self, words: &[&str], ranks: u32, session: &Path) -> Command {
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
            // With the default's shared memory, ranks of jobs that start at the same time fail.
            ("PMIX_MCA_gds", "hash"),
            ("OMP_WAIT_POLICY", "passive"),
            ("OMPI_MCA_orte_tmpdir_base", &session.to_string_lossy()),
        ] {
            command.env(name, value);
        }
        command.args(["-n", &ranks.to_string()]).stdin(std::process::Stdio::null());
        command
    }

    /// Compiles a program into the test's folder.
    pub fn compile(self, name: &str, folder: &Path) -> Result<PathBuf, String> {
        let source = paths::tests().join("jobs").join(name);
        let compiler = if name.ends_with(".f90") { "mpifort" } else { "mpicc" };
        let binary = folder.join(name.replace('.', "_"));
        let mut command = Command::new(format!("{compiler}.{}", self.name()));
        command.args(["-g", "-O1", "-fopenmp"]).arg(source).arg("-o").arg(&binary);
        let outcome = exec::run(&mut command)?;
        if outcome.success() { Ok(binary) } else { Err(outcome.describe()) }
    }
}

/// The results of a job.
pub struct Done {
    pub outcome: Outcome,
    pub folder: PathBuf,
    report: Value,
}

impl Done {
    pub fn job(&self) -> &Value {
        &self.report["job"]
    }

    pub fn rows<'a>(&'a self, table: &str) -> impl Iterator<Item = &'a Value> {
        self.job()[table].as_array().into_iter().flatten()
    }

    /// Counts the calls of all ranks, by function.
    pub fn counts(&self) -> BTreeMap<&str, u64> {
        let mut counts = BTreeMap::new();
        for row in self.rows("mpi_calls") {
            let function = row["function"].as_str().unwrap_or_default();
            *counts.entry(function).or_insert(0) += row["count"].as_u64().unwrap_or(0);
        }
        counts
    }
}

/// Profiles a job, and reads the report over all ranks.
pub fn profile(mpi: Mpi, name: &str, ranks: u32, folder: &Path) -> Result<Done, String> {
    let session = paths::scratch(&format!("jobs session {} {name} {ranks}", mpi.name()));
    let done = profile_by(mpi.run(ranks, &session), mpi, name, ranks, folder);
    let _ = std::fs::remove_dir_all(&session);
    done
}

/// The same, with this launcher's command.
pub fn profile_by(
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

pub fn report(folder: &Path) -> Result<Value, String> {
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
