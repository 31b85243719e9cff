//! `omphalos doctor`: prints what it finds of the installation, the machine and a program, and
//! names what would not work. Exit status 0, or 1 where it found a problem.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use crate::elf::{self, Elf, Start};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::install::Installation;
use crate::openmp::{self, Interface};
use crate::verbs::run::on_omphalos;
use crate::{loader, machine, program};

/// How long the timer is watched that shows what rate sampling gets.
const WATCH: Duration = Duration::from_millis(200);

/// Print what omphalos finds: its parts, the machine, and a program's OpenMP runtime
#[derive(clap::Args)]
pub struct Arguments {
    /// A program to look into (it is not run)
    #[arg(value_name = "PROGRAM")]
    program: Option<OsString>,
}

/// What is printed, and the problems on the way.
#[derive(Default)]
struct Findings {
    text: String,
    problems: Vec<String>,
}

impl Findings {
    fn title(&mut self, title: &str) {
        let _ = writeln!(self.text, "{title}");
    }

    fn line(&mut self, name: &str, what: &str) {
        let _ = writeln!(self.text, "  {name:<16} {what}");
    }
}

/// Prints the findings.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let installation = Installation::find()?;
    let mut findings = Findings::default();
    let runtime = of_installation(&mut findings, &installation);
    of_machine(&mut findings);
    of_environment(&mut findings);
    if let Some(name) = &arguments.program {
        let path = program::find(name)?;
        of_program(&mut findings, &path, &installation, runtime.as_ref());
    }
    print!("{}", findings.text);
    for problem in &findings.problems {
        println!("problem: {problem}");
    }
    Ok(i32::from(!findings.problems.is_empty()))
}

fn of_installation(findings: &mut Findings, installation: &Installation) -> Option<Elf> {
    findings.title(&format!("Omphalos {}", env!("CARGO_PKG_VERSION")));
    let mut runtime = None;
    match installation.runtime().map(|path| (elf::read(&path), path)) {
        Ok((Ok(elf), path)) => {
            let count = elf.defined.len();
            findings.line("runtime", &format!("{} ({count} entry points)", path.display()));
            runtime = Some(elf);
        }
        Ok((Err(error), path)) => {
            findings.problems.push(format!("cannot read {}: {error:?}", path.display()));
        }
        Err(failure) => findings.problems.push(failure.message),
    }
    match installation.agent() {
        Ok(path) => findings.line("agent", &path.display().to_string()),
        Err(failure) => findings.problems.push(failure.message),
    }
    runtime
}

fn of_machine(findings: &mut Findings) {
    findings.title("Machine");
    let (all, usable) = machine::processors();
    findings.line("processors", &format!("{all}, of which this process may use {usable}"));
    if let Some(quota) = machine::quota() {
        findings.line("cgroup quota", &format!("{quota:.2} processors' worth of time"));
        if quota + 0.01 < usable as f64 {
            findings.problems.push(format!(
                "the cgroup grants {quota:.2} processors' worth of time, but OpenMP programs start \
                 {usable} threads; set OMP_NUM_THREADS={:.0}",
                quota.floor().max(1.0)
            ));
        }
    }
    match machine::sampling_rate(1000, WATCH) {
        // Low on a busy machine too, so it is no problem by itself.
        Ok(rate) => findings
            .line("sampling", &format!("{rate:.0} samples a second where 1000 were asked for")),
        Err(error) => findings.problems.push(format!("timers cannot be made: {error}")),
    }
}

fn of_environment(findings: &mut Findings) {
    let prefixes = ["OMP_", "GOMP_", "KMP_", "OMPHALOS_", "LD_PRELOAD", "LD_LIBRARY_PATH"];
    let mut variables: Vec<_> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value))
        .filter(|(name, _)| prefixes.iter().any(|prefix| name.starts_with(prefix)))
        .collect();
    variables.sort();
    if variables.is_empty() {
        return;
    }
    findings.title("Environment");
    for (name, value) in variables {
        findings.line(&name, &value.to_string_lossy());
    }
}

fn of_program(
    findings: &mut Findings,
    path: &Path,
    installation: &Installation,
    runtime: Option<&Elf>,
) {
    findings.title(&format!("Program {}", path.display()));
    if let Err(failure) = program::check(path) {
        findings.problems.push(failure.message);
        return;
    }
    let Ok(own) = elf::read(path) else {
        let script = program::interpreter(path);
        let kind = script.map(|script| format!("a script for {}", script.display()));
        findings.line("kind", kind.as_deref().unwrap_or("neither an ELF file nor a script"));
        return;
    };
    let Start::Dynamic(interpreter) = own.start.clone() else {
        findings.line("kind", "a shared library");
        return;
    };
    findings.line("kind", "a dynamically linked x86-64 program");
    if openmp::brings_its_own(&own) {
        findings.problems.push(format!(
            "{} has an OpenMP runtime linked into it statically, which may win over Omphalos; link \
             it with the shared runtime",
            path.display()
        ));
    }
    let libraries = loader::list(&interpreter, path, &Environment::default());
    of_entry_points(findings, path, own, &libraries, runtime);
    of_runtimes(findings, "on its own", &libraries, None);
    if let Ok(environment) = on_omphalos(installation) {
        let libraries = loader::list(&interpreter, path, &environment);
        of_runtimes(findings, "on Omphalos", &libraries, Some(installation));
    }
    for missing in libraries.iter().filter(|library| library.path.is_none()) {
        if !openmp::is_runtime(&missing.name) {
            findings.problems.push(format!("the library {} is not found", missing.name));
        }
    }
}

/// Says who uses which interface, and whether Omphalos has all of what is used.
fn of_entry_points(
    findings: &mut Findings,
    path: &Path,
    own: Elf,
    libraries: &[loader::Loaded],
    runtime: Option<&Elf>,
) {
    let mut users = vec![(path.display().to_string(), own)];
    for library in libraries.iter().filter(|library| !openmp::is_runtime(&library.name)) {
        if let Some(elf) = library.path.as_deref().and_then(|path| elf::read(path).ok()) {
            users.push((library.name.clone(), elf));
        }
    }
    let mut used = false;
    let mut missing = Vec::new();
    for (name, elf) in &users {
        let entry_points = openmp::entry_points(elf);
        for interface in [Interface::Gcc, Interface::Llvm, Interface::Routines] {
            let count = entry_points.iter().filter(|(of, _)| *of == interface).count();
            if count > 0 {
                used = true;
                findings.line("OpenMP", &format!("{name} uses {count} of {}", interface.name()));
            }
        }
        for (_, entry_point) in entry_points {
            if runtime.is_some_and(|runtime| !openmp::offers(runtime, &entry_point)) {
                missing.push(match entry_point.1.as_str() {
                    "" => entry_point.0,
                    version => format!("{}@{version}", entry_point.0),
                });
            }
        }
    }
    if !used {
        let text = "none in it or its libraries; it may still load some later, as Python does";
        findings.line("OpenMP", text);
    } else if runtime.is_some() && missing.is_empty() {
        findings.line("entry points", "Omphalos has all of them");
    } else if !missing.is_empty() {
        missing.sort();
        missing.dedup();
        findings.problems.push(format!("Omphalos lacks entry points: {}", missing.join(" ")));
    }
}

/// Lists the OpenMP runtimes among `libraries`; one that is not Omphalos's although the program
/// is to run on Omphalos is loaded for nothing, since Omphalos's symbols come first.
fn of_runtimes(
    findings: &mut Findings,
    when: &str,
    libraries: &[loader::Loaded],
    omphalos: Option<&Installation>,
) {
    for library in libraries.iter().filter(|library| openmp::is_runtime(&library.name)) {
        let Some(path) = library.path.as_deref() else {
            findings.line(when, &format!("{} is not found", library.name));
            continue;
        };
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut text = match path.to_string_lossy() == library.name {
            true => library.name.clone(),
            false => format!("{} => {}", library.name, path.display()),
        };
        if real != path {
            text += &format!(" ({})", real.display());
        }
        let ours =
            omphalos.map(Installation::runtime_path).and_then(|path| path.canonicalize().ok());
        if ours.is_some_and(|ours| ours != real) {
            text += ", loaded too but not used";
        }
        findings.line(when, &text);
    }
}
