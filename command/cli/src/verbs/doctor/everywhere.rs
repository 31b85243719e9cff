//! Adds to the findings of `omphalos doctor` the changes that `omphalos install` made, and, for
//! each name of a runtime, the file that the machine's programs get.

use super::Findings;
use crate::change::Made;
use crate::install::Installation;
use crate::scope::{machine, user, venv};

/// Adds a line for each change and for each name.
pub fn of_everywhere(findings: &mut Findings, installation: &Installation) {
    findings.title("Without `omphalos run`");
    let mut found = Vec::new();
    found.extend(user::made().into_iter().map(|made| ("your programs", made)));
    if let Ok(folder) = venv::folder(None) {
        found.extend(venv::made(&folder).into_iter().map(|made| ("environment", made)));
    }
    if found.is_empty() {
        findings.line("your programs", "run on the machine's runtimes");
    }
    for (whose, made) in found {
        let (Made::Lines(path) | Made::Own(path)) = made;
        findings.line(whose, &format!("run on Omphalos by {}", path.display()));
    }
    for (name, path) in machine::cached() {
        let Some(path) = path else { continue };
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        let whose = match installation.owns(&path) {
            true => ", Omphalos",
            false if machine::is_ours(&path) => ", another Omphalos",
            false => "",
        };
        let real = match real == path {
            true => String::new(),
            false => format!(" ({})", real.display()),
        };
        findings.line(name, &format!("{}{real}{whose}", path.display()));
    }
}
