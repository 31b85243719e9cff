//! The OpenMP Validation and Verification suite (OpenMP_VV), its host side: one program a file,
//! which exits with 0 when all is right.

use std::path::Path;
use std::process::Command;

use super::case::Case;
use super::llvm::{collect, name};
use super::options::Options;

/// The programs of the checkout, those with devices included: without one they run on the host.
pub fn cases(options: &Options) -> Result<Vec<Case>, String> {
    let mut files = Vec::new();
    collect(&options.from.join("tests"), &["c", "cpp", "F90", "F"], &mut files)?;
    let fortran = fortran(options);
    files.iter().map(|file| case(file, options, &fortran)).collect()
}

fn case(file: &Path, options: &Options, fortran: &str) -> Result<Case, String> {
    let compiler = options.tools.of_source(file).ok_or_else(|| format!("{}", file.display()))?;
    let name = name(file, options);
    let root = options.from.display();
    let more = if name.ends_with(".F90") || name.ends_with(".F") { fortran } else { "" };
    let build = format!(
        "$BUILD_LIMIT {compiler} -O2 -fopenmp {} -I{root}/ompvv {} $RUNTIME {} -o program -lm {more}",
        options.flags,
        version(&name, options),
        file.display()
    );
    let mut case = Case::new(name, build, "$LIMIT ./program".into());
    case.env = environment(file);
    Ok(case)
}

/// What Fortran's programs need beside. The suite's macros make long lines. Flang 19 calls LLVM's
/// offloading library even where no device is meant, and does not link it.
fn fortran(options: &Options) -> String {
    if options.tools.gnu {
        return "-ffree-line-length-none -ffixed-line-length-none".into();
    }
    let asked = Command::new(&options.tools.c).arg("-print-file-name=libomptarget.so").output();
    let path = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    match path.as_deref().ok().and_then(|path| path.rsplit_once('/')) {
        Some((folder, _)) => format!("-lomptarget -Wl,-rpath,{folder}"),
        None => String::new(),
    }
}

/// Clang takes the constructs of a newer OpenMP than its default only when it is told.
fn version(name: &str, options: &Options) -> String {
    let folder = name.split('/').nth(1).unwrap_or_default();
    match folder.split_once('.') {
        Some((major, minor)) if !options.tools.gnu => {
            format!("-fopenmp-version={major}{minor}")
        }
        _ => String::new(),
    }
}

/// `test_omp_proc_bind_env_close.c` wants `OMP_PROC_BIND=close`.
fn environment(file: &Path) -> Vec<(String, String)> {
    let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    let pair = stem.strip_prefix("test_").and_then(|rest| rest.rsplit_once("_env_"));
    match pair {
        Some((name, value)) => vec![(name.to_uppercase(), value.to_string())],
        None => Vec::new(),
    }
}
