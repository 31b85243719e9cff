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

use omphalos_inspect::top::{Lines, Picture, Row, Top};
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
}

/// The first picture, before anything is drawn: what is wrong is said as a line.
pub fn first(pid: u32, every: Duration, lines: Lines) -> Result<(Top, Picture), Failure> {
    let mut top = Top::with(lines);
    let looked = top.picture(pid, every.min(Duration::from_millis(200)), LOOKS);
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
    /// Nothing is stopped for them.
    pub stops_nothing: bool,
}

/// Shows pictures of a process until it or the user has enough.
pub fn run(
    pid: u32,
    how: Pictures,
    (mut top, picture): (Top, Picture),
    lines: Lines,
) -> Result<i32, Failure> {
    let (sender, pictures) = sync_channel(1);
    std::thread::spawn(move || {
        loop {
            let picture = super::next(&mut top, pid, how.every);
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
    };
    // A panic gives the terminal back too.
    let mut terminal = ratatui::try_init()
        .map_err(|error| Failure::ours(format!("cannot use this terminal: {error}")))?;
    let shown = screen.show(&mut terminal, &pictures);
    ratatui::restore();
    let end =
        shown.map_err(|error| Failure::ours(format!("cannot write on the terminal: {error}")))?;
    match (SIGNAL.load(Ordering::Relaxed), end) {
        (0, Some(Fault::Gone)) if !how.is_child => {
            terminal::say(&format!("process {pid} has ended"));
            Ok(0)
        }
        (0, Some(Fault::Gone) | None) => Ok(0),
        (0, Some(fault)) => Err(Failure::ours(fault.to_string())),
        (signal, _) => {
            // SAFETY: the default action, and then the signal that came.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
            Ok(128 + signal)
        }
    }
}

impl Screen {
    /// Gives the fault that ended the pictures, if it was no key and no signal.
    fn show(
        &mut self,
        terminal: &mut DefaultTerminal,
        pictures: &Receiver<Result<Picture, Fault>>,
    ) -> std::io::Result<Option<Fault>> {
        loop {
            terminal.draw(|frame| self.draw(frame))?;
            // A signal ends the wait for a key early, or the time does.
            if SIGNAL.load(Ordering::Relaxed) != 0 {
                return Ok(None);
            }
            if !terminal::is_there(PATIENCE) {
                return Ok(None);
            }
            if event::poll(Duration::ZERO)?
                && let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && self.is_end(key)
            {
                return Ok(None);
            }
            match pictures.try_recv() {
                Ok(Ok(picture)) if !self.is_paused => self.picture = picture,
                Ok(Err(fault)) => return Ok(Some(fault)),
                Err(TryRecvError::Disconnected) => return Ok(Some(Fault::Gone)),
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
