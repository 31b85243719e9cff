//! `omphalos top` on a terminal: pictures in place, and keys.
//!
//! What must hold: the terminal is as it was when this ends, be it by a key, a signal or a panic.

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

/// How long a key or a signal waits for an answer at most.
const PATIENCE: Duration = Duration::from_millis(50);

/// The signal that came; 0 for none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

extern "C" fn note(signal: libc::c_int) {
    SIGNAL.store(signal, Ordering::Relaxed);
}

/// Whether somebody sits there who sees pictures and has keys.
pub fn can_be_shown() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    Stream::Out.is_terminal() && std::io::stdin().is_terminal() && !dumb
}

/// What the threads are ordered by.
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
    /// The thread that keys are about, by its number in the kernel; the first one if it is gone.
    chosen: Option<u32>,
    /// Rows that are passed over at the top: of the threads, of what else stands in the middle.
    skipped: usize,
    skipped_text: usize,
    /// Rows that the middle had when it was drawn.
    rows: usize,
    /// Only threads whose rows have this text are shown; whether it is being typed.
    filter: String,
    is_typing: bool,
    /// Whose lines the pictures are to have; `None`: nothing is to be stopped.
    lines: Option<Lines>,
    /// The program, if we started it.
    child: Option<u32>,
    /// Whether the process is a rank, from which keys lead back to its job.
    is_rank: bool,
}

/// Why the pictures ended.
enum End {
    /// By the user, or by a signal.
    Quit,
    /// There are no more.
    Fault(Fault),
    /// For those of a rank, by its process.
    Rank(u32),
    /// For those of the job.
    Job,
}

/// Nobody waits longer for the first picture.
const FIRST: Duration = Duration::from_millis(200);

/// The first picture, before anything is drawn: what is wrong is said as a line.
pub fn first(pid: u32, every: Duration, lines: Lines) -> Result<(Top, Picture), Failure> {
    let mut top = Top::with(lines);
    let looked = top.picture(pid, every.min(FIRST), LOOKS);
    let picture = looked.map_err(|fault| Failure::ours(fault.to_string()))?;
    Ok((top, picture))
}

/// How the pictures are made.
#[derive(Clone, Copy, Debug)]
pub struct Pictures {
    /// Time between two.
    pub every: Duration,
    /// We started the program, and pass signals on to it.
    pub is_child: bool,
    /// It is a rank of a job whose pictures come again after its own.
    pub is_rank: bool,
    /// Nothing is stopped for them.
    pub stops_nothing: bool,
}

/// Shows pictures of a process until it or the user has enough: the status to end with.
pub fn run(
    pid: u32,
    how: Pictures,
    (mut top, picture): (Top, Picture),
    lines: Lines,
) -> Result<i32, Failure> {
    let next = move || super::next(&mut top, pid, how.every);
    Ok(show(pid, how, picture, next, lines)?.unwrap_or(0))
}

/// Shows pictures of a job, and those of the ranks that the user chooses.
pub fn run_job(mut ranks: Ranks, how: Pictures) -> Result<i32, Failure> {
    let picture = ranks.picture(how.every.min(FIRST), LOOKS);
    let picture = picture.map_err(|fault| Failure::ours(fault.to_string()))?;
    let next = move || ranks.picture(how.every, LOOKS);
    Ok(show(0, how, picture, next, Lines::none())?.unwrap_or(0))
}

/// A rank's pictures, over those of its job; none where the user goes back to these.
fn show_rank(pid: u32, how: Pictures) -> Result<Option<i32>, Failure> {
    let how = Pictures { is_rank: true, ..how };
    let lines = super::lines(how.stops_nothing);
    // One that has just ended is none to go to.
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
        // A panic gives the terminal back too.
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
            // A signal ends the wait for a key early, or the time does.
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

    /// The threads that are shown, in their order.
    fn threads(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> =
            self.picture.threads.iter().filter(|row| row.has(&self.filter)).collect();
        self.order.sort(&mut rows);
        rows
    }

    /// Which of those is the chosen one.
    fn at(&self, rows: &[&Row]) -> usize {
        rows.iter().position(|row| Some(row.lwp) == self.chosen).unwrap_or(0)
    }
}
