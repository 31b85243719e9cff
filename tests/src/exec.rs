//! Runs a program to its end or to its time limit, and keeps its output.
//!
//! What must hold: a program that hangs is reported with the stacks of its threads and is killed
//! with all its children; the tests go on.

use std::ffi::OsStr;
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::guard;

/// The time after which a test program counts as hung.
pub const LIMIT: Duration = Duration::from_secs(60);

/// The end and the output of a program.
#[derive(Debug)]
pub struct Outcome {
    /// The exit status or signal.
    pub status: ExitStatus,
    /// The text on standard output; bytes that are no text are replaced.
    pub stdout: String,
    /// The same for standard error.
    pub stderr: String,
    /// The time from its start to its end.
    pub elapsed: Duration,
    /// The command that runs the program by hand.
    pub by_hand: String,
}

impl Outcome {
    /// Whether the program ended by itself with status 0.
    pub fn success(&self) -> bool {
        self.status.success()
    }

    /// Writes the end and the output in a few lines, for a failure's message.
    pub fn describe(&self) -> String {
        let end = match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("exit status {code}"),
            (None, Some(signal)) => format!("killed by signal {signal}"),
            (None, None) => "no exit status".into(),
        };
        format!(
            "{end} after {:.1} s\nstdout: {}\nstderr: {}\nby hand: {}",
            self.elapsed.as_secs_f64(),
            shorten(&self.stdout),
            shorten(&self.stderr),
            self.by_hand
        )
    }
}

/// Writes the command for a shell: the variables that it sets, the program, its arguments.
pub fn by_hand(command: &Command) -> String {
    let quoted = |word: &OsStr| {
        let word = word.to_string_lossy();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+".contains(c);
        match word.chars().all(is_plain) && !word.is_empty() {
            true => word.into_owned(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    };
    let sets = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}={}", name.to_string_lossy(), quoted(value?))));
    let words = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted);
    sets.chain(words).collect::<Vec<_>>().join(" ")
}

/// Returns [`LIMIT`], or the seconds that `OMPHALOS_TEST_LIMIT` names (a runtime under repair hangs
/// often).
fn limit() -> Duration {
    std::env::var("OMPHALOS_TEST_LIMIT")
        .ok()
        .and_then(|v| v.parse().ok())
        .map_or(LIMIT, Duration::from_secs)
}

/// Runs `command` with [`LIMIT`], or the limit of `OMPHALOS_TEST_LIMIT`.
pub fn run(command: &mut Command) -> Result<Outcome, String> {
    run_within(command, limit())
}

/// Runs `command`, and kills it when `limit` has passed.
///
/// # Errors
/// One line when it cannot be started; the stacks of its threads when it hangs.
pub fn run_within(command: &mut Command, limit: Duration) -> Result<Outcome, String> {
    let mut told = String::new();
    match run_until(command, limit, |pid| told = stacks(pid))? {
        Ending::Ended(outcome) => Ok(outcome),
        Ending::Killed { stdout, stderr } => Err(format!(
            "hangs: not finished after {} s\nstdout: {}\nstderr: {}\nby hand: {}\n{told}",
            limit.as_secs(),
            shorten(&stdout),
            shorten(&stderr),
            by_hand(command)
        )),
    }
}

/// As [`run_within`], for a program that may be too slow: `None` if it did not end in time.
///
/// # Errors
/// One line when it cannot be started.
pub fn run_timed(command: &mut Command, limit: Duration) -> Result<Option<Outcome>, String> {
    match run_until(command, limit, |_| ())? {
        Ending::Ended(outcome) => Ok(Some(outcome)),
        Ending::Killed { .. } => Ok(None),
    }
}

enum Ending {
    Ended(Outcome),
    Killed { stdout: String, stderr: String },
}

/// Runs `command`; if it is too slow, calls `examine` with its number while it is still alive.
fn run_until(
    command: &mut Command,
    limit: Duration,
    examine: impl FnOnce(u32),
) -> Result<Ending, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let start = Instant::now();
    let mut child =
        command.spawn().map_err(|e| format!("{}: {e}", command.get_program().to_string_lossy()))?;
    guard::begin(child.id());
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait(&mut child, limit)?;
    let elapsed = start.elapsed();
    if status.is_none() {
        examine(child.id());
    }
    // A grandchild that is still alive would keep the pipes open for ever.
    kill_group(&child);
    if status.is_none() {
        let _ = child.wait();
    }
    let (stdout, stderr) = (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
    Ok(match status {
        Some(status) => {
            Ending::Ended(Outcome { status, stdout, stderr, elapsed, by_hand: by_hand(command) })
        }
        None => Ending::Killed { stdout, stderr },
    })
}

fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>, String> {
    let start = Instant::now();
    let process = as_file(child);
    loop {
        if let Some(status) = child.try_wait().map_err(|e| format!("wait: {e}"))? {
            return Ok(Some(status));
        }
        let rest = limit.saturating_sub(start.elapsed());
        if rest.is_zero() {
            return Ok(None);
        }
        match &process {
            Some(process) => until_readable(process, rest),
            None => thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Opens the process as a file that becomes readable when the process ends; `None` if the kernel
/// has no such files.
fn as_file(child: &Child) -> Option<OwnedFd> {
    // SAFETY: a plain system call; the file, if there is one, has no other owner.
    unsafe {
        let file = libc::syscall(libc::SYS_pidfd_open, child.id(), 0);
        i32::try_from(file).ok().filter(|file| *file >= 0).map(|file| OwnedFd::from_raw_fd(file))
    }
}

/// Sleeps until the file is readable, for `limit` at most.
fn until_readable(file: &OwnedFd, limit: Duration) {
    let milliseconds = i32::try_from(limit.as_millis()).unwrap_or(i32::MAX).max(1);
    let mut asked = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one record, as the number says. The result does not matter: the caller asks again.
    unsafe { libc::poll(&raw mut asked, 1, milliseconds) };
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
    guard::end(child.id());
}

/// Returns the stacks of a hung process's threads, if gdb is installed.
pub fn stacks(pid: u32) -> String {
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

/// Returns the first and last part of a long text.
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
