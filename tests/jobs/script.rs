//! A script of Python that calls MPI through a module's functions: the tables of calls have the
//! script's lines, also for calls that no sample sees.

use std::process::Command;

use omphalos_tests::{exec, paths, pythons};
use serde_json::Value;

use super::mpi::{Mpi, report};
use super::whole::line;

/// Tests that each call of MPI is at the script's line, in the job's report and a rank's own.
pub fn has_lines(mpi: Mpi) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs script {}", mpi.name()));
    let session = paths::scratch(&format!("jobs session script {}", mpi.name()));
    let sources = paths::tests().join("jobs");
    let library = folder.join("mpi4py/MPI.so");
    std::fs::create_dir(folder.join("mpi4py")).map_err(|error| error.to_string())?;
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
    let job = report(&folder.join("job"))?;
    let rank = report(&folder.join("job/rank-1.omph"))?;
    let _ = std::fs::remove_dir_all(&folder);
    has_calls(&job["job"]["mpi_calls"], 2)?;
    has_calls(&rank["mpi_calls"], 1)
}

/// Tests that a table has a row for each line of the script, with as many calls as `ranks` made.
fn has_calls(table: &Value, ranks: u64) -> Result<(), String> {
    let lines = [
        ("MPI_Init", "# begins", "<module>", 1),
        ("MPI_Barrier", "# meets", "synchronise", 10),
        ("MPI_Barrier", "# meets once", "<module>", 1),
    ];
    for (function, mark, inside, count) in lines {
        let wanted = format!("{}in {inside}", line("script.py", mark));
        let is_it = |row: &&Value| {
            let place = row.get("place").unwrap_or(&row["construct"]["label"]);
            row["function"] == function && *place == *wanted
        };
        let row = table.as_array().into_iter().flatten().find(is_it);
        if row.and_then(|row| row["count"].as_u64()) != Some(count * ranks) {
            return Err(format!("not {count} of each rank at {wanted:?}: {table:#}"));
        }
    }
    Ok(())
}
