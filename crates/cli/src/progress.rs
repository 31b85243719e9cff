//! A progress bar on stderr for post-processing that takes long; nothing where nobody looks on.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows the phases of an analysis, one after the other. Gone when dropped.
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar that appears with the first phase; hidden where stderr is no terminal.
    pub fn new() -> Self {
        // A few frames a second: reports of small profiles are done before the first one.
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
        let style = ProgressStyle::with_template("{msg:>14} {wide_bar} {percent:>3} % {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar }
    }
}

impl omphalos_report::Progress for Bar {
    fn begin(&mut self, phase: &str, total: u64) {
        self.bar.set_message(phase.to_owned());
        self.bar.set_position(0);
        self.bar.set_length(total);
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    fn advance(&mut self, done: u64) {
        self.bar.set_position(done);
    }

    fn end(&mut self) {
        self.bar.disable_steady_tick();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
