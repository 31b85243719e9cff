//! Runs the profiled program beside this process, as if this process did not exist: the program
//! gets the signals that are meant for it, and this process ends as the program does.

use std::ffi::OsString;
use std::io::{PipeReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::inherited;
use crate::verbs::run::cannot_execute;

/// Signals that people and batch systems send to their programs.
const FORWARDED: [libc::c_int; 6] =
    [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2];

/// The child, once it runs (0 before). Written by `run` with the forwarded signals blocked, read
/// by the signal handler on the same thread: no ordering is needed.
static CHILD: AtomicI32 = AtomicI32::new(0);

/// The signal by which somebody asked this process to end, 0 = none.
static ASKED: AtomicI32 = AtomicI32::new(0);

/// A person who sends one of these wants no further run either, whatever the program does with it.
const ENDING: [libc::c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

/// Returns the end that somebody asked for by a signal. It also ends a series of runs.
pub fn asked_to_end() -> Option<End> {
    let signal = ASKED.load(Ordering::Relaxed);
    (signal != 0).then_some(End::Killed(signal))
}

/// Does `what`; Ctrl-C and its like then only set [`asked_to_end`]. For times when no program runs.
pub fn until_asked<R>(what: impl FnOnce() -> R) -> R {
    let ignored = install_handlers();
    let done = what();
    default_handlers(&ignored);
    done
}

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit status.
    Exited(i32),
    /// By this signal.
    Killed(i32),
}

/// The program after its end.
pub struct Ended {
    /// Its process id.
    pub pid: i32,
    /// How it ended.
    pub end: End,
}

/// Runs `path` to its end. `environment` is called with the child's process id.
pub fn run(
    path: &Path,
    arguments: &[OsString],
    environment: impl FnOnce(u32) -> Environment,
) -> Result<Ended, Failure> {
    run_watched(path, arguments, environment, None)
}

/// A function to call beside the program, with its process id, and the time between two calls.
pub type Watch<'a> = (Duration, &'a mut dyn FnMut(u32));

/// As [`run`], and calls `watch` from time to time. It may trace the child: nobody else waits for
/// it meanwhile.
pub fn run_watched(
    path: &Path,
    arguments: &[OsString],
    environment: impl FnOnce(u32) -> Environment,
    watch: Option<Watch<'_>>,
) -> Result<Ended, Failure> {
    let (pid, exec_error) = start(path, arguments, environment, false)?;
    if let (Some(watch), None) = (watch, &exec_error) {
        watch_until_end(pid, watch);
    }
    let end = wait(pid);
    CHILD.store(0, Ordering::Relaxed);
    match exec_error {
        Some(error) => Err(cannot_execute(path, &error)),
        None => Ok(Ended { pid, end: end? }),
    }
}

/// As [`run`], as a process that this one traces: `trace` gets its number when it has called
/// `exec`, and waits for it.
pub fn run_traced<R>(
    path: &Path,
    arguments: &[OsString],
    environment: impl FnOnce(u32) -> Environment,
    trace: impl FnOnce(i32) -> R,
) -> Result<R, Failure> {
    let (pid, exec_error) = start(path, arguments, environment, true)?;
    if let Some(error) = exec_error {
        let _ = wait(pid);
        return Err(cannot_execute(path, &error));
    }
    let seen = trace(pid);
    CHILD.store(0, Ordering::Relaxed);
    Ok(seen)
}

/// Starts the child. It executes the program, or the error says why not.
fn start(
    path: &Path,
    arguments: &[OsString],
    environment: impl FnOnce(u32) -> Environment,
    traced: bool,
) -> Result<(i32, Option<std::io::Error>), Failure> {
    let (error_reader, mut error_writer) =
        std::io::pipe().map_err(|error| Failure::ours(format!("cannot make a pipe: {error}")))?;
    let blocked = block_forwarded();
    let ignored = install_handlers();
    // SAFETY: this process has one thread, so the child may use all of its memory and locks.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        default_handlers(&ignored);
        restore_mask(&blocked);
        let mut command = Command::new(path);
        command.arg0(&arguments[0]).args(&arguments[1..]);
        environment(std::process::id()).apply(&mut command);
        inherited::hand_on(&mut command);
        if traced {
            // SAFETY: a request without arguments.
            unsafe { libc::ptrace(libc::PTRACE_TRACEME) };
        }
        // The pipe closes at a successful exec; its content is the error of a failed one.
        let error = command.exec().raw_os_error().unwrap_or(libc::ENOEXEC);
        let _ = error_writer.write_all(&error.to_ne_bytes());
        // SAFETY: ends the child without running what the parent registered.
        unsafe { libc::_exit(127) };
    }
    let fork_error = std::io::Error::last_os_error();
    CHILD.store(pid.max(0), Ordering::Relaxed);
    restore_mask(&blocked);
    drop(error_writer);
    if pid < 0 {
        return Err(Failure::ours(format!("cannot start a process: {fork_error}")));
    }
    Ok((pid, exec_error(error_reader)))
}

/// Ends this process as the program ended: its exit status, or the signal that killed it.
pub fn end_alike(end: End) -> i32 {
    match end {
        End::Exited(status) => status,
        End::Killed(signal) => {
            let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            // SAFETY: `no_core` is a valid limit; the core file is the program's, not ours. The
            // default action of a signal that killed a process ends this one too.
            unsafe {
                libc::setrlimit(libc::RLIMIT_CORE, &no_core);
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
            128 + signal
        }
    }
}

fn exec_error(mut reader: PipeReader) -> Option<std::io::Error> {
    let mut bytes = [0; 4];
    reader.read_exact(&mut bytes).ok()?;
    Some(std::io::Error::from_raw_os_error(i32::from_ne_bytes(bytes)))
}

/// Returns when the child has ended, or cannot be watched.
fn watch_until_end(pid: i32, (every, watch): Watch<'_>) {
    // SAFETY: the call takes numbers alone; what it returns is a descriptor of our own, or an
    // error.
    let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) } as i32;
    if descriptor < 0 {
        crate::terminal::say("this kernel cannot watch a process (pidfd_open)");
        return;
    }
    let milliseconds = every.as_millis().clamp(10, 3_600_000) as i32;
    loop {
        let mut ended = libc::pollfd { fd: descriptor, events: libc::POLLIN, revents: 0 };
        // SAFETY: `ended` is one valid structure.
        match unsafe { libc::poll(&mut ended, 1, milliseconds) } {
            0 => watch(pid.unsigned_abs()),
            1.. => break,
            _ if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            _ => break,
        }
    }
    // SAFETY: closes our own descriptor, once.
    unsafe { libc::close(descriptor) };
}

fn wait(pid: i32) -> Result<End, Failure> {
    let mut status = 0;
    loop {
        // SAFETY: `status` outlives the call.
        if unsafe { libc::waitpid(pid, &mut status, 0) } == pid {
            // A stop is no end: a tracer may just have left one.
            if libc::WIFSTOPPED(status) {
                continue;
            }
            break;
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(Failure::ours(format!("cannot wait for process {pid}: {error}")));
        }
    }
    Ok(match libc::WIFSIGNALED(status) {
        true => End::Killed(libc::WTERMSIG(status)),
        false => End::Exited(libc::WEXITSTATUS(status)),
    })
}

/// Passes a signal on to the child, unless the terminal sent it: then the child already has it,
/// because it is in the same process group.
extern "C" fn forward(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the kernel hands a handler with SA_SIGINFO a valid `siginfo_t`.
    let from_process = unsafe { (*info).si_code } <= 0;
    if ENDING.contains(&signal) {
        ASKED.store(signal, Ordering::Relaxed);
    }
    let child = CHILD.load(Ordering::Relaxed);
    if from_process && child > 0 {
        // SAFETY: kill is async-signal-safe; `child` is our child and not yet waited for, or has
        // just ended, in which case nothing else can have its id before this process waits.
        unsafe { libc::kill(child, signal) };
    }
}

/// Installs `forward` where a signal is not ignored (as under `nohup`); returns the ignored ones.
fn install_handlers() -> Vec<libc::c_int> {
    let mut ignored = Vec::new();
    for signal in FORWARDED {
        // SAFETY: all-zero bytes are a valid `sigaction`, and both structures outlive the calls;
        // `forward` is async-signal-safe.
        unsafe {
            let mut old: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &mut old);
            if old.sa_sigaction == libc::SIG_IGN {
                ignored.push(signal);
                continue;
            }
            let mut new: libc::sigaction = std::mem::zeroed();
            new.sa_sigaction = forward as *const () as usize;
            new.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
            libc::sigaction(signal, &new, std::ptr::null_mut());
        }
    }
    ignored
}

fn default_handlers(ignored: &[libc::c_int]) {
    for signal in FORWARDED.into_iter().filter(|signal| !ignored.contains(signal)) {
        // SAFETY: SIG_DFL is a valid disposition.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

fn block_forwarded() -> libc::sigset_t {
    // SAFETY: all-zero bytes are a valid `sigset_t`, and both sets outlive the calls.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        let mut old: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        for signal in FORWARDED {
            libc::sigaddset(&mut set, signal);
        }
        libc::sigprocmask(libc::SIG_BLOCK, &set, &mut old);
        old
    }
}

fn restore_mask(mask: &libc::sigset_t) {
    // SAFETY: `mask` is a set that sigprocmask filled.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, mask, std::ptr::null_mut()) };
}
