//! `omphalos top` on a terminal: pictures in place, and keys.
//!
//! What must hold: the terminal is as it was when this ends, be it by a key, a signal or a panic.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use omphalos_inspect::top::{Picture, Row, Top};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use ratatui::{DefaultTerminal, Frame};

use super::LOOKS;
use crate::failure::Failure;
use crate::terminal::Stream;

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

struct Screen {
    picture: Picture,
    order: Order,
    is_paused: bool,
    helps: bool,
    /// Threads that are passed over at the top.
    skipped: usize,
    /// The program, if we started it.
    child: Option<u32>,
}

/// The first picture, before anything is drawn: what is wrong is said as a line.
pub fn first(pid: u32, every: Duration) -> Result<(Top, Picture), Failure> {
    let mut top = Top::default();
    let looked = top.picture(pid, every.min(Duration::from_millis(200)), LOOKS);
    let picture = looked.map_err(|fault| Failure::ours(fault.to_string()))?;
    Ok((top, picture))
}

/// Shows pictures of a process until it or the user has enough. `is_child`: we started it, and pass
/// signals on to it.
pub fn run(
    pid: u32,
    every: Duration,
    mut top: Top,
    picture: Picture,
    is_child: bool,
) -> Result<i32, Failure> {
    let (sender, pictures) = sync_channel(1);
    std::thread::spawn(move || {
        while let Ok(picture) = top.picture(pid, every, LOOKS) {
            if sender.send(picture).is_err() {
                return;
            }
        }
    });
    let ours = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];
    for signal in ours.into_iter().filter(|_| !is_child) {
        // SAFETY: `note` only stores a number.
        unsafe { libc::signal(signal, note as *const () as libc::sighandler_t) };
    }
    let child = is_child.then_some(pid);
    let mut screen =
        Screen { picture, order: Order::Number, is_paused: false, helps: false, skipped: 0, child };
    // A panic gives the terminal back too.
    let mut terminal = ratatui::try_init()
        .map_err(|error| Failure::ours(format!("cannot use this terminal: {error}")))?;
    let shown = screen.show(&mut terminal, &pictures);
    ratatui::restore();
    shown.map_err(|error| Failure::ours(format!("cannot write on the terminal: {error}")))?;
    match SIGNAL.load(Ordering::Relaxed) {
        0 => Ok(0),
        signal => {
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
    fn show(
        &mut self,
        terminal: &mut DefaultTerminal,
        pictures: &Receiver<Picture>,
    ) -> std::io::Result<()> {
        loop {
            terminal.draw(|frame| self.draw(frame))?;
            // A signal ends the wait for a key early, or the time does.
            if SIGNAL.load(Ordering::Relaxed) != 0 {
                return Ok(());
            }
            if event::poll(PATIENCE)?
                && let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && self.is_end(key)
            {
                return Ok(());
            }
            match pictures.try_recv() {
                Ok(picture) if !self.is_paused => self.picture = picture,
                Err(std::sync::mpsc::TryRecvError::Disconnected) => return Ok(()),
                _ => {}
            }
        }
    }

    /// Does what a key says: true for the end.
    fn is_end(&mut self, key: KeyEvent) -> bool {
        let last = self.picture.threads.len().saturating_sub(1);
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                let Some(child) = self.child else { return true };
                // SAFETY: a signal to our own child, which nobody waits for meanwhile.
                unsafe { libc::kill(child.cast_signed(), libc::SIGINT) };
            }
            KeyCode::Char('q') => return true,
            KeyCode::Esc if !self.helps => return true,
            KeyCode::Esc => self.helps = false,
            KeyCode::Char('h' | '?') => self.helps = !self.helps,
            KeyCode::Char('p' | ' ') => self.is_paused = !self.is_paused,
            KeyCode::Char('s') => self.order = self.order.next(),
            KeyCode::Down | KeyCode::Char('j') => self.skipped += 1,
            KeyCode::Up | KeyCode::Char('k') => self.skipped = self.skipped.saturating_sub(1),
            KeyCode::PageDown => self.skipped += 10,
            KeyCode::PageUp => self.skipped = self.skipped.saturating_sub(10),
            KeyCode::Home => self.skipped = 0,
            _ => {}
        }
        self.skipped = self.skipped.min(last);
        false
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let regions = self.picture.regions.len().min(usize::from(frame.area().height) / 3);
        let parts = [
            Constraint::Length(1),
            Constraint::Min(2),
            Constraint::Length(regions as u16 + u16::from(regions > 0)),
            Constraint::Length(1),
        ];
        let [head, middle, below, keys] = Layout::vertical(parts).areas(frame.area());
        frame.render_widget(Line::from(self.picture.head.trim_end()), head);
        if self.helps {
            let quit = if self.child.is_some() { QUIT_CHILD } else { QUIT };
            frame.render_widget(Paragraph::new(format!("{quit}{HELP}")), middle);
        } else {
            frame.render_widget(Paragraph::new(self.threads()), middle);
        }
        if regions > 0 {
            let mut lines = vec![title(" WORK  WAIT  REGION")];
            let region = |region: &omphalos_inspect::top::Region| {
                Line::from(format!("{} {}", region.columns(), region.name))
            };
            lines.extend(self.picture.regions.iter().take(regions).map(region));
            frame.render_widget(Paragraph::new(lines), below);
        }
        let paused = if self.is_paused { "  PAUSED" } else { "" };
        let text = format!("q quit  s sort ({})  p pause  h help{paused}", self.order.word());
        frame.render_widget(title(&text), keys);
    }

    fn threads(&self) -> Vec<Line<'static>> {
        let mut rows: Vec<&Row> = self.picture.threads.iter().collect();
        self.order.sort(&mut rows);
        let mut lines = vec![title("THREAD      LWP  CPU  WORK  WAIT  IDLE  NOW")];
        let row = |row: &&Row| Line::from(format!("{} {}", row.columns(), row.now));
        lines.extend(rows.iter().skip(self.skipped).map(row));
        lines
    }
}

fn title(text: &str) -> Line<'static> {
    Line::styled(text.to_owned(), Style::default().add_modifier(Modifier::REVERSED))
}

const QUIT: &str = "q, Esc, Ctrl-C   quit: the program goes on\n";
const QUIT_CHILD: &str = "\
q, Esc           quit: the program goes on, what it writes comes then
Ctrl-C           interrupt the program\n";
const HELP: &str = "\
s                sort the threads by number, CPU, work, wait
p, Space         pause: the picture stays, the program goes on
Up, Down, k, j   go through the threads; Page Up, Page Down, Home too
h, ?             this, and back

CPU   processor time since the last picture, in percent of one processor
WORK  shares of the looks that saw the thread in your code or in the kernel,
WAIT  waiting for others,
IDLE  and without work. Nothing is stopped for a look.";
