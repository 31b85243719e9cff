//! Standard output and standard error: their readers, their width, and text for people.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use omphalos_report::visible;

use crate::failure::Failure;
use crate::inherited;

/// A width outside these bounds is replaced by the nearer bound.
const WIDTHS: std::ops::RangeInclusive<usize> = 60..=200;

/// The width of a report that goes to a file or a pipe.
const DEFAULT_WIDTH: usize = 100;

/// One of the two output streams.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Error,
}

impl Stream {
    /// Whether a person reads the stream at once.
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Out => std::io::stdout().is_terminal(),
            Self::Error => std::io::stderr().is_terminal(),
        }
    }

    /// Whether colours may be used: on a terminal that is not `dumb`, unless `NO_COLOR` is set.
    pub fn color(self) -> bool {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        self.is_terminal() && !no_color && !dumb
    }

    /// Returns the columns: those of COLUMNS, else the terminal's, else 100; from 60 to 200.
    pub fn width(self) -> usize {
        let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        if let Some(columns) = asked.filter(|columns: &usize| *columns > 0) {
            return columns.clamp(*WIDTHS.start(), *WIDTHS.end());
        }
        let descriptor = if self == Self::Out { libc::STDOUT_FILENO } else { libc::STDERR_FILENO };
        // SAFETY: all-zero bytes are a valid `winsize`.
        let mut size: libc::winsize = unsafe { std::mem::zeroed() };
        // SAFETY: TIOCGWINSZ writes one `winsize`, which `size` is.
        let asked = unsafe { libc::ioctl(descriptor, libc::TIOCGWINSZ, &mut size) };
        let columns = usize::from(size.ws_col);
        if asked != 0 || columns == 0 {
            return DEFAULT_WIDTH;
        }
        columns.clamp(*WIDTHS.start(), *WIDTHS.end())
    }
}

/// Waits for a key or a signal, at most for `patience`. Returns false if the terminal is gone: a
/// read from it would return nothing, again and again.
pub fn wait_for_key(patience: Duration) -> bool {
    let mut keys = libc::pollfd { fd: libc::STDIN_FILENO, events: libc::POLLIN, revents: 0 };
    // SAFETY: one descriptor, whose events are written.
    unsafe { libc::poll(&mut keys, 1, patience.as_millis() as libc::c_int) };
    keys.revents & (libc::POLLHUP | libc::POLLERR | libc::POLLNVAL) == 0
}

/// Prints on standard output.
///
/// # Errors
/// If nothing can be written, as on a full disk or where standard output is closed.
pub fn print(text: &str) -> Result<(), Failure> {
    if inherited::is_output_closed() {
        return Err(Failure::ours("cannot write on standard output: it is closed"));
    }
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Failure::ours(format!("cannot write on standard output: {error}")))
}

/// Asks the user whether to do what was printed.
///
/// # Errors
/// If nobody can be asked.
pub fn agrees() -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        return Err(Failure::ours("nothing was done: nobody can be asked here, so say --yes"));
    }
    print("Do this? [y/N] ")?;
    let mut answer = String::new();
    let _ = std::io::stdin().read_line(&mut answer);
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Prints a report on standard error. A failure of that cannot be reported.
pub fn print_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Prints `omphalos: ` and a message on standard error, made fit for a terminal ([`fit`]).
pub fn say(message: &str) {
    print_error(&format!("omphalos: {}\n", fit(message)));
}

/// Returns the text with characters written out that would steer a terminal; its lines stay.
pub fn fit(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(visible).collect();
    lines.join("\n")
}

/// Returns the text of `--help` or `--version`, in colours where a person reads it.
pub fn help(shown: &clap::Error) -> String {
    let text = shown.render();
    if Stream::Out.color() { text.ansi().to_string() } else { text.to_string() }
}

/// Makes a write to a closed pipe, or past the limit for the size of files, return an error from
/// here on. Its signal would end this process, which has to return the program's exit status.
pub fn outlive_failed_writes() {
    for signal in [libc::SIGPIPE, libc::SIGXFSZ] {
        // SAFETY: SIG_IGN is a valid disposition.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Lets `omphalos report FILE | head` end quietly, as other programs do.
pub fn die_of_a_closed_pipe() {
    // SAFETY: no other thread is running yet, and SIG_DFL is a valid disposition.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}
