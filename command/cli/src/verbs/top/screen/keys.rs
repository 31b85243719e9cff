//! The keys, and the effect of each.

use omphalos_inspect::Way;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::asked::{Asked, Question};
use super::{End, Middle, Screen};

impl Screen {
    /// Does what a key asks; returns an end if these pictures end with it.
    pub(super) fn end_by(&mut self, key: KeyEvent) -> Option<End> {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if is_control => {
                let Some(child) = self.child else { return Some(End::Quit) };
                // SAFETY: a signal to our own child, which nobody waits for meanwhile.
                unsafe { libc::kill(child.cast_signed(), libc::SIGINT) };
            }
            _ if self.is_typing => self.types(key.code, is_control),
            KeyCode::Char('q') => return Some(End::Quit),
            KeyCode::Esc if self.is_rank && self.shows_all() => return Some(End::Job),
            KeyCode::Esc => self.goes_back(),
            KeyCode::Char('h' | '?') | KeyCode::F(1) => {
                let is_help = matches!(self.middle, Middle::Help);
                self.shows(if is_help { Middle::Threads } else { Middle::Help });
            }
            KeyCode::Char('p' | ' ') => self.is_paused = !self.is_paused,
            KeyCode::Char('s') => self.order = self.order.next(),
            KeyCode::Char('/') => {
                self.shows(Middle::Threads);
                self.is_typing = true;
            }
            KeyCode::Enter if self.picture.is_job => return self.chosen_row().map(End::Rank),
            KeyCode::Enter => self.asks(Question::Stack),
            KeyCode::Char('w') => self.asks(Question::Why),
            code => self.moves(code),
        }
        None
    }

    /// Whether the threads are in the middle, and no filter hides any.
    fn shows_all(&self) -> bool {
        matches!(self.middle, Middle::Threads) && self.filter.is_empty()
    }

    /// Returns the kernel's number of the chosen row.
    fn chosen_row(&self) -> Option<u32> {
        let rows = self.threads();
        rows.get(self.at(&rows)).map(|row| row.lwp)
    }

    fn types(&mut self, code: KeyCode, is_control: bool) {
        match code {
            KeyCode::Enter => self.is_typing = false,
            KeyCode::Esc => {
                self.filter.clear();
                self.is_typing = false;
            }
            KeyCode::Backspace if self.filter.is_empty() => self.is_typing = false,
            KeyCode::Backspace => drop(self.filter.pop()),
            KeyCode::Char('u') if is_control => self.filter.clear(),
            KeyCode::Char(letter) if !is_control => self.filter.push(letter),
            code => self.moves(code),
        }
    }

    /// Goes back from the view in the middle to the threads, or from some threads to all.
    fn goes_back(&mut self) {
        match self.middle {
            Middle::Threads => self.filter.clear(),
            _ => self.shows(Middle::Threads),
        }
    }

    fn shows(&mut self, middle: Middle) {
        self.middle = middle;
        self.skipped_text = 0;
    }

    /// Asks about the thread whose answer is shown, or about the chosen one.
    fn asks(&mut self, question: Question) {
        let of_answer = match &self.middle {
            Middle::Answer(asked) => Some(asked.lwp),
            _ => None,
        };
        let Some(lwp) = of_answer.or(self.chosen_row()) else { return };
        let way = if self.lines.is_some() { Way::Stopping } else { Way::Running };
        // A rank is known by its process, whose first thread has the same number.
        let pid = if self.picture.is_job { lwp } else { self.pid };
        self.shows(Middle::Answer(Asked::new(question, pid, lwp, way)));
    }

    fn moves(&mut self, code: KeyCode) {
        let page = self.rows.saturating_sub(1).max(1) as isize;
        let by = match code {
            KeyCode::Down | KeyCode::Char('j') => 1,
            KeyCode::Up | KeyCode::Char('k') => -1,
            KeyCode::PageDown => page,
            KeyCode::PageUp => -page,
            KeyCode::Home => isize::MIN,
            KeyCode::End => isize::MAX,
            _ => return,
        };
        if !matches!(self.middle, Middle::Threads) {
            // Drawing stops at the end of the text.
            self.skipped_text = self.skipped_text.saturating_add_signed(by);
            return;
        }
        let rows = self.threads();
        let last = rows.len().saturating_sub(1);
        let at = self.at(&rows).saturating_add_signed(by).min(last);
        self.chosen = rows.get(at).map(|row| row.lwp);
    }
}
