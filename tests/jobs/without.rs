//! Processes that a launcher started and that are no job for a library of MPI: the program calls
//! none, or the launcher is another library's.

use std::path::Path;
use std::process::Command;

use omphalos_tests::{exec, paths};

use super::mpi::{Mpi, report};

/// Profiles two processes of a launcher. Returns the report as text.
fn text(mpi: Mpi, binary: &Path, folder: &Path) -> Result<String, String> {
    let session = folder.join("session");
    std::fs::create_dir_all(&session).map_err(|error| error.to_string())?;
    let mut command = mpi.run(2, &session);
    command.arg(paths::omphalos()).args(["profile", "-o", "job", "--"]).arg(binary);
    let outcome = exec::run(command.current_dir(folder))?;
    let shown = exec::run(Command::new(paths::omphalos()).arg("report").arg(folder.join("job")))?;
    match outcome.success() && shown.success() {
        true => Ok(shown.stdout),
        false => Err(format!("{}{}", outcome.describe(), shown.describe())),
    }
}

/// Tests that a job without a call of MPI has no factor of MPI, and that none waits in MPI.
pub fn no_call(mpi: Mpi) -> Result<(), String> {
    let folder = paths::scratch(&format!("jobs without {}", mpi.name()));
    let source = folder.join("app.c");
    let code = "int main(void) {\n#pragma omp parallel\n;\nreturn 0; }\n";
    std::fs::write(&source, code).map_err(|error| error.to_string())?;
    let binary = folder.join("app");
    let mut compile = Command::new("gcc");
    let compiled = exec::run(compile.arg("-fopenmp").arg(source).arg("-o").arg(&binary))?;
    if !compiled.success() {
        return Err(compiled.describe());
    }
    let text = text(mpi, &binary, &folder)?;
    let _ = std::fs::remove_dir_all(&folder);
    let rows = text.lines().map(|line| line.trim_start());
    let has_factor = rows.clone().any(|row| row.starts_with("MPI "));
    let has_balance = rows.clone().any(|row| row.starts_with("balance between ranks"));
    let waits = text.contains("in MPI meanwhile");
    match text.contains("no call of MPI was seen") && has_balance && !has_factor && !waits {
        true => Ok(()),
        false => Err(format!("MPI in a job without it:\n{text}")),
    }
}

/// Tests that a program of the other library, which takes each process for a job of its own, is
/// named.
pub fn of_another(mpi: Mpi) -> Result<(), String> {
    let other = match mpi {
        Mpi::Open => Mpi::Mpich,
        Mpi::Mpich => Mpi::Open,
    };
    let folder = paths::scratch(&format!("jobs other {}", mpi.name()));
    let binary = other.compile("even.c", &folder)?;
    let text = text(mpi, &binary, &folder)?;
    let warned = report(&folder.join("job"))?["job"]["warnings"][0].to_string();
    let _ = std::fs::remove_dir_all(&folder);
    match warned.contains("took each of the 2 processes for a job of its own") {
        true => Ok(()),
        false => Err(format!("nothing is said of the library:\n{text}")),
    }
}
