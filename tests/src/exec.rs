//! Runs a program to its end or to its time limit, and keeps what it wrote.
//!
//! What must hold: a program that hangs is reported with the stacks of its threads and is killed
//! with all its children; the tests go on.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a test program may take before it counts as hung.
pub const LIMIT: Duration = Duration::from_secs(60);

/// What a program left behind.
#[derive(Debug)]
pub struct Outcome {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    pub elapsed: Duration,
}

impl Outcome {
    /// Whether it ended by itself with status 0.
    pub fn success(&self) -> bool {
        self.status.success()
    }

    /// The end and the output in a few lines, for a failure's message.
    pub fn describe(&self) -> String {
        let end = match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("exit status {code}"),
            (None, Some(signal)) => format!("killed by signal {signal}"),
            (None, None) => "no exit status".into(),
        };
        format!(
            "{end} after {:.1} s\nstdout: {}\nstderr: {}",
            self.elapsed.as_secs_f64(),
            shorten(&self.stdout),
            shorten(&self.stderr)
        )
    }
}

/// [`LIMIT`], or the seconds that `OMPHALOS_TEST_LIMIT` names (a runtime under repair hangs often).
fn limit() -> Duration {
    std::env::var("OMPHALOS_TEST_LIMIT")
        .ok()
        .and_then(|v| v.parse().ok())
        .map_or(LIMIT, Duration::from_secs)
}

/// Runs `command` with [`LIMIT`].
pub fn run(command: &mut Command) -> Result<Outcome, String> {
    run_within(command, limit())
}

/// Runs `command`, which is killed when `limit` has passed.
///
/// # Errors
/// One line when it cannot be started; the stacks of its threads when it hangs.
pub fn run_within(command: &mut Command, limit: Duration) -> Result<Outcome, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let start = Instant::now();
    let mut child =
        command.spawn().map_err(|e| format!("{}: {e}", command.get_program().to_string_lossy()))?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait(&mut child, limit)?;
    let elapsed = start.elapsed();
    let Some(status) = status else {
        let stacks = stacks(child.id());
        kill_group(&child);
        let _ = child.wait();
        let (out, err) = (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
        return Err(format!(
            "hangs: not finished after {} s\nstdout: {}\nstderr: {}\n{stacks}",
            limit.as_secs(),
            shorten(&out),
            shorten(&err)
        ));
    };
    // A grandchild that is still alive would keep the pipes open for ever.
    kill_group(&child);
    Ok(Outcome {
        status,
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
        elapsed,
    })
}

fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>, String> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait().map_err(|e| format!("wait: {e}"))? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

fn drain<R: Read + Send + 'static>(pipe: Option<R>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn kill_group(child: &Child) {
    // SAFETY: a plain system call; the group is the child's own (process_group(0) above).
    unsafe { libc::kill(-(child.id() as i32), libc::SIGKILL) };
}

/// The stacks of a hung process's threads, where gdb is there to tell them.
fn stacks(pid: u32) -> String {
    let result = Command::new("timeout")
        .args(["20", "gdb", "-nx", "-batch", "-p", &pid.to_string()])
        .args(["-ex", "set pagination off", "-ex", "thread apply all backtrace 16"])
        .stdin(Stdio::null())
        .output();
    match result {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            let lines: Vec<&str> =
                text.lines().filter(|l| l.starts_with('#') || l.starts_with("Thread")).collect();
            format!("stacks:\n{}", lines.join("\n"))
        }
        Err(_) => "stacks: gdb is not installed".into(),
    }
}

/// The first and last part of a long text.
pub fn shorten(text: &str) -> String {
    const KEEP: usize = 1500;
    let text = text.trim_end();
    if text.len() <= 2 * KEEP {
        return text.to_string();
    }
    let head: String = text.chars().take(KEEP).collect();
    let skip = text.chars().count() - KEEP;
    let tail: String = text.chars().skip(skip).collect();
    format!("{head}\n[…]\n{tail}")
}
