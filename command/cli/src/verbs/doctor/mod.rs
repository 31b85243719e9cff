//! `omphalos doctor`: prints what it finds about the installation, the machine and a program, and
//! names what would not work. Exit status 0, or 1 if it found a problem.

mod devices;
mod everywhere;
mod findings;
pub mod placement;
mod ways;

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::elf::{self, Elf, Start};
use crate::environment::Environment;
use crate::export::{self, Kind};
use crate::failure::Failure;
use crate::install::Installation;
use crate::openmp::{self, Interface};
use crate::search::Object;
use crate::verbs::run::on_omphalos;
use crate::{loader, machine, program, script, terminal};
pub use findings::Findings;

/// How long a timer is watched to learn the sampling rate.
const WATCH: Duration = Duration::from_millis(200);

/// Print what omphalos finds: its parts, the machine, and a program's OpenMP runtime
#[derive(clap::Args)]
pub struct Arguments {
    /// A program, a script or a shared library to look into (it is not run)
    #[arg(value_name = "PROGRAM", value_hint = clap::ValueHint::FilePath)]
    program: Option<OsString>,

    /// What the program would be given (nothing is run)
    #[arg(value_name = "ARGUMENT", requires = "placement", trailing_var_arg = true)]
    #[arg(allow_hyphen_values = true)]
    arguments: Vec<OsString>,

    /// Say where the threads of its regions would run, and what is wrong with that
    #[arg(long)]
    placement: bool,

    /// Write the findings as JSON; without =OUT on standard output
    #[arg(long, value_name = "OUT", value_hint = clap::ValueHint::FilePath)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
}

/// Prints the findings.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let asked: Vec<(Kind, &Path)> =
        arguments.json.as_deref().map(|out| (Kind::Json, out)).into_iter().collect();
    export::check(&asked)?;
    let mut findings = found(arguments.program.as_deref(), arguments.placement)?;
    if arguments.placement {
        let installation = Installation::find()?;
        let words: Vec<OsString> =
            arguments.program.iter().chain(&arguments.arguments).cloned().collect();
        placement::of_placement(&mut findings, &words, &installation)?;
    }
    for (kind, out) in &asked {
        export::write(*kind, out, &findings.json())?;
    }
    if asked.is_empty() {
        let mut text = findings.text();
        for problem in &findings.problems {
            let _ = writeln!(text, "problem: {problem}");
        }
        terminal::print(&terminal::fit(&text))?;
    }
    Ok(i32::from(!findings.problems.is_empty()))
}

/// Looks at the installation, the machine and a program.
///
/// # Errors
/// If there is no installation, or no such program.
pub fn findings(program: Option<&OsStr>) -> Result<Findings, Failure> {
    found(program, false)
}

/// Collects the findings. `placement`: also how many threads there would be.
fn found(program: Option<&OsStr>, placement: bool) -> Result<Findings, Failure> {
    let installation = Installation::find()?;
    let mut findings = Findings::default();
    let runtime = of_installation(&mut findings, &installation);
    everywhere::of_everywhere(&mut findings, &installation);
    of_machine(&mut findings, placement);
    of_environment(&mut findings);
    if let Some(name) = program {
        let words = program::words(&[name.to_owned()]);
        if words.len() > 1 {
            findings.title(&format!("Program {}", name.display()));
            findings.line("kind", &format!("a script for {}", words[0].display()));
        }
        let path = program::find_any(&words[0])?;
        of_program(&mut findings, &path, &installation, runtime.as_ref());
    }
    Ok(findings)
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

fn of_machine(findings: &mut Findings, placement: bool) {
    findings.title("Machine");
    let (all, usable) = machine::processors();
    findings.line("processors", &format!("{all}, of which this process may use {usable}"));
    if let Some(quota) = machine::quota() {
        findings.line("cgroup quota", &format!("{quota:.2} processors' worth of time"));
        if quota + 0.01 < usable as f64 && !placement {
            findings.problems.push(format!(
                "the cgroup grants {quota:.2} processors' worth of time, but OpenMP programs start \
                 {usable} threads; set OMP_NUM_THREADS={:.0}",
                quota.floor().max(1.0)
            ));
        }
    }
    match machine::sampling_rate(1000, WATCH) {
        // The rate is low on a busy machine too, so it is no problem by itself.
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

/// How many scripts may start each other in a chain. The kernel has this limit too.
const DEPTH: usize = 5;

fn of_program(
    findings: &mut Findings,
    path: &Path,
    installation: &Installation,
    runtime: Option<&Elf>,
) {
    of_program_to(findings, path, installation, runtime, DEPTH);
}

fn of_program_to(
    findings: &mut Findings,
    path: &Path,
    installation: &Installation,
    runtime: Option<&Elf>,
    depth: usize,
) {
    findings.title(&format!("Program {}", path.display()));
    if let Err(failure) = program::obstacles(path) {
        findings.problems.push(failure.message);
        return;
    }
    let Ok(own) = elf::read(path) else {
        if let Some(next) = of_script(findings, path).filter(|_| depth > 0) {
            of_program_to(findings, &next, installation, runtime, depth - 1);
        }
        return;
    };
    let (interpreter, kind) = match own.start.clone() {
        Start::Dynamic(interpreter) => (interpreter, "a dynamically linked x86-64 program"),
        _ => (LOADER.to_owned(), "a shared library: what a program gets that loads it"),
    };
    findings.line("kind", kind);
    if openmp::brings_its_own(&own) {
        findings.problems.push(format!(
            "{} has an OpenMP runtime linked into it statically, which may win over Omphalos; link \
             it with the shared runtime",
            path.display()
        ));
    }
    let libraries = loader::list(&interpreter, path, &Environment::default());
    let objects = objects(path, own, &libraries);
    let is_used = of_entry_points(findings, &objects, runtime);
    if is_used && !libraries.iter().any(|library| openmp::is_runtime(&library.name)) {
        findings.line("on its own", "it names no OpenMP runtime: it uses the one of its process");
    }
    of_runtimes(findings, "on its own", &libraries, None);
    if let Ok(environment) = on_omphalos(installation) {
        let libraries = loader::list(&interpreter, path, &environment);
        of_runtimes(findings, "on Omphalos", &libraries, Some(installation));
    }
    ways::of_ways(findings, path, &interpreter, &objects, &libraries, installation);
    devices::of_devices(findings, path, &interpreter, installation);
    for missing in libraries.iter().filter(|library| library.path.is_none()) {
        if !openmp::is_runtime(&missing.name) && !openmp::is_for_devices(&missing.name) {
            findings.problems.push(format!("the library {} is not found", missing.name));
        }
    }
}

/// The dynamic loader that all programs of glibc name.
const LOADER: &str = "/lib64/ld-linux-x86-64.so.2";

/// Describes a script, and its effect on the loader's variables; returns the program that it
/// starts, if that can be seen.
fn of_script(findings: &mut Findings, path: &Path) -> Option<PathBuf> {
    let interpreters = program::interpreters(path);
    let Some(last) = interpreters.last() else {
        findings.line("kind", "neither an ELF file nor a script");
        return None;
    };
    let names: Vec<_> = interpreters.iter().map(|path| path.display().to_string()).collect();
    findings.line("kind", &format!("a script for {}", names.join(", which finds ")));
    if !script::is_shell(last) {
        return Some(last.clone());
    }
    let script = script::read(path);
    ways::of_settings(findings, &script);
    if let Some(program) = &script.becomes {
        findings.line("starts", &program.display().to_string());
    }
    script.becomes
}

/// Returns the program or library, and those of its libraries that are not OpenMP runtimes.
fn objects(path: &Path, own: Elf, libraries: &[loader::Loaded]) -> Vec<Object> {
    let name = path.display().to_string();
    let mut objects = vec![Object { name, path: path.to_owned(), elf: own }];
    for library in libraries.iter().filter(|library| !openmp::is_runtime(&library.name)) {
        let Some(path) = library.path.clone() else { continue };
        if let Ok(elf) = elf::read(&path) {
            objects.push(Object { name: library.name.clone(), path, elf });
        }
    }
    objects
}

/// Reports the interfaces of each object, and whether Omphalos has everything that is used; returns
/// whether anything is used.
fn of_entry_points(findings: &mut Findings, objects: &[Object], runtime: Option<&Elf>) -> bool {
    let mut used = false;
    let mut missing = Vec::new();
    for Object { name, elf, .. } in objects {
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
    used
}

/// Lists the OpenMP runtimes among `libraries`. If the program is to run on Omphalos, another
/// runtime is loaded for nothing, since Omphalos's symbols come first.
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
        if omphalos.is_some_and(|installation| !installation.owns(path)) {
            text += ", loaded too but not used";
        }
        findings.line(when, &text);
    }
}
