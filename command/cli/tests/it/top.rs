//! `omphalos top` on a terminal: a pseudo-terminal, and keys and signals sent to it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::common::{bare, compile, folder, hollow_tree, of_tree};

const SLEEPER: &str = r#"
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
        alarm(240);
        puts("ready");
        fflush(stdout);
        for (;;) pause();
    }
"#;

/// One thread runs, one sleeps.
const PAIR: &str = r#"
    #include <pthread.h>
    #include <stdio.h>
    #include <unistd.h>
    static volatile long turns;
    static __attribute__((noinline)) void turn(void) {
        for (;;) turns++; /* line 7 */
    }
    static void *runner(void *none) { turn(); return none; }
    static void *sleeper(void *none) { for (;;) pause(); return none; } /* line 10 */
    int main(void) {
        pthread_t one, other;
        alarm(240);
        pthread_create(&one, 0, runner, 0);
        pthread_create(&other, 0, sleeper, 0);
        puts("ready");
        fflush(stdout);
        pthread_join(one, 0);
    }
"#;

/// `omphalos top` of a program, at a terminal.
struct Seat {
    /// The program, if it was there before.
    subject: Option<Child>,
    top: Child,
    terminal: File,
    /// The other end, which keeps the settings.
    line: OwnedFd,
    before: [u8; size_of::<libc::termios>()],
    seen: String,
    is_small: bool,
}

impl Drop for Seat {
    fn drop(&mut self) {
        for child in self.subject.iter_mut().chain([&mut self.top]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The two ranks of a job: sleepers, with a launcher's variables.
struct Ranks([Child; 2]);

impl Ranks {
    fn start() -> Ranks {
        let folder = folder();
        let program = folder.path().join("sleeper");
        compile("gcc", folder.path(), SLEEPER, &[], &program);
        let name = format!("job-{}", std::process::id());
        Ranks(["0", "1"].map(|rank| {
            let mut command = Command::new(&program);
            command.env("PMIX_NAMESPACE", &name).env("OMPI_COMM_WORLD_RANK", rank);
            command.env("OMPI_COMM_WORLD_SIZE", "2").stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            assert_eq!(line, "ready\n");
            child
        }))
    }

    fn end(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Ranks {
    fn drop(&mut self) {
        self.end();
    }
}

fn settings(line: &OwnedFd) -> [u8; size_of::<libc::termios>()] {
    let mut bytes = [0; size_of::<libc::termios>()];
    // SAFETY: the buffer has the size of what is written.
    assert_eq!(unsafe { libc::tcgetattr(line.as_raw_fd(), bytes.as_mut_ptr().cast()) }, 0);
    bytes
}

/// A terminal: its two ends.
fn terminal() -> (File, OwnedFd) {
    let (mut master, mut slave) = (0, 0);
    let size = libc::winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    let (none, unnamed) = (std::ptr::null(), std::ptr::null_mut());
    // SAFETY: both numbers are written, the size is read, and the others may be null.
    let opened = unsafe { libc::openpty(&mut master, &mut slave, unnamed, none, &size) };
    assert_eq!(opened, 0, "no pseudo-terminal");
    // A program that inherits this end keeps the terminal alive.
    // SAFETY: a number and a flag.
    unsafe { libc::fcntl(master, libc::F_SETFD, libc::FD_CLOEXEC) };
    // SAFETY: two descriptors that nobody else has.
    unsafe { (File::from_raw_fd(master), OwnedFd::from_raw_fd(slave)) }
}

/// Starts `omphalos top` there.
fn top(mut command: Command, line: &OwnedFd, of: &std::ffi::OsStr) -> Child {
    let end = || Stdio::from(line.try_clone().unwrap());
    command.args(["--every", "0.1"]).arg(of);
    command.env("TERM", "xterm").stdin(end()).stdout(end()).stderr(end());
    command.spawn().unwrap()
}

impl Seat {
    fn take() -> Seat {
        Seat::at(SLEEPER, &[])
    }

    /// Sits at a program of that source; with words for `omphalos top`.
    fn at(source: &str, words: &[&str]) -> Seat {
        let folder = folder();
        let program = folder.path().join("sleeper");
        compile("gcc", folder.path(), source, &["-pthread"], &program);
        // A word of its command line would set the terminal's title.
        let mut command = Command::new(&program);
        command.arg("\u{1b}]0;mine\u{7}").stdout(Stdio::piped());
        let mut subject = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(subject.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        let (terminal, line) = terminal();
        let before = settings(&line);
        let mut command = bare();
        command.arg("top").args(words);
        let top = top(command, &line, subject.id().to_string().as_ref());
        Seat {
            subject: Some(subject),
            top,
            terminal,
            line,
            before,
            seen: String::new(),
            is_small: false,
        }
    }

    /// Sits at the job that a process belongs to.
    fn at_job(of: &Child) -> Seat {
        let (terminal, line) = terminal();
        let before = settings(&line);
        let mut command = bare();
        command.args(["top", "--job"]);
        let top = top(command, &line, of.id().to_string().as_ref());
        let seen = String::new();
        Seat { subject: None, top, terminal, line, before, seen, is_small: false }
    }

    /// Sits at a program that `omphalos top` starts itself.
    fn start() -> Seat {
        let folder = folder();
        let program = folder.path().join("started");
        compile("gcc", folder.path(), SLEEPER, &[], &program);
        let (terminal, line) = terminal();
        let before = settings(&line);
        let mut command = of_tree(&hollow_tree(folder.path()));
        command.arg("top");
        let top = top(command, &line, program.as_os_str());
        let mut seat = Seat {
            subject: None,
            top,
            terminal,
            line,
            before,
            seen: String::new(),
            is_small: false,
        };
        // The program's file is there until it has begun.
        seat.see("quit");
        seat
    }

    /// Returns the written text without the sequences that steer the terminal: a blank is one that
    /// is written, or skipped.
    fn text(&self) -> String {
        let mut parts = self.seen.split("\u{1b}[");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(0);
            text.push_str(if part[end..].starts_with('H') { " " } else { "" });
            text.push_str(part.get(end + 1..).unwrap_or_default());
        }
        text
    }

    /// Reads until `word` is there.
    fn see(&mut self, word: &str) {
        let mut bytes = [0; 4096];
        while !self.seen.contains(word) && !self.text().contains(word) {
            let got = self.terminal.read(&mut bytes).unwrap();
            self.seen.push_str(&String::from_utf8_lossy(&bytes[..got]));
        }
    }

    /// Has everything drawn again until `word` is there: otherwise only differences are written.
    fn see_anew(&mut self, word: &str) {
        loop {
            self.seen.clear();
            self.is_small = !self.is_small;
            self.resize(if self.is_small { 25 } else { 24 }, 80);
            // The last row, of either kind.
            while !["quit", "keep"].iter().any(|end| self.text().contains(end)) {
                let mut bytes = [0; 4096];
                let got = self.terminal.read(&mut bytes).unwrap();
                self.seen.push_str(&String::from_utf8_lossy(&bytes[..got]));
            }
            if self.text().contains(word) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }

    fn press(&mut self, key: &str) {
        self.terminal.write_all(key.as_bytes()).unwrap();
    }

    fn resize(&mut self, rows: u16, columns: u16) {
        let size = libc::winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: reads one such structure.
        unsafe { libc::ioctl(self.line.as_raw_fd(), libc::TIOCSWINSZ, &size) };
        self.signal(libc::SIGWINCH);
    }

    fn signal(&self, signal: libc::c_int) {
        // SAFETY: a signal to a process that this test has started.
        unsafe { libc::kill(self.top.id() as libc::pid_t, signal) };
    }

    /// Reads to the end, and checks the state that is left.
    fn end(&mut self) -> ExitStatus {
        self.see("\u{1b}[?1049l");
        let status = self.top.wait().unwrap();
        assert!(settings(&self.line) == self.before, "the terminal is not as it was");
        assert!(!self.seen.contains("\u{1b}]0;"), "{:?}", self.seen);
        status
    }
}

#[test]
fn keys_sort_pause_help_and_quit() {
    let mut seat = Seat::take();
    seat.see("quit");
    seat.see(r"\u{1b}]0;mine");
    for (key, word) in [("s", "CPU)"), ("p", "PAUSED"), ("h", "Ctrl-C")] {
        seat.press(key);
        seat.see(word);
    }
    seat.seen.clear();
    seat.resize(8, 40);
    // All is drawn again, in the rows that are left.
    seat.see("\u{1b}[8;1H");
    seat.press("q");
    assert!(seat.end().success());
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let mut seat = Seat::take();
    seat.see("quit");
    seat.signal(libc::SIGTERM);
    assert_eq!(seat.end().signal(), Some(libc::SIGTERM));
    let mut seat = Seat::take();
    seat.see("quit");
    // The interrupt character is a key here.
    seat.press("\u{3}");
    assert!(seat.end().success());
}

/// When its window is closed, no process stays that asks it for keys.
#[test]
fn the_end_of_the_terminal_is_the_end() {
    let mut seat = Seat::take();
    seat.see("quit");
    seat.terminal = File::open("/dev/null").unwrap();
    let ended = |top: &mut Child| top.try_wait().unwrap().is_some();
    while !ended(&mut seat.top) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn the_end_of_the_program_is_the_end() {
    let mut seat = Seat::take();
    seat.see("quit");
    let subject = seat.subject.as_mut().unwrap();
    subject.kill().unwrap();
    subject.wait().unwrap();
    seat.see("has ended");
    assert!(seat.end().success());
}

#[test]
fn a_row_has_the_line_of_a_thread_that_runs() {
    let mut seat = Seat::at(PAIR, &[]);
    seat.see("sleeper.c:7 in turn: runs");
    seat.see("sleeper.c:10 in sleeper");
    let mut seat = Seat::at(PAIR, &["--no-stop"]);
    seat.see("sleeper.c:10 in sleeper");
    seat.see_anew("quit");
    assert!(!seat.text().contains("sleeper.c:7"), "{}", seat.text());
}

#[test]
fn a_program_that_it_starts_writes_after_the_pictures_and_ends_alike() {
    let mut seat = Seat::start();
    assert!(!seat.seen.contains("ready"), "{:?}", seat.seen);
    seat.press("h");
    seat.see("interrupt");
    seat.press("q");
    seat.see("ready");
    // The terminal is the program's again, and so are signals.
    seat.signal(libc::SIGTERM);
    assert_eq!(seat.end().signal(), Some(libc::SIGTERM));
    let mut seat = Seat::start();
    seat.press("\u{3}");
    seat.see("ready");
    assert_eq!(seat.end().signal(), Some(libc::SIGINT));
}

#[test]
fn a_job_has_a_row_a_rank_and_keys_lead_to_its_threads_and_back() {
    let mut ranks = Ranks::start();
    let mut seat = Seat::at_job(&ranks.0[0]);
    seat.see("RANK");
    seat.see(&ranks.0[1].id().to_string());
    seat.see("Enter threads");
    seat.press("h");
    seat.see("the ranks whose row");
    // Right after Esc it would be one key with that.
    seat.press("h");
    seat.press("j");
    seat.press("\r");
    seat.see("THREAD");
    seat.see(&format!("process {}", ranks.0[1].id()));
    seat.see("Esc job");
    seat.seen.clear();
    seat.press("\u{1b}");
    seat.see("RANK");
    seat.see("Enter threads");
    ranks.end();
    seat.see("the job has ended");
    assert!(seat.end().success());
}
