//! A script of Python that calls MPI through a module's functions: the table of calls has the
//! script's lines.

use std::process::Command;

use omphalos_tests::{exec, paths, pythons};

use super::mpi::{Mpi, report};
use super::whole::line;

/// Tests that a call of MPI is at the script's line, with the module's function.
pub fn has_lines(mpi: Mpi) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs script {}", mpi.name()));
    let session = paths::scratch(&format!("jobs session script {}", mpi.name()));
    let sources = paths::tests().join("jobs");
    let library = folder.join("script.so");
    let mut compile = Command::new(format!("mpicc.{}", mpi.name()));
    compile.args(["-g", "-O1", "-fopenmp", "-shared", "-fPIC"]);
    let compiled = exec::run(compile.arg(sources.join("script.c")).arg("-o").arg(&library))?;
    if !compiled.success() {
        return Err(compiled.describe());
    }
    let mut command = mpi.run(2, &session);
    command.arg(paths::omphalos()).args(["profile", "-o", "job", "--"]).arg(pythons::SYSTEM);
    command.arg(sources.join("script.py")).arg(library).current_dir(&folder);
    let outcome = exec::run(&mut command);
    let _ = std::fs::remove_dir_all(&session);
    let outcome = outcome?;
    if !outcome.success() {
        return Err(outcome.describe());
    }
    let report = report(&folder.join("job"))?;
    let calls = report["job"]["mpi_calls"].as_array().cloned().unwrap_or_default();
    let barrier = calls.iter().find(|row| row["function"] == "MPI_Barrier");
    let place = barrier.and_then(|row| row["place"].as_str()).unwrap_or_default();
    let wanted = format!("{}in synchronise, by mpi4py.MPI.meet", line("script.py", "# meets"));
    let _ = std::fs::remove_dir_all(&folder);
    match place == wanted {
        true => Ok(()),
        false => Err(format!("not {wanted:?}: {calls:#?}")),
    }
}
