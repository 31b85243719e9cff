//! Starts other programs, reads and copies files, and knows where things are.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;

/// The root of the work tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root").to_path_buf()
}

/// Cargo's target directory: `CARGO_TARGET_DIR` (relative to the current directory, as cargo
/// takes it) or `target` in the root.
pub fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty()) {
        Some(dir) => std::env::current_dir().unwrap_or_else(|_| root()).join(dir),
        None => root().join("target"),
    }
}

/// Cargo's home, with its registry and the advisory database.
pub fn cargo_home() -> Outcome<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    home.ok_or_else(|| "cargo's home is not known: set CARGO_HOME".to_owned())
}

/// Writes on stderr what xtask does, so that stdout has only results.
pub fn step(text: &str) {
    eprintln!("xtask: {text}");
}

/// Returns a command for the cargo that runs this xtask, in the root.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Runs a command to its end; any exit status but 0 is an error that shows the command.
pub fn run(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("{status} from: {}", shown(command))) }
}

/// Runs a command to its end and returns its output on stdout.
pub fn output(command: &mut Command) -> Outcome<String> {
    let output = command.output().map_err(|error| cannot_start(command, &error))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} from: {}\n{stderr}", output.status, shown(command)));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("not UTF-8 from: {}", shown(command)))
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start `{}`: {error}", command.get_program().to_string_lossy())
}

fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether `program` is on the PATH.
pub fn have(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}

/// Returns the first of `candidates` that is on the PATH.
pub fn first_of(candidates: &[&'static str]) -> Option<&'static str> {
    candidates.iter().copied().find(|program| have(program))
}

/// Reads a file; the error names it.
pub fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Copies a file, making its folder; the error names both ends.
pub fn copy(from: &Path, to: &Path) -> Outcome {
    make_dir(to.parent().expect("a file has a folder"))?;
    // A running program or a mapped library must keep its old file: replace, never overwrite.
    let _ = std::fs::remove_file(to);
    std::fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
}

/// Makes a folder and those above it.
pub fn make_dir(dir: &Path) -> Outcome {
    std::fs::create_dir_all(dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))
}

/// Returns the entries of a folder, sorted by name.
pub fn sorted(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Returns all entries below a folder, sorted by path; links are not followed.
pub fn sorted_below(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in sorted(folder)? {
        let inside =
            if path.is_dir() && !path.is_symlink() { sorted_below(&path)? } else { Vec::new() };
        found.push(path);
        found.extend(inside);
    }
    Ok(found)
}
