//! `omphalos top` on a terminal: pictures in place, and keys.
//!
//! What must hold: when this ends, by a key, a signal or a panic, the terminal is as it was before.

mod asked;
mod drawn;
mod keys;

use std::io::IsTerminal;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::Duration;

use omphalos_inspect::top::{Lines, Picture, Ranks, Row, Top};
use omphalos_ompd_view::Fault;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use super::LOOKS;
use crate::failure::Failure;
use crate::terminal::{self, Stream};
use asked::Asked;

/// The longest time that a key or a signal waits for an answer.
const PATIENCE: Duration = Duration::from_millis(50);

/// The last signal; 0 for none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

extern "C" fn note(signal: libc::c_int) {
    SIGNAL.store(signal, Ordering::Relaxed);
}

/// Whether a person can see pictures and has keys.
pub fn can_be_shown() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    Stream::Out.is_terminal() && std::io::stdin().is_terminal() && !dumb
}

/// The order of the threads.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Number,
    Cpu,
    Work,
    Wait,
}

impl Order {
    fn next(self) -> Order {
        match self {
            Order::Number => Order::Cpu,
            Order::Cpu => Order::Work,
            Order::Work => Order::Wait,
            Order::Wait => Order::Number,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Order::Number => "number",
            Order::Cpu => "CPU",
            Order::Work => "work",
            Order::Wait => "wait",
        }
    }

    fn sort(self, rows: &mut [&Row]) {
        let key = |row: &Row| match self {
            Order::Number => None,
            Order::Cpu => row.cpu,
            Order::Work => row.shares.map(|shares| shares.work),
            Order::Wait => row.shares.map(|shares| shares.wait),
        };
        rows.sort_by(|a, b| key(b).unwrap_or(-1.0).total_cmp(&key(a).unwrap_or(-1.0)));
    }
}

/// The view in the middle of the screen.
enum Middle {
    Threads,
    Help,
    /// The answer to a question about one thread.
    Answer(Asked),
}

struct Screen {
    pid: u32,
    picture: Picture,
    order: Order,
    is_paused: bool,
    middle: Middle,
    /// The thread that keys act on, by its number in the kernel; the first one if it is gone.
    chosen: Option<u32>,
    /// How many rows are skipped at the top: of the threads, and below of other text in the middle.
    skipped: usize,
    skipped_text: usize,
    /// How many rows the middle had when it was drawn.
    rows: usize,
    /// The filter: only threads whose rows have this text are shown; below, whether it is being
    /// typed.
    filter: String,
    is_typing: bool,
    /// The threads whose source lines the pictures show; `None`: nothing is to be stopped.
    lines: Option<Lines>,
    /// The program, if this process started it.
    child: Option<u32>,
    /// Whether the process is a rank, from which keys lead back to its job.
    is_rank: bool,
}

/// The reason why the pictures ended.
enum End {
    /// The user, or a signal, ended them.
    Quit,
    /// No further picture can be made.
    Fault(Fault),
    /// The pictures of a rank follow, by its process.
    Rank(u32),
    /// The pictures of the job follow.
    Job,
}

/// The longest time for the first picture.
const FIRST: Duration = Duration::from_millis(200);

/// Makes the first picture, before anything is drawn: an error is one line.
pub fn first(pid: u32, every: Duration, lines: Lines) -> Result<(Top, Picture), Failure> {
    let mut top = Top::with(lines);
    let looked = top.picture(pid, every.min(FIRST), LOOKS);
    let picture = looked.map_err(|fault| Failure::ours(fault.to_string()))?;
    Ok((top, picture))
}

/// The way in which the pictures are made.
#[derive(Clone, Copy, Debug)]
pub struct Pictures {
    /// Time between two pictures.
    pub every: Duration,
    /// True if this process started the program, and passes signals on to it.
    pub is_child: bool,
    /// True for a rank of a job whose pictures come again after its own.
    pub is_rank: bool,
    /// True if nothing is stopped for them.
    pub stops_nothing: bool,
}

/// Shows pictures of a process until it ends or the user quits; returns the exit status.
pub fn run(
    pid: u32,
    how: Pictures,
    (mut top, picture): (Top, Picture),
    lines: Lines,
) -> Result<i32, Failure> {
    let next = move || super::next(&mut top, pid, how.every);
    Ok(show(pid, how, picture, next, lines)?.unwrap_or(0))
}

/// Shows pictures of a job, and of the ranks that the user chooses.
pub fn run_job(mut ranks: Ranks, how: Pictures) -> Result<i32, Failure> {
    let picture = ranks.picture(how.every.min(FIRST), LOOKS);
    let picture = picture.map_err(|fault| Failure::ours(fault.to_string()))?;
    let next = move || ranks.picture(how.every, LOOKS);
    Ok(show(0, how, picture, next, Lines::none())?.unwrap_or(0))
}

/// Shows a rank's pictures in place of its job's; `None` where the user goes back to the job.
fn show_rank(pid: u32, how: Pictures) -> Result<Option<i32>, Failure> {
    let how = Pictures { is_rank: true, ..how };
    let lines = super::lines(how.stops_nothing);
    // A rank that has just ended cannot be shown.
    let Ok((mut top, picture)) = first(pid, how.every, lines.clone()) else { return Ok(None) };
    let next = move || super::next(&mut top, pid, how.every);
    show(pid, how, picture, next, lines)
}

fn show(
    pid: u32,
    how: Pictures,
    picture: Picture,
    mut next: impl FnMut() -> Result<Picture, Fault> + Send + 'static,
    lines: Lines,
) -> Result<Option<i32>, Failure> {
    let (sender, pictures) = sync_channel(1);
    std::thread::spawn(move || {
        loop {
            let picture = next();
            let is_last = picture.is_err();
            if sender.send(picture).is_err() || is_last {
                return;
            }
        }
    });
    let ours = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];
    for signal in ours.into_iter().filter(|_| !how.is_child) {
        // SAFETY: `note` only stores a number.
        unsafe { libc::signal(signal, note as *const () as libc::sighandler_t) };
    }
    let mut screen = Screen {
        pid,
        picture,
        order: Order::Number,
        is_paused: false,
        middle: Middle::Threads,
        chosen: None,
        skipped: 0,
        skipped_text: 0,
        rows: 0,
        filter: String::new(),
        is_typing: false,
        lines: (!how.stops_nothing).then_some(lines),
        child: how.is_child.then_some(pid),
        is_rank: how.is_rank,
    };
    loop {
        // A panic restores the terminal too.
        let mut terminal = ratatui::try_init()
            .map_err(|error| Failure::ours(format!("cannot use this terminal: {error}")))?;
        let shown = screen.show(&mut terminal, &pictures);
        ratatui::restore();
        let end = shown
            .map_err(|error| Failure::ours(format!("cannot write on the terminal: {error}")))?;
        return match (SIGNAL.load(Ordering::Relaxed), end) {
            (0, End::Rank(rank)) => match show_rank(rank, how)? {
                None => continue,
                status => Ok(status),
            },
            (0, End::Job) => Ok(None),
            (0, End::Fault(Fault::Gone)) if how.is_rank => Ok(None),
            (0, End::Fault(Fault::Gone)) if !how.is_child => {
                let what = if pid == 0 { "the job".to_owned() } else { format!("process {pid}") };
                terminal::say(&format!("{what} has ended"));
                Ok(Some(0))
            }
            (0, End::Fault(Fault::Gone) | End::Quit) => Ok(Some(0)),
            (0, End::Fault(fault)) => Err(Failure::ours(fault.to_string())),
            (signal, _) => {
                // SAFETY: the default action, and then the signal that came.
                unsafe {
                    libc::signal(signal, libc::SIG_DFL);
                    libc::raise(signal);
                }
                Ok(Some(128 + signal))
            }
        };
    }
}

impl Screen {
    fn show(
        &mut self,
        terminal: &mut DefaultTerminal,
        pictures: &Receiver<Result<Picture, Fault>>,
    ) -> std::io::Result<End> {
        loop {
            terminal.draw(|frame| self.draw(frame))?;
            // A signal ends the wait for a key early, or the time runs out.
            if SIGNAL.load(Ordering::Relaxed) != 0 {
                return Ok(End::Quit);
            }
            if !terminal::wait_for_key(PATIENCE) {
                return Ok(End::Quit);
            }
            if event::poll(Duration::ZERO)?
                && let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && let Some(end) = self.end_by(key)
            {
                return Ok(end);
            }
            match pictures.try_recv() {
                Ok(Ok(picture)) if !self.is_paused => self.picture = picture,
                Ok(Err(fault)) => return Ok(End::Fault(fault)),
                Err(TryRecvError::Disconnected) => return Ok(End::Fault(Fault::Gone)),
                _ => {}
            }
            if let Middle::Answer(asked) = &mut self.middle {
                asked.take_answer();
            }
        }
    }

    /// Returns the threads that are shown, in order.
    fn threads(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> =
            self.picture.threads.iter().filter(|row| row.has(&self.filter)).collect();
        self.order.sort(&mut rows);
        rows
    }

    /// Returns the index of the chosen thread among `rows`.
    fn at(&self, rows: &[&Row]) -> usize {
        rows.iter().position(|row| Some(row.lwp) == self.chosen).unwrap_or(0)
    }
}
