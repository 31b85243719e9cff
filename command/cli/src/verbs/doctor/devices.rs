//! Finds the library of devices that a program of LLVM's compilers gets: LLVM's own, or Omphalos's,
//! with which its target regions run on the devices that the host plays (`OMPHALOS_DEVICES`).

use std::path::Path;

use super::Findings;
use crate::environment::Environment;
use crate::install::Installation;
use crate::loader::{self, Loaded};
use crate::openmp;
use crate::verbs::run::{devices_are_asked_for, on_omphalos};

/// Adds the finding for a program that asks for such a library.
pub fn of_devices(
    findings: &mut Findings,
    path: &Path,
    interpreter: &str,
    installation: &Installation,
) {
    let found = |environment: &Environment| {
        let libraries = loader::list(interpreter, path, environment);
        libraries.into_iter().find(|library| openmp::is_for_devices(&library.name))
    };
    let Some(own) = found(&Environment::default()) else { return };
    findings.line("devices", &said(&own, installation));
    let with_run = on_omphalos(installation).ok().and_then(|environment| found(&environment));
    if let Some(library) = with_run.filter(|library| library.path != own.path) {
        findings.line("with omphalos run", &said(&library, installation));
    }
    let folder = installation.devices();
    if devices_are_asked_for() && !own.path.as_deref().is_some_and(|path| installation.owns(path)) {
        findings.problems.push(format!(
            "OMPHALOS_DEVICES asks for devices, but the program gets another {}: put {} before \
             LD_LIBRARY_PATH, or start the program by `omphalos run`",
            own.name,
            folder.display()
        ));
    } else if own.path.is_none() {
        findings.problems.push(format!(
            "the library {} is not found: that of LLVM is not installed where the loader looks; \
             Omphalos's is in {}",
            own.name,
            folder.display()
        ));
    }
}

fn said(library: &Loaded, installation: &Installation) -> String {
    let name = &library.name;
    let Some(path) = &library.path else { return format!("{name} is not found") };
    let whose = match installation.owns(path) {
        true => "Omphalos's: regions run on the devices of OMPHALOS_DEVICES, or on the host",
        false => "LLVM's own: regions run on the devices that it finds, or on the host",
    };
    format!("{name} => {}, {whose}", path.display())
}
