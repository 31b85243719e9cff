//! `omphalos attach` on running programs (`attach/`), built by several compilers, on our runtime,
//! on libgomp and on libomp. The report's shares, lines and threads' work are true, and the
//! program goes on as it would without a profiler.

#[path = "attach/brought.rs"]
mod brought;
#[path = "attach/running.rs"]
mod running;
#[path = "attach/storms.rs"]
mod storms;

use std::process::ExitCode;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::suite;
use omphalos_tests::truth::figures::rows;
use serde_json::Value;

use running::{Running, line_of, on};

/// The allowed difference between a thread's work and its own clock: a share of the work, and
/// seconds, since the program notes the clock only every few milliseconds.
const NEAR: f64 = 0.05;
const NOTED: f64 = 0.02;

fn main() -> ExitCode {
    let mut tests = vec![
        suite::test("attach::fortran", fortran),
        suite::test("attach::ends::program", storms::program_ends),
        suite::test("attach::ends::interrupt", storms::interrupted),
        suite::test("attach::ends::killed", storms::killed),
        suite::test("attach::brought::counts", brought::counts),
        suite::test("attach::brought::no_trace", brought::no_trace),
        suite::test("attach::brought::times_apart", brought::times_apart),
        suite::test("attach::brought::cannot_come", brought::cannot_come),
        suite::test("attach::plain", plain),
        suite::test("attach::exports", exports),
        suite::test("attach::stopped", stopped),
        suite::test("attach::traced", traced),
    ];
    for (compiler, runtime) in running::ALL {
        let name = format!("{}::{runtime}", compiler.name());
        tests.push(suite::test(format!("attach::shares::{name}"), move || {
            shares(compiler, runtime)
        }));
        tests.push(suite::test(format!("attach::waits::{name}"), move || waits(compiler, runtime)));
        tests.push(suite::test(format!("attach::beside::{name}"), move || {
            beside(compiler, runtime)
        }));
        tests.push(suite::test(format!("attach::joined::{name}"), move || {
            joined(compiler, runtime)
        }));
        for storm in storms::ALL {
            tests.push(suite::test(format!("attach::storm::{storm}::{name}"), move || {
                storms::goes_on(compiler, runtime, storm)
            }));
        }
    }
    suite::main(tests)
}

/// Tests the regions' shares of the work, and each thread's work.
fn shares(compiler: Compiler, runtime: &'static str) -> Result<(), String> {
    let program = running::build(compiler, "shares.c", &[])?;
    let mut running = Running::start(on(runtime), &program, &[])?;
    let report = running.attached(&["--for", "4s"])?;
    planted(&report, "shares.c")?;
    let clocks = running.end()?;
    let begun = report["program"]["started_unix_ns"].as_f64().unwrap_or(f64::NAN);
    let span = (begun, begun + report["summary"]["elapsed_ns"].as_f64().unwrap_or(f64::NAN));
    for row in rows(&report, "threads") {
        let tid = row["os_tid"].as_u64().unwrap_or(0);
        let truth = running::ran(&clocks, tid, span);
        let work = row["openmp_work_ns"].as_f64().unwrap_or(f64::NAN) / 1e9;
        // The clock's notes miss the time between two regions, which is short. By chance a few
        // samples more or less fall into a wait: the tolerance is three of those that found the
        // thread with a processor.
        let of = |figure: &str| row[figure].as_f64().unwrap_or(f64::NAN);
        let told = of("samples") * of("running_ns") / of("alive_ns");
        let is_near = (work - truth).abs() <= (NEAR + 3.0 / told) * truth + NOTED;
        if !is_near {
            return Err(format!(
                "thread {tid} worked {work} s, by its clock {truth} s\n{report:#}"
            ));
        }
    }
    Ok(())
}

/// Checks that the report has the two regions at their lines, with 70 and 30 % of the work. The
/// tolerance depends on the number of samples in that work: other samples found a thread that
/// waits, or that has no processor.
fn planted(report: &Value, name: &str) -> Result<(), String> {
    let work = |mark: &str| -> Result<f64, String> {
        let line = line_of(name, mark)?;
        let row = rows(report, "regions").find(|row| row["construct"]["line"] == line);
        let row = row.ok_or_else(|| format!("no region at line {line}\n{report:#}"))?;
        if !row["instances"].is_null() {
            return Err(format!("it was counted: {row:#}"));
        }
        Ok(row["work_ns"].as_f64().unwrap_or(f64::NAN))
    };
    let (seventy, thirty) = (work("seventy")?, work("thirty")?);
    let summary = |field: &str| report["summary"][field].as_f64().unwrap_or(1.0);
    let samples = summary("samples") * (seventy + thirty) / summary("threads_alive_ns");
    let share = seventy / (seventy + thirty);
    // Four standard deviations.
    let chance = 4.0 * (0.7 * 0.3 / samples).sqrt();
    match (share - 0.7).abs() <= 0.02 + chance {
        true => Ok(()),
        false => Err(format!("{share} of {samples} samples, and not 0.7\n{report:#}")),
    }
}

fn fortran() -> Result<(), String> {
    for runtime in ["omphalos", "libgomp"] {
        let program = running::build(Compiler::Gfortran, "shares.f90", &[])?;
        let mut running = Running::start(on(runtime), &program, &[])?;
        let report = running.attached(&["--for", "3s"])?;
        planted(&report, "shares.f90")?;
        running.end()?;
    }
    Ok(())
}

/// Tests that the report tells a thread that waits at the region's end from one that sleeps in a
/// call of the program's own.
fn waits(compiler: Compiler, runtime: &'static str) -> Result<(), String> {
    let program = running::build(compiler, "waits.c", &[])?;
    let mut running = Running::start(on(runtime), &program, &[])?;
    let report = running.attached(&["--for", "3s"])?;
    running.end()?;
    let line = line_of("waits.c", "uneven")?;
    let row = rows(&report, "regions").find(|row| row["construct"]["line"] == line);
    let row = row.ok_or_else(|| format!("no region at line {line}\n{report:#}"))?;
    let of = |row: &Value, figure: &str| row[figure].as_f64().unwrap_or(f64::NAN);
    // One thread works, the other waits for it.
    let (work, wait) = (of(row, "work_ns"), of(row, "barrier_wait_ns"));
    let initial = rows(&report, "threads").find(|row| row["kind"] == "initial");
    let blocked = initial.map_or(f64::NAN, |row| of(row, "blocked_serial_ns"));
    let alive = initial.map_or(f64::NAN, |row| of(row, "alive_ns"));
    let is_right = work > 0.0 && wait > 0.3 * work && blocked > 0.0 && blocked < alive;
    let calls = report["summary"]["serial_calls"].to_string();
    match is_right && calls.contains("poll") {
        true => Ok(()),
        false => Err(format!("work {work}, wait {wait}, blocked {blocked} of {alive}\n{report:#}")),
    }
}

/// Tests that teams of one construct that run side by side are teams of two.
fn beside(compiler: Compiler, runtime: &'static str) -> Result<(), String> {
    let program = running::build(compiler, "beside.c", &["-pthread"])?;
    let mut running = Running::start(on(runtime), &program, &[])?;
    let report = running.attached(&["--for", "2s"])?;
    running.end()?;
    let line = line_of("beside.c", "pair")?;
    let row = rows(&report, "regions").find(|row| row["construct"]["line"] == line);
    match row.and_then(|row| row["team_size"].as_f64()) {
        Some(2.0) => Ok(()),
        team => Err(format!("a team of {team:?}\n{report:#}")),
    }
}

/// Tests that no finding blames a program for waiting for the ends of threads that work.
fn joined(compiler: Compiler, runtime: &'static str) -> Result<(), String> {
    let program = running::build(compiler, "joined.c", &[])?;
    let mut running = Running::start(on(runtime), &program, &[])?;
    let report = running.attached(&["--for", "2s"])?;
    running.end()?;
    let slept = report["summary"]["serial_calls"].to_string().contains("futex");
    let mut findings = rows(&report, "diagnosis");
    match slept && findings.all(|finding| finding["disease"] != "blocked") {
        true => Ok(()),
        false => Err(format!("{report:#}")),
    }
}

/// Tests that a program without OpenMP has a report too, and that no note is about its data.
fn plain() -> Result<(), String> {
    let program = running::build(Compiler::Gcc, "shares.c", &["-fno-openmp", "-DWITH_DATA"])?;
    let mut running = Running::start(on("libgomp"), &program, &[])?;
    let report = running.attached(&["--for", "1s"])?;
    running.end()?;
    if report["notes"].to_string().contains("cannot be read") {
        return Err(format!("a note about a file of data: {}", report["notes"]));
    }
    let tree = report["call_tree"].to_string();
    let is_there = ["main", "seventy", "compute"].iter().all(|name| tree.contains(name));
    if is_there { Ok(()) } else { Err(format!("{report:#}")) }
}

/// Tests that one line says of a stopped process what to do.
fn stopped() -> Result<(), String> {
    let program = running::build(Compiler::Gcc, "shares.c", &[])?;
    let mut running = Running::start(on("libgomp"), &program, &["stopped"])?;
    let pid = running.pid();
    // SAFETY: a signal to a process that this program has started.
    let signal = |signal| unsafe { libc::kill(pid.cast_signed(), signal) };
    signal(libc::SIGSTOP);
    // A thread stops when it next has a processor.
    let status = || std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    while !status().contains("State:\tT") && !running.has_ended() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let outcome = running.omphalos(&["attach", &pid.to_string(), "--for", "300ms"])?;
    signal(libc::SIGCONT);
    let is_line = outcome.stderr.lines().count() == 1;
    if outcome.success() || !is_line || !outcome.stderr.contains(&format!("kill -CONT {pid}")) {
        return Err(outcome.describe());
    }
    running.end().map(drop)
}

/// Tests that a profile says which other program traces the process.
fn traced() -> Result<(), String> {
    let program = running::build(Compiler::Gcc, "shares.c", &[])?;
    let mut running = Running::start(on("libgomp"), &program, &["traced"])?;
    let pid = running.pid();
    // The thread that seizes is the tracer, until it lets go.
    // SAFETY: a child of this program, which is detached below.
    let ask = |request, data: usize| unsafe { libc::ptrace(request, pid, 0usize, data) };
    if ask(libc::PTRACE_SEIZE, 0) != 0 {
        return Err(std::io::Error::last_os_error().to_string());
    }
    let seen = running.reported(&["--outside", "--for", "300ms"]);
    ask(libc::PTRACE_INTERRUPT, 0);
    // SAFETY: as above; a stopped child may be detached.
    unsafe { libc::waitpid(pid.cast_signed(), std::ptr::null_mut(), libc::__WALL) };
    ask(libc::PTRACE_DETACH, 0);
    let (report, _) = seen?;
    let notes = report["notes"].to_string();
    if !notes.contains("traces the process") {
        return Err(format!("{report:#}"));
    }
    running.end().map(drop)
}

/// Tests that each form of export can be made of a profile that `attach` wrote.
fn exports() -> Result<(), String> {
    let program = running::build(Compiler::Gcc, "shares.c", &[])?;
    let mut running = Running::start(on("omphalos"), &program, &[])?;
    running.attached(&["--for", "1s"])?;
    running.end()?;
    for form in ["--html", "--flamegraph", "--firefox", "--perfetto", "--pprof", "--speedscope"] {
        let out = running.folder.join(form);
        let outcome = running.omphalos(&["report", "app.omph", form, &out.to_string_lossy()])?;
        let made = std::fs::metadata(&out).is_ok_and(|file| file.len() > 100);
        if !outcome.success() || !made {
            return Err(format!("{form}: {}", outcome.describe()));
        }
    }
    let text = running.omphalos(&["report", "app.omph"])?;
    let words: Vec<&str> = text.stdout.split_whitespace().collect();
    let told = ["from outside", "the process ran already", "not known from outside"];
    match told.iter().all(|part| words.join(" ").contains(part)) {
        true => Ok(()),
        false => Err(text.describe()),
    }
}
