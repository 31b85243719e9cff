//! `omp why` where the runtime alone cannot tell the cause: mutexes, system calls, and cases that
//! are known only in part.

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{paths, suite};

use crate::debugger::{Debugger, Running, batch, holds, in_time, line, program, says};

pub fn tests() -> Vec<Trial> {
    let mut tests = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for debugger in [Debugger::Gdb, Debugger::Lldb] {
            let name =
                |what: &str| format!("why::{what}::{}::{}", debugger.name(), compiler.name());
            tests.push(suite::test(name("mutex"), move || mutex(debugger, compiler)));
            tests.push(suite::test(name("half"), move || half(debugger, compiler)));
            tests.push(suite::test(name("taskloop"), move || taskloop(debugger, compiler)));
            tests.push(suite::test(name("parted"), move || parted(debugger, compiler)));
        }
    }
    tests
}

/// Tests a circle over a lock and a pthread mutex, live and in a core.
fn mutex(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    const C: &str = "waits.c";
    let binary = program(C, compiler, "-O2")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    let mut shown = vec![
        "wait for each other, each for a lock that the next one holds: ".to_owned(),
        format!("waits.c:{} in main: waits for the lock 'lock', which thread", line(C, "lock")),
        format!(
            "waits for the pthread mutex 'mutex', which thread 0 holds (taken at waits.c:{})",
            line(C, "takes the mutex")
        ),
        format!(
            "waits for the lock 'lock', which thread ..holds (taken at waits.c:{})",
            line(C, "takes the lock")
        ),
    ];
    in_time(|| says(&mut batch(debugger, &["-p", &pid], &["omp why"])?), &shown)?;
    let core = paths::scratch(&format!("gdb-why-{}-{}", debugger.name(), compiler.name()));
    let core = core.join("core");
    let core_path = core.to_str().ok_or("a strange path")?;
    let save = format!("gcore {core_path}");
    says(&mut batch(Debugger::Gdb, &["-p", &pid], &[&save])?)?;
    drop(running);
    let target = match debugger {
        Debugger::Gdb => vec![path, core_path],
        Debugger::Lldb => vec![path, "-c", core_path],
    };
    let said = says(&mut batch(debugger, &target, &["omp why"])?)?;
    let _ = std::fs::remove_file(&core);
    // lldb may not be able to unwind the C library's frames in a core.
    shown[1] = "waits for the lock 'lock', which thread".to_owned();
    holds(&said, &shown)
}

/// Tests a program in which nothing blocks for good, since one thread computes: the answer still
/// says what the other threads wait for.
fn half(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    const C: &str = "half.c";
    let binary = program(C, compiler, "-O0")?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    let shown = [
        "no cause is found that blocks for good: some thread runs; this is known:".to_owned(),
        format!(
            "main [parallel] at half.c:{}: waits for critical without a name",
            line(C, "waits")
        ),
        format!("at half.c:{}: sleeps in the system call read file descriptor", line(C, "reads")),
        format!(
            "at half.c:{}: waits for the pthread mutex 'mutex', which thread ..holds",
            line(C, "locks")
        ),
        "critical 0x..without a name: held by thread".into(),
    ];
    let commands = ["omp why", "omp locks"];
    in_time(|| says(&mut batch(debugger, &["-p", &pid], &commands)?), &shown).map(drop)
}

/// Tests that the chunks of a taskloop that have not begun are not shown as tasks from an unknown
/// place.
fn taskloop(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    const C: &str = "taskloop.c";
    let running = Running::start(&program(C, compiler, "-O2")?)?;
    let pid = running.pid();
    let made = format!("taskloop.c:{}", line(C, "makes"));
    let shown = [
        format!("0x.. tasks of a taskloop, not begun, made in ..{made}"),
        format!("explicit task, executing, on .., made in ..{made}"),
    ];
    let ask = || says(&mut batch(debugger, &["-p", &pid], &["omp tasks"])?);
    let said = in_time(ask, &shown)?;
    if said.contains("unknown place") { Err(said) } else { Ok(()) }
}

/// Tests that members at different barriers are counted at each of them.
fn parted(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    const C: &str = "parted.c";
    let running = Running::start(&program(C, compiler, "-O2")?)?;
    let pid = running.pid();
    let shown = [
        "barrier (explicit) of the region in main at ..: 2 of 3 threads have come".to_owned(),
        format!("waits in main [parallel] at parted.c:{}", line(C, "waits")),
        "    1 has not come; barrier at the end of the region: waits for 0, 2".to_owned(),
        "barrier (region) of the region in main at ..: 1 of 3 threads have come".to_owned(),
    ];
    in_time(|| says(&mut batch(debugger, &["-p", &pid], &["omp barriers"])?), &shown).map(drop)
}
