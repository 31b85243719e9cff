//! Finds the ways that bring a program to Omphalos: its folder in `LD_LIBRARY_PATH`, `ldconfig`, or
//! `omphalos run`, which preloads it. The loader is asked in each of these environments. If a way
//! does not work, this names the obstacle.

use std::path::{Path, PathBuf};

use super::Findings;
use crate::environment::Environment;
use crate::install::Installation;
use crate::loader::{self, Loaded};
use crate::openmp;
use crate::script::{Script, Setting};
use crate::search::{self, Lead, Object};

/// Adds the findings for a program or library whose OpenMP runtimes the loader finds. `libraries`:
/// the libraries that it gets without Omphalos.
pub fn of_ways(
    findings: &mut Findings,
    path: &Path,
    interpreter: &str,
    objects: &[Object],
    libraries: &[Loaded],
    installation: &Installation,
) {
    let runtimes = |libraries: &[Loaded]| -> Vec<Loaded> {
        libraries.iter().filter(|library| openmp::is_runtime(&library.name)).cloned().collect()
    };
    let environment = folders(std::env::var_os("LD_LIBRARY_PATH"));
    let own = runtimes(libraries);
    if own.is_empty() {
        return;
    }
    let lead = |library: &Loaded| search::lead(library, objects, &environment);
    let mut with_folder = Environment::default();
    with_folder.prepend("LD_LIBRARY_PATH", installation.lib().as_os_str());
    let ours = |library: &Loaded| library.path.as_ref().is_some_and(|path| installation.owns(path));
    let found = runtimes(&loader::list(interpreter, path, &with_folder));
    let past_folder = found.iter().find(|library| !ours(library));
    findings.line("LD_LIBRARY_PATH", &verdict(past_folder.map(|past| (past, lead(past)))));
    // The loader asks ldconfig's cache only for a library that it finds by no path or folder.
    let filed = |library: &Loaded| {
        let is_free = library.path.is_none() || lead(library) == Lead::System;
        openmp::is_usual_name(&library.name) && (is_free || ours(library))
    };
    let past_cache = own.iter().find(|library| !filed(library));
    findings.line("ldconfig", &verdict(past_cache.map(|past| (past, lead(past)))));
    findings.line("omphalos run", "serves it: LD_PRELOAD comes before all of these");
}

/// Returns whether a way serves, and if not, what leads past it.
fn verdict(past: Option<(&Loaded, Lead)>) -> String {
    let Some((library, lead)) = past else { return "serves it".to_owned() };
    let name = &library.name;
    match lead {
        // No folder of ours has a library of that name.
        Lead::System | Lead::Environment if !openmp::is_usual_name(name) => {
            format!("does not serve it: {name} is none of Omphalos's names")
        }
        lead => format!("does not serve it: {name}: {}", lead.in_words()),
    }
}

/// Reports a script's effect on the loader's variables, and the ways that do not serve the program
/// that it starts.
pub fn of_settings(findings: &mut Findings, script: &Script) {
    let first = |variable| script.settings.iter().find(|setting| setting.variable == variable);
    let at = |setting: &Setting| format!("{}, line {}", setting.file.display(), setting.line);
    if let Some(setting) = first("LD_LIBRARY_PATH") {
        let text = format!("may not serve it: set by {}", at(setting));
        findings.line("LD_LIBRARY_PATH", &text);
    }
    if let Some(setting) = first("LD_PRELOAD") {
        let text = format!("may not serve it: LD_PRELOAD is changed by {}", at(setting));
        findings.line("omphalos run", &text);
    } else if first("LD_LIBRARY_PATH").is_some() {
        findings.line("omphalos run", "serves it: LD_PRELOAD is left as it is");
    }
}

fn folders(list: Option<std::ffi::OsString>) -> Vec<PathBuf> {
    list.map(|list| std::env::split_paths(&list).collect()).unwrap_or_default()
}
