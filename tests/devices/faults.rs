//! Code of a region that faults on a device: one line names the construct, and the program ends by
//! the signal, as it would without the line.

use super::{Path, Runtime, holds, llvm, suite};
use libtest_mimic::Trial;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::paths;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

/// The program's argument, which says how it faults, the signal, and the words of the line; `SITE`
/// is the construct's place.
const CASES: [(&str, i32, &str); 7] = [
    ("read", libc::SIGSEGV, "SITE: SIGSEGV, the region's code uses address 0x10; the program"),
    ("thread", libc::SIGSEGV, "SITE: SIGSEGV, the region's code uses address 0x10; the program"),
    ("divide", libc::SIGFPE, "SITE: SIGFPE at "),
    ("illegal", libc::SIGILL, "SITE: SIGILL at "),
    ("raise", libc::SIGBUS, "SITE: SIGBUS was sent; the program ends here"),
    ("ignored", 0, ""),
    ("outside", libc::SIGSEGV, ""),
];

pub fn trials() -> Vec<Trial> {
    let source = paths::tests().join("devices/faults/kernel.c");
    let mut trials = llvm::trials("devices::faults", &source, |source, compiler| {
        let line = std::fs::read_to_string(source).map_err(|error| error.to_string())?;
        let line = line.lines().position(|line| line.contains("// the construct"));
        let program = llvm::compile_with(source, compiler, &["-g"])?;
        let site = format!("at .*kernel.c:{} in main", line.ok_or("no such line")? + 1);
        all(&site, || llvm::command(&program, "host"))
    });
    trials.push(suite::test("devices::faults", move || {
        let program = super::compile(&source)?;
        let file = program.file_name().map(|name| name.to_string_lossy().into_owned());
        let site = format!("called before {}+0x.* in main", file.unwrap_or_default());
        all(&site, || gnu(&program))?;
        // GCC's compiler gives no line, so the message names the region's function too.
        let ours = ends(gnu(&program).arg("divide"), libc::SIGFPE)?;
        let named = holds(&ours.stderr, " in main._omp_fn..*; the program ends here");
        if named { Ok(()) } else { Err(ours.describe()) }
    }));
    trials
}

fn gnu(program: &Path) -> Command {
    let mut command = Command::new(program);
    Runtime::Omphalos.apply(&mut command);
    command.env("OMPHALOS_DEVICES", "host").env("OMP_NUM_THREADS", "4");
    command
}

fn all(site: &str, command: impl Fn() -> Command) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    for (how, signal, words) in CASES {
        let ours = ends(command().arg(how), signal)?;
        let lines = ours.stderr.matches("omphalos: ").count();
        let words = words.replace("SITE", &format!("omphalos: target on device 0, {site}"));
        if lines != usize::from(!words.is_empty()) || !holds(&ours.stderr, &words) {
            return Err(format!("{how}: {}\nit should say: {words}", ours.describe()));
        }
    }
    // The program's own handler comes first, whether it was set before the device began or after.
    for how in ["handled", "later"] {
        let ours = exec::run(command().arg(how))?;
        if ours.status.code() != Some(3) || ours.stderr.contains("omphalos: ") {
            return Err(format!("{how}: {}", ours.describe()));
        }
    }
    // On the host there is no message.
    let ours = ends(command().env("OMPHALOS_DEVICES", "").arg("read"), libc::SIGSEGV)?;
    if ours.stderr.contains("omphalos: ") { Err(ours.describe()) } else { Ok(()) }
}

/// Runs the command, and checks that it ended by this signal; 0: with success.
fn ends(command: &mut Command, signal: i32) -> Result<Outcome, String> {
    let ours = exec::run(command)?;
    let good = if signal == 0 { ours.success() } else { ours.status.signal() == Some(signal) };
    if good { Ok(ours) } else { Err(ours.describe()) }
}
