//! Checks that `sys` is the one place to port: only `sys` has instructions of a processor and calls
//! of the C library.
//!
//! Types and numbers of the C library may stand anywhere (`libc::dl_phdr_info`, `libc::EINVAL`):
//! the crate `libc` has most of them for every processor, and the compiler finds those that are
//! missing. Programs beside the runtime (the agent, `inspect`, the command) may call the C library:
//! they are written for Linux anyway, and their calls are the same on every processor.

use super::sources::{self, Source};
use crate::Outcome;
use crate::tools::{cargo, output, run, step};
use std::path::Path;
use std::process::Command;

/// The texts that mark code for one processor.
const INSTRUCTIONS: &[&str] = &["asm!", "unsafe(naked)", "_rdtsc", "core::arch::"];

/// The crates of the runtime that must call the C library through `sys`.
const RUNTIME: &[&str] = &[
    "library", "capi", "memory", "tools", "engine", "settings", "mapping", "events", "sync",
    "layout", "index", "abi",
];

/// Files with instructions outside of `sys`, and why.
const ALLOWED: &[(&str, &str)] = &[
    ("profile/agent/src/unwind/capture.rs", "the registers that its unwinder begins with"),
    ("profile/agent/src/clock.rs", "its clock, the time-stamp counter"),
    ("profile/agent/src/interpose/define.rs", "functions that must leave no frame"),
    ("profile/agent/src/interpose/formatted.rs", "functions with any number of arguments"),
    ("profile/agent/src/interpose/mpi/entries.rs", "functions whose arguments it does not know"),
    ("profile/agent/src/sampling/signal.rs", "the way into its handler and out of it"),
];

/// The processor for which all crates but `sys` are type-checked, and the crates that are left out.
const OTHER: &str = "aarch64-unknown-linux-gnu";
const NOT_CHECKED: &[(&str, &str)] = &[
    ("omphalos-agent", "reads the registers of a signal's context"),
    ("omphalos-inspect", "reads the registers of another process"),
    ("omphalos-ompd", "depends on `omphalos-inspect`"),
    ("omphalos-conform", "depends on `omphalos-inspect`"),
    ("omphalos-check", "depends on `omphalos-inspect`"),
    ("omphalos-mcp", "depends on `omphalos-inspect`"),
    ("omphalos", "depends on `omphalos-inspect`"),
];

/// Reads the sources.
pub fn check() -> Outcome {
    let mut faults = Vec::new();
    for folder in sources::crates()?.iter().filter(|folder| *folder != "runtime/sys") {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        let is_runtime = RUNTIME.contains(&name);
        for source in sources::under(&format!("{folder}/src"))? {
            let allowed = ALLOWED.iter().any(|(path, _)| *path == source.path);
            if !allowed && !source.is_test() {
                faults.extend(faults_of(&source, is_runtime));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

/// Type-checks the workspace for the other processor, if its target is installed.
pub fn check_other() -> Outcome {
    let folder = output(Command::new("rustc").args(["--print=target-libdir", "--target", OTHER]))?;
    if !Path::new(folder.trim()).is_dir() {
        step(&format!("no type check for {OTHER}: `rustup target add {OTHER}` would allow it"));
        return Ok(());
    }
    step(&format!("types for {OTHER}"));
    let mut check = cargo();
    check.args(["check", "--workspace", "--target", OTHER]);
    for (name, _) in NOT_CHECKED {
        check.args(["--exclude", name]);
    }
    run(&mut check)
}

fn faults_of(source: &Source, runtime: bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, line) in source.lines() {
        let found = INSTRUCTIONS.iter().find(|what| line.contains(**what)).copied();
        if let Some(what) = found.or_else(|| called(line).filter(|_| runtime)) {
            faults.push(format!("{}:{at}: `{what}`: only `sys` may have it", source.path));
        }
    }
    faults
}

/// Finds the function of the C library that a line calls or takes the address of.
fn called(line: &str) -> Option<&str> {
    line.match_indices("libc::").find_map(|(at, prefix)| {
        let name = &line[at + prefix.len()..];
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        let is_lower = name[..end].chars().all(|c| !c.is_uppercase());
        (is_lower && name[end..].starts_with('(')).then(|| &line[at..at + prefix.len() + end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str, runtime: bool) -> usize {
        let source = Source { path: String::from("a.rs"), text: String::from(text) };
        faults_of(&source, runtime).len()
    }

    #[test]
    fn instructions_and_calls_are_found() {
        assert_eq!(faults("core::arch::asm!(\"ret\");", false), 1);
        assert_eq!(faults("let now = unsafe { _rdtsc() };", false), 1);
        assert_eq!(faults("unsafe { libc::free(memory) };", true), 1);
        assert_eq!(faults("unsafe { libc::free(memory) };", false), 0);
        assert_eq!(faults("fn f(info: &libc::dl_phdr_info) -> i32 { libc::EINVAL }", true), 0);
        assert_eq!(faults("// as asm!() and libc::free() do", true), 0);
        assert_eq!(faults("#[cfg(test)]\nmod tests {\nlibc::free(x);\n}", true), 0);
    }
}
