//! Programs of gfortran's in gdb's other modes: the machine interface in non-stop mode, and
//! `scheduler-locking`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::suite;

use crate::debugger::{Debugger, batch, holds, line, program, says};

const F90: &str = "critical.f90";
/// The time limit of an answer.
const LIMIT: Duration = Duration::from_secs(60);

pub fn tests() -> Vec<Trial> {
    let mut tests = vec![suite::test("fortran::machine_non_stop", machine_non_stop)];
    for mode in ["step", "on"] {
        tests.push(suite::test(format!("fortran::locked::{mode}"), move || locked(mode)));
    }
    tests
}

/// Tests the selected thread's stack, variables and steps, in a mode that decides which other
/// threads move too.
fn locked(mode: &str) -> Result<(), String> {
    let binary = program(F90, Compiler::Gfortran, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let lock = format!("set scheduler-locking {mode}");
    let commands = ["omp break critical", "run", &lock, "omp threads", "omp bt", "omp pr total"];
    let then = ["omp next", "omp pr total", "omp step", "omp bt 1", "kill"];
    let commands: Vec<&str> = commands.into_iter().chain(then).collect();
    let said = says(&mut batch(Debugger::Gdb, &[path], &commands)?)?;
    let at = line(F90, "in critical");
    let shown = [
        format!("* ..of 3, level 1..work_parallel..main_program [parallel] at {F90}:{at}"),
        format!("#0 ..main_program [parallel] () at {F90}:{at}"),
        "#1 ..main_program".into(),
        "$1 = 40".into(),
        "$2 = 42".into(),
        format!("#0 ..main_program [parallel] () at {F90}:{}", at - 1),
    ];
    holds(&said, &shown)
}

/// gdb as a front end uses it: the front end must wait for the answer that says where the program
/// stopped.
struct Machine {
    gdb: Child,
    input: ChildStdin,
    said: Receiver<String>,
    all: String,
}

impl Machine {
    fn start(path: &str) -> Result<Machine, String> {
        let plain = batch(Debugger::Gdb, &[path], &[])?;
        let mut command = Command::new("gdb");
        command.args(plain.get_args().filter(|each| *each != "--batch")).arg("-i=mi");
        command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut gdb = command.spawn().map_err(|e| e.to_string())?;
        let input = gdb.stdin.take().ok_or("no input")?;
        let output = BufReader::new(gdb.stdout.take().ok_or("no output")?);
        let (tell, said) = channel();
        thread::spawn(move || {
            let _ = output.lines().map_while(Result::ok).try_for_each(|line| tell.send(line));
        });
        Ok(Machine { gdb, input, said, all: String::new() })
    }

    /// Gives a command, and waits for a line that begins with `until`.
    fn ask(&mut self, command: &str, until: &str) -> Result<(), String> {
        writeln!(self.input, "{command}").map_err(|e| e.to_string())?;
        loop {
            let line = self.said.recv_timeout(LIMIT);
            let line = line.map_err(|_| format!("no {until} after {command}:\n{}", self.all))?;
            self.all += &line;
            self.all.push('\n');
            if line.starts_with(until) {
                return Ok(());
            }
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.gdb.kill();
        let _ = self.gdb.wait();
    }
}

/// Tests non-stop mode: one thread stands in the critical section while the others run, and the
/// commands show and move that thread alone.
fn machine_non_stop() -> Result<(), String> {
    let binary = program(F90, Compiler::Gfortran, "-O0")?;
    let mut machine = Machine::start(binary.to_str().ok_or("a strange path")?)?;
    let on = |command: &str| format!("-interpreter-exec console \"{command}\"");
    machine.ask("-gdb-set non-stop on", "^done")?;
    machine.ask("-gdb-set mi-async on", "^done")?;
    machine.ask(&on("omp break critical"), "^done")?;
    machine.ask("-exec-run", "*stopped,reason=\"breakpoint-hit\"")?;
    // gdb keeps its selected thread, which need not be the one that stopped.
    let choose = "python [t.switch() for t in gdb.selected_inferior().threads() if t.is_stopped()]";
    machine.ask(&on(choose), "^done")?;
    for command in ["omp threads", "omp bt", "omp pr total"] {
        machine.ask(&on(command), "^done")?;
    }
    for command in ["omp next", "omp step"] {
        machine.ask(&on(command), "*stopped,reason=\"end-stepping-range\"")?;
    }
    machine.ask(&on("omp bt 1"), "^done")?;
    let at = line(F90, "in critical");
    let shown = [
        format!("* ..work_parallel..main_program [parallel] at {F90}:{at}"),
        format!("#0 ..main_program [parallel] () at {F90}:{at}"),
        "$1 = 40".into(),
        format!("frame=..line=\"{}\"", at + 1),
        format!("#0 ..main_program [parallel] () at {F90}:{}", at - 1),
    ];
    match machine.all.contains("^error") {
        true => Err(machine.all.clone()),
        false => holds(&machine.all, &shown),
    }
}
