//! Programs that Debian ships, unmodified: on our runtime they compute, byte for byte, what they
//! compute on the runtime that they were built for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

/// Debian's own program, and not a wrapper that may come first on the path.
const CONVERT: &str = "/usr/bin/convert";
const PYTHON: &str = "/usr/bin/python3";
/// The BLAS that numpy must use, whichever one the machine has chosen.
const OPENBLAS: &str = "/usr/lib/x86_64-linux-gnu/openblas-openmp";

fn main() -> ExitCode {
    let mut trials = vec![
        suite::test("programs::imagemagick_profiled", || profiled("convert", convert_profiled)),
        suite::test("programs::numpy_profiled", || profiled("matmul", numpy_profiled)),
    ];
    for threads in [1, 2, 4] {
        trials.push(suite::test(format!("programs::imagemagick::t{threads}"), move || {
            imagemagick(threads)
        }));
        trials.push(suite::test(format!("programs::numpy::t{threads}"), move || numpy(threads)));
    }
    suite::main(trials)
}

/// Tests resize and blur of a generated 4000×3000 image.
fn imagemagick(threads: u32) -> Result<(), String> {
    let folder = paths::scratch(&format!("imagemagick {threads}"));
    let input = picture(&folder)?;
    let render = |runtime: &Runtime, name: &str| -> Result<Vec<u8>, String> {
        let output = folder.join(name);
        let mut command = Command::new(CONVERT);
        convert_arguments(&mut command, &input, &output);
        succeed(&mut command, runtime, threads)?;
        fs::read(&output).map_err(|e| format!("{}: {e}", output.display()))
    };
    let stock = render(&Runtime::Stock, "stock.ppm")?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    if render(&Runtime::Omphalos, "ours.ppm")? != stock {
        return Err(format!("the images differ: see {}", folder.display()));
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

fn picture(folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join("in.ppm");
    let mut command = Command::new(CONVERT);
    command.args(["-size", "4000x3000", "-seed", "7", "plasma:blue-red", "-depth", "8"]).arg(&path);
    succeed(&mut command, &Runtime::Stock, 2)?;
    Ok(path)
}

fn convert_arguments(command: &mut Command, input: &Path, output: &Path) {
    command.arg(input).args(["-resize", "50%", "-blur", "0x3"]).arg(output);
}

/// Tests a 2000×2000 matrix product over libopenblas0-openmp.
fn numpy(threads: u32) -> Result<(), String> {
    let script = paths::tests().join("programs/matmul.py");
    let multiply = |runtime: &Runtime| -> Result<String, String> {
        let outcome = succeed(Command::new(PYTHON).arg(&script), runtime, threads)?;
        let lines: Vec<&str> = outcome.stdout.lines().collect();
        let wanted = if *runtime == Runtime::Stock { "stock" } else { "omphalos" };
        match lines[..] {
            [digest, "openblas-openmp", loaded] if loaded == wanted => Ok(digest.into()),
            _ => Err(format!("on {}: {}", runtime.name(), outcome.describe())),
        }
    };
    let stock = multiply(&Runtime::Stock)?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    match multiply(&Runtime::Omphalos)? == stock {
        true => Ok(()),
        false => Err("the products differ".into()),
    }
}

/// Tests `omphalos profile` of a program: it runs right, and the report names functions of it.
fn profiled(
    name: &str,
    run: fn(&Path, &Path) -> Result<Vec<&'static str>, String>,
) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let folder = paths::scratch(&format!("profiled {name}"));
    let profile = folder.join("profile.omph");
    let wanted = run(&folder, &profile)?;
    let mut command = Command::new(paths::omphalos());
    let outcome = exec::run(command.arg("report").arg(&profile))?;
    let named = wanted.iter().any(|word| outcome.stdout.contains(word));
    if !outcome.success() || !named {
        return Err(format!("the report names none of {wanted:?}: {}", outcome.describe()));
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

fn convert_profiled(folder: &Path, profile: &Path) -> Result<Vec<&'static str>, String> {
    let input = picture(folder)?;
    let mut command = profile_command(profile);
    command.arg(CONVERT);
    convert_arguments(&mut command, &input, &folder.join("out.ppm"));
    succeed(&mut command, &Runtime::Stock, 2)?;
    Ok(vec!["MorphologyApply", "MorphologyPrimitive", "ResizeImage", "HorizontalFilter", "Magick"])
}

fn numpy_profiled(_: &Path, profile: &Path) -> Result<Vec<&'static str>, String> {
    let mut command = profile_command(profile);
    command.arg(PYTHON).arg(paths::tests().join("programs/matmul.py"));
    succeed(&mut command, &Runtime::Stock, 2)?;
    Ok(vec!["dgemm", "exec_blas", "blas_thread", "cblas"])
}

fn profile_command(profile: &Path) -> Command {
    let mut command = Command::new(paths::omphalos());
    command.args(["profile", "--no-report", "--output"]).arg(profile).arg("--");
    command
}

fn succeed(command: &mut Command, runtime: &Runtime, threads: u32) -> Result<Outcome, String> {
    runtime.apply(command);
    let folders = runtime.library_path().into_iter().chain([PathBuf::from(OPENBLAS)]);
    let folders = std::env::join_paths(folders).map_err(|e| e.to_string())?;
    command.env("LD_LIBRARY_PATH", folders);
    command.env("OMP_NUM_THREADS", threads.to_string());
    let outcome = exec::run(command).map_err(|e| format!("on {}: {e}", runtime.name()))?;
    match outcome.success() {
        true => Ok(outcome),
        false => Err(format!("on {}: {}", runtime.name(), outcome.describe())),
    }
}
