//! The crates for others, used as others use them: in crates outside of the workspace, by the text
//! of the crates' pages and examples.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths, suite};

use crate::page::Page;

/// The time limit of the compiler on a busy machine.
const LIMIT: Duration = Duration::from_secs(170);

const PROGRAM: &str = "
int main(void) {
    volatile double sum = 0;
    #pragma omp parallel num_threads(2)
    for (int i = 0; i < 20000000; i++)
        sum = sum + 1;
    return 0;
}
";

pub fn tests() -> Vec<Trial> {
    vec![
        suite::test("docs::outsiders::tool", tool),
        suite::test("docs::outsiders::profile", profile),
    ]
}

/// Builds a crate outside of the workspace, and returns the folder of its results.
fn build(name: &str, manifest: &str, source: &str, text: &str) -> Result<PathBuf, String> {
    let folder = paths::scratch(&format!("outsider {name}"));
    let place = |path: &Path| -> Result<(), String> {
        fs::create_dir_all(path).map_err(|e| format!("{}: {e}", path.display()))
    };
    place(&folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{manifest}\n\
         [workspace]\n"
    );
    let files = [("Cargo.toml", manifest.as_str()), (source, text)];
    for (file, text) in files {
        fs::write(folder.join(file), text).map_err(|e| format!("{file}: {e}"))?;
    }
    fs::copy(paths::repository().join("Cargo.lock"), folder.join("Cargo.lock"))
        .map_err(|e| format!("Cargo.lock: {e}"))?;
    let target = folder.join("target");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(&folder).args(["build", "--offline", "--target-dir"]).arg(&target);
    let outcome = exec::run_within(&mut cargo, LIMIT)?;
    if outcome.success() { Ok(target.join("debug")) } else { Err(outcome.describe()) }
}

/// Changes a manifest so that the crate of this name comes from the repository, since it is on no
/// registry.
fn from_here(manifest: &str, name: &str, folder: &str) -> String {
    let path = paths::repository().join(folder);
    let here = format!("{name} = {{ path = \"{}\" }}", path.display());
    manifest.replace(&format!("{name} = \"0.2\""), &here)
}

/// Runs a program of two threads under `omphalos`, with `words` before it.
fn run(name: &str, words: &[&str], tool: Option<&Path>) -> Result<exec::Outcome, String> {
    let source = paths::scratch(&format!("outsider program {name}")).join("program.c");
    fs::write(&source, PROGRAM).map_err(|e| format!("{}: {e}", source.display()))?;
    let program = Compiler::Gcc.compile(&source, &[])?;
    let mut omphalos = Command::new(paths::omphalos());
    omphalos.args(words).arg(program);
    if let Some(tool) = tool {
        omphalos.env("OMP_TOOL_LIBRARIES", tool);
    }
    let outcome = exec::run(&mut omphalos)?;
    if outcome.success() { Ok(outcome) } else { Err(outcome.describe()) }
}

/// Tests the tool of the page, in a crate of its own.
fn tool() -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let page = Page::of("profile/ompt/README.md")?;
    let manifest = from_here(&page.block("[lib]")?, "omphalos-ompt", "profile/ompt");
    let built = build("tasks", &manifest, "src/lib.rs", &page.block("use omphalos_ompt")?)?;
    let said = run("tool", &["run"], Some(&built.join("libtasks.so")))?.stderr;
    let of_the_region = said.lines().filter(|line| line.ends_with(" of 2"));
    let threads: BTreeSet<&str> = of_the_region.collect();
    let is_right = threads == BTreeSet::from(["thread 0 of 2", "thread 1 of 2"]);
    if is_right { Ok(()) } else { Err(said) }
}

/// Tests the example that reads a profile, on a new profile.
fn profile() -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let example = paths::repository().join("profile/format/examples/threads.rs");
    let text = fs::read_to_string(&example).map_err(|e| format!("{}: {e}", example.display()))?;
    let manifest = "[dependencies]\nomphalos-profile-format = \"0.2\"\n";
    let manifest = from_here(manifest, "omphalos-profile-format", "profile/format");
    let built = build("threads", &manifest, "src/main.rs", &text)?;
    let file = paths::scratch("outsider profile").join("program.omph");
    run("profile", &["profile", "--no-report", "--output", &file.to_string_lossy()], None)?;
    let said = exec::run(Command::new(built.join("threads")).arg(&file))?;
    let lines: Vec<&str> = said.stdout.lines().collect();
    let is_told = |(line, number): (&&str, u32)| {
        line.starts_with(&format!("thread {number}: ")) && line.ends_with(" of them work")
    };
    let is_right = lines.len() == 2 && lines.iter().zip(0..).all(is_told);
    if said.success() && is_right { Ok(()) } else { Err(said.describe()) }
}
