//! A progress bar on stderr for long post-processing. It draws nothing if stderr is no terminal,
//! and nothing in the first moments, in which most profiles are done.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Only work that takes longer than this gets a bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// Frames a second.
const RATE: u8 = 10;

/// Shows the phases of an analysis, one after the other. Gone when dropped.
pub struct Bar {
    bar: ProgressBar,
    start: Instant,
    shown: bool,
}

impl Bar {
    /// A bar that is hidden at first, and for good where stderr is no terminal.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg:<22} {bar:40} {percent:>3} %  {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, start: Instant::now(), shown: false }
    }

    fn show_when_late(&mut self) {
        if !self.shown && self.start.elapsed() > PATIENCE {
            self.shown = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(RATE));
        }
    }
}

impl omphalos_report::Progress for Bar {
    fn begin(&mut self, what: &str, total: u64) {
        self.show_when_late();
        self.bar.set_message(what.to_owned());
        self.bar.set_length(total);
        self.bar.set_position(0);
    }

    fn advance(&mut self, done: u64) {
        self.show_when_late();
        self.bar.set_position(done);
    }

    fn end(&mut self) {}
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
