//! `omphalos report`: shows a recorded profile as text, or writes it for other programs.

use std::path::{Path, PathBuf};

use omphalos_report::text::{self, TextOptions};
use omphalos_report::{Analysis, Profile, firefox, flamegraph, folded, json};

use crate::export::{self, Kind};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::terminal::{self, Stream};

/// Show a recorded profile
#[derive(clap::Args)]
pub struct Arguments {
    /// The profile, as `omphalos profile` wrote it
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    rendering: Rendering,
}

/// In which forms a profile is shown. Without an export it is text.
#[derive(clap::Args)]
pub struct Rendering {
    /// Write a flame graph (SVG)
    #[arg(long, value_name = "OUT.SVG")]
    flamegraph: Option<PathBuf>,

    /// Write a profile for the Firefox Profiler (JSON)
    #[arg(long, value_name = "OUT.JSON")]
    firefox: Option<PathBuf>,

    /// Write folded stacks, one a line; without =OUT on standard output
    #[arg(long, value_name = "OUT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "-")]
    folded: Option<PathBuf>,

    /// Write the whole report as JSON; without =OUT on standard output
    #[arg(long, value_name = "OUT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "-")]
    json: Option<PathBuf>,

    /// Rows in each table
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// No colours, even on a terminal
    #[arg(long)]
    no_color: bool,
}

/// What a profile held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Something to show, and it was shown.
    Report,
    /// No use of OpenMP; nothing was shown.
    NoOpenMp,
}

impl Rendering {
    /// The files that are asked for.
    fn exports(&self) -> Vec<(Kind, &Path)> {
        [
            (Kind::FlameGraph, &self.flamegraph),
            (Kind::Firefox, &self.firefox),
            (Kind::Folded, &self.folded),
            (Kind::Json, &self.json),
        ]
        .into_iter()
        .filter_map(|(kind, out)| Some((kind, out.as_deref()?)))
        .collect()
    }

    /// Refuses exports that would not be written, before anything is done for them.
    pub fn check(&self) -> Result<(), Failure> {
        export::check(&self.exports())
    }
}

/// Shows the profile on stdout.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    match show(&arguments.file, &arguments.rendering, Stream::Out)? {
        Shown::Report => Ok(0),
        Shown::NoOpenMp => Err(Failure::ours(format!(
            "no OpenMP was used by the program that wrote {}: there is nothing to report",
            arguments.file.display()
        ))),
    }
}

/// Reads the profile `file` and shows it; text goes to `stream`.
pub fn show(file: &Path, rendering: &Rendering, stream: Stream) -> Result<Shown, Failure> {
    let profile = Profile::open(file).map_err(|error| Failure::ours(error.to_string()))?;
    rendering.check()?;
    let mut bar = Bar::new();
    let analysis = Analysis::new(&profile, &mut bar);
    drop(bar);
    let summary = analysis.summary();
    if !analysis.used_openmp() && summary.damaged > 0 {
        return Err(Failure::ours(format!(
            "{} is damaged: {} of its {} bytes cannot be read, and what is left says nothing of OpenMP",
            file.display(),
            summary.damaged,
            summary.file_size,
        )));
    }
    if !analysis.used_openmp() {
        return Ok(Shown::NoOpenMp);
    }
    let exports = rendering.exports();
    for (kind, out) in &exports {
        let content = match kind {
            Kind::FlameGraph => {
                flamegraph::render(&analysis).map_err(|error| Failure::ours(error.to_string()))?
            }
            Kind::Firefox => firefox::render(&analysis),
            Kind::Folded => folded::render(&analysis),
            Kind::Json => json::render(&analysis),
        };
        export::write(*kind, out, &content)?;
    }
    if !exports.is_empty() && stream == Stream::Out {
        return Ok(Shown::Report);
    }
    let color = stream.color() && !rendering.no_color;
    let options = TextOptions { width: stream.width(), color, top: rendering.top };
    let report = text::render(&analysis, &options);
    match stream {
        Stream::Out => terminal::print(&report)?,
        Stream::Error => terminal::print_error(&report),
    }
    Ok(Shown::Report)
}
