//! The OpenMP Validation and Verification suite (OpenMP_VV), its host side: one program a file,
//! which exits with 0 when all is right.

use std::path::Path;

use super::case::Case;
use super::llvm::{collect, name};
use super::options::Options;

/// The programs of the checkout, those with devices included: without one they run on the host.
pub fn cases(options: &Options) -> Result<Vec<Case>, String> {
    let mut files = Vec::new();
    collect(&options.from.join("tests"), &["c", "cpp", "F90"], &mut files)?;
    files.iter().map(|file| case(file, options)).collect()
}

fn case(file: &Path, options: &Options) -> Result<Case, String> {
    let compiler = options.tools.of_source(file).ok_or_else(|| format!("{}", file.display()))?;
    let name = name(file, options);
    let root = options.from.display();
    let build = format!(
        "{compiler} -O2 -fopenmp {} -I{root}/ompvv {} $RUNTIME {} -o program -lm",
        options.flags,
        version(&name, options),
        file.display()
    );
    let mut case = Case::new(name, build, "$LIMIT ./program".into());
    case.env = environment(file);
    Ok(case)
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
