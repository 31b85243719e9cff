//! `demo`: builds Omphalos and the example programs, profiles one and prints the report.
//!
//! The command needs Rust and gcc only: an example whose compiler is missing is left out with a
//! message.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{self, first_of, make_dir, root, step, target_dir};
use crate::{Outcome, dist};

/// A language of the examples: its folder, its extension and the compilers that can build it.
struct Language {
    folder: &'static str,
    extension: &'static str,
    compilers: &'static [&'static str],
}

const LANGUAGES: &[Language] = &[
    Language { folder: "c", extension: "c", compilers: &["gcc"] },
    Language { folder: "cpp", extension: "cpp", compilers: &["g++"] },
    Language { folder: "fortran", extension: "f90", compilers: &["gfortran"] },
];

/// Profiles the example that the first argument names, or else the imbalance example.
pub fn run(arguments: &[String]) -> Outcome {
    let wanted = arguments.first().map_or("imbalance", String::as_str);
    let tree = dist::run()?;
    let built = compile_all()?;
    let names = || built.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let (_, program) = built
        .iter()
        .find(|(name, _)| name == wanted)
        .ok_or_else(|| format!("no example is called `{wanted}`; there are: {}", names()))?;
    let profile = program.with_extension("omph");
    step(&format!("profiling the example `{wanted}`"));
    let mut omphalos = Command::new(tree.join("bin/omphalos"));
    omphalos.arg("profile").arg("--output").arg(&profile).arg(program);
    tools::run(omphalos.env("OMP_NUM_THREADS", "2"))?;
    step(&format!("the examples: {}", names()));
    step("try another: cargo xtask demo NAME");
    step(&format!("on your own program: {}/bin/omphalos profile ./app", tree.display()));
    Ok(())
}

/// Compiles the examples of every language whose compiler is installed; returns their names and
/// programs.
fn compile_all() -> Outcome<Vec<(String, PathBuf)>> {
    let output = target_dir().join("examples");
    make_dir(&output)?;
    let mut built = Vec::new();
    for language in LANGUAGES {
        let folder = root().join("examples").join(language.folder);
        let Some(compiler) = first_of(language.compilers) else {
            let missing = language.compilers.join(" or ");
            step(&format!("{missing} is not installed: leaving out {}", folder.display()));
            continue;
        };
        for source in sources(&folder, language.extension) {
            let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let program = output.join(&name);
            let mut command = Command::new(compiler);
            command.args(["-O2", "-g", "-fopenmp", "-o"]).arg(&program).arg(&source).arg("-lm");
            tools::run(&mut command)?;
            built.push((name, program));
        }
    }
    Ok(built)
}

fn sources(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut sources: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    sources.sort();
    sources
}
