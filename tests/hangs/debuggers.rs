//! The same programs in gdb and lldb, alive and as a core file, and the core in `omphalos inspect`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths};

use super::debugger::{Debugger, batch, says};
use super::{Expected, LIMIT, build, expected, findings, is_right, names, start, stem};

/// Whether a program's comments ask for this test.
pub fn wants(source: &Path) -> bool {
    std::fs::read_to_string(source).is_ok_and(|text| text.contains(" @debuggers"))
}

/// Whether the cause is not in a core file, because only the kernel knows it.
fn is_of_living(source: &Path) -> bool {
    std::fs::read_to_string(source).is_ok_and(|text| text.contains(" @debuggers alive"))
}

pub fn hang(compiler: Compiler, source: &Path, level: &str) -> Result<(), String> {
    let (expected, program) = (expected(source)?, build(compiler, source, level)?);
    let path = program.to_str().ok_or("a strange path")?;
    let file = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let running = start(&program, &[])?;
    let pid = running.subject.to_string();
    let title = format!("hang-{}-{}{level}", stem(source), compiler.name());
    let core = paths::scratch(&title).join("core");
    let save = format!("gcore {}", core.display());
    for debugger in [Debugger::Lldb, Debugger::Gdb] {
        let begun = Instant::now();
        // gdb, which comes last, also writes a core of the state that it has just described.
        let commands = ["omp why", &save];
        let saves = debugger == Debugger::Gdb && !is_of_living(source);
        let commands = if saves { &commands[..] } else { &commands[..1] };
        loop {
            let said = says(&mut batch(debugger, &["-p", &pid], commands)?)?;
            match told(&said, &expected, &file) {
                Err(fault) if begun.elapsed() > LIMIT => return Err(fault),
                Err(_) => {}
                Ok(()) => break,
            }
        }
    }
    drop(running);
    if is_of_living(source) {
        return Ok(());
    }
    let done = dead(&program, path, &core, &expected, &file);
    let _ = std::fs::remove_file(&core);
    done
}

fn dead(
    program: &Path,
    path: &str,
    core: &PathBuf,
    expected: &Expected,
    file: &str,
) -> Result<(), String> {
    let name = core.to_str().ok_or("a strange path")?;
    let said = says(&mut batch(Debugger::Gdb, &[path, name], &["omp why"])?)?;
    told(&said, expected, file).map_err(|fault| format!("of a core: {fault}"))?;
    let said = says(&mut batch(Debugger::Lldb, &[path, "-c", name], &["omp why"])?)?;
    told(&said, expected, file).map_err(|fault| format!("of a core: {fault}"))?;
    let mut inspect = Command::new(paths::omphalos());
    inspect.args(["why", "--json", "--core"]).arg(core).arg(program);
    let said = exec::run(&mut inspect)?;
    let seen: serde_json::Value = serde_json::from_str(&said.stdout)
        .map_err(|error| format!("{error}: {}", said.describe()))?;
    match is_right(findings(&seen), expected, file) {
        true => Ok(()),
        false => Err(format!("of a core: {:#}", seen["why"])),
    }
}

/// Checks that the debugger's answer is the one in the program's comments.
fn told(said: &str, expected: &Expected, file: &str) -> Result<(), String> {
    if expected.kind == "none" {
        let claims_nothing = ["no cause is found that blocks", "nothing is found that blocks"];
        return match claims_nothing.iter().any(|words| said.contains(words)) {
            true => Ok(()),
            false => Err(format!("a healthy program is accused:\n{said}")),
        };
    }
    let has = |lines: &Vec<usize>| lines.iter().any(|line| names(said, file, *line));
    let is_never = expected.never_says.as_ref().is_some_and(|words| said.contains(words));
    match said.contains(&expected.says) && !is_never && expected.lines.iter().all(has) {
        true => Ok(()),
        false => Err(format!("not lines {:?} of {file} in:\n{said}", expected.lines)),
    }
}
