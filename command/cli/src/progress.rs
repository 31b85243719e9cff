//! A progress bar on stderr for long post-processing. It draws nothing if stderr is no terminal,
//! and nothing in the first moments, in which most profiles are done.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Only work that takes longer than this gets a bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// Frames a second.
const RATE: u8 = 10;

/// Shows the phases of an analysis, one after the other. It disappears when dropped.
pub struct Bar {
    bar: ProgressBar,
    /// A thread shows the bar when it is time, even if a phase reports nothing for long. It ends
    /// when this end of the channel is gone.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Bar {
    /// A bar that is hidden at first, and for good where stderr is no terminal.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg:<22} {bar:40} {percent:>3} %  {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let (stop, stopped) = mpsc::channel();
        let shown = bar.clone();
        let show = move || {
            if stopped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr_with_hz(RATE));
                shown.enable_steady_tick(Duration::from_secs(1) / u32::from(RATE));
            }
        };
        // Without a thread there is no bar.
        let thread = std::thread::Builder::new().spawn(show);
        Self { bar, waiting: thread.ok().map(|thread| (stop, thread)) }
    }
}

impl omphalos_report::Progress for Bar {
    fn begin(&mut self, what: &str, total: u64) {
        self.bar.set_message(what.to_owned());
        self.bar.set_length(total);
        self.bar.set_position(0);
    }

    fn advance(&mut self, done: u64) {
        self.bar.set_position(done);
    }

    fn end(&mut self) {}
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.waiting.take() {
            drop(stop);
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
