//! Programs that do busy work of every kind, and that check their own results: looks change
//! nothing, whenever they come.

use std::time::{Duration, Instant};

use omphalos_tests::compiler::Compiler;

use super::running::{self, Running, on};

/// The kinds of work that `storm.c` knows.
pub const ALL: [&str; 6] = ["regions", "tasks", "memory", "sleeps", "forks", "libraries"];
/// The number of looks at one program.
const TIMES: u32 = 20;

fn storm(compiler: Compiler, runtime: &str, what: &str) -> Result<Running, String> {
    let library = running::build(compiler, "library.c", &["-shared", "-fPIC"])?;
    let program = running::build(compiler, "storm.c", &["-ldl"])?;
    let library = library.to_string_lossy().into_owned();
    Running::start(on(runtime), &program, &[what, &library])
}

/// Looks at the program twenty times in a row, on Omphalos every second time from inside. The
/// program's results must be right, and each look must have a report.
pub fn goes_on(compiler: Compiler, runtime: &str, what: &str) -> Result<(), String> {
    let mut running = storm(compiler, runtime, what)?;
    let mut inside = 0;
    for at in 0..TIMES {
        let options: &[&str] = if at % 2 == 0 { &["--outside"] } else { &[] };
        let (report, _) = running.reported(&[options, &["--for", "150ms"]].concat())?;
        inside += u32::from(report["summary"]["attached"].is_null());
        if running.has_ended() {
            break;
        }
        let threads = report["threads"].as_array().map_or(0, Vec::len);
        if threads == 0 {
            return Err(format!("no thread was seen\n{report:#}"));
        }
    }
    running.end()?;
    match inside > 0 || runtime != "omphalos" {
        true => Ok(()),
        false => Err("the agent never came".to_owned()),
    }
}

/// Tests that a program that ends during a look leaves a report of all that was seen.
pub fn program_ends() -> Result<(), String> {
    for runtime in ["omphalos", "libgomp"] {
        let mut running = storm(Compiler::Gcc, runtime, "regions")?;
        let pid = running.pid().to_string();
        let attach = running.command(&["attach", &pid, "-o", "app.omph", "--for", "1m"]);
        let attached = std::thread::spawn(move || omphalos_tests::exec::run(&mut { attach }));
        std::thread::sleep(Duration::from_secs(1));
        running.end()?;
        let outcome = attached.join().map_err(|_| "it panicked")??;
        let told = format!("process {pid} has ended meanwhile");
        if !outcome.success() || !outcome.stderr.contains(&told) || outcome.stdout.len() < 200 {
            return Err(outcome.describe());
        }
    }
    Ok(())
}

/// Tests that Ctrl-C ends the look with a report of all that was seen, and that the program goes
/// on.
pub fn interrupted() -> Result<(), String> {
    ["omphalos", "libgomp"].into_iter().try_for_each(interrupted_on)
}

fn interrupted_on(runtime: &str) -> Result<(), String> {
    let mut running = storm(Compiler::Gcc, runtime, "tasks")?;
    let pid = running.pid().to_string();
    let mut attach = running.command(&["attach", &pid, "-o", "app.omph", "--for", "1h"]);
    let mut child = attach.spawn().map_err(|error| error.to_string())?;
    let begun = Instant::now();
    std::thread::sleep(Duration::from_secs(1));
    // SAFETY: a signal to a child that nobody has waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let status = child.wait().map_err(|error| error.to_string())?;
    let report = running.omphalos(&["report", "app.omph"])?;
    running.end()?;
    match status.success() && report.success() && begun.elapsed() < Duration::from_secs(50) {
        true => Ok(()),
        false => Err(format!("{status}: {}", report.describe())),
    }
}

/// Tests that the program goes on when `omphalos` is killed in the middle of a look.
pub fn killed() -> Result<(), String> {
    for runtime in ["omphalos", "libgomp"] {
        let mut running = storm(Compiler::Gcc, runtime, "sleeps")?;
        let pid = running.pid().to_string();
        for time in [50, 120, 190, 260, 330, 400, 470] {
            let mut attach =
                running.command(&["attach", &pid, "-o", "killed.omph", "--hz", "1000"]);
            let mut child = attach.spawn().map_err(|error| error.to_string())?;
            std::thread::sleep(Duration::from_millis(time));
            let _ = child.kill();
            let _ = child.wait();
        }
        running.attached(&["--for", "300ms"])?;
        if runtime == "omphalos" {
            let came = Instant::now();
            // An agent leaves by itself when its user is gone.
            while running.reported(&["--for", "100ms"])?.0["summary"]["attached"].is_object() {
                if came.elapsed() > Duration::from_secs(60) {
                    return Err("the agent of one that was killed does not leave".to_owned());
                }
            }
        }
        running.end()?;
    }
    Ok(())
}
