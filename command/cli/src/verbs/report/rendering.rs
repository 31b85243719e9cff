//! The forms in which a profile is shown: the options, and the files that they ask for.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use omphalos_report::text::TextOptions;
use omphalos_report::{Analysis, SourceFiles, digest, firefox, flamegraph, folded, json};
use serde_json::Value;

use crate::export::{self, Kind, is_standard_output};
use crate::failure::Failure;
use crate::terminal::Stream;
use crate::verbs::formats::{self, Formats};

/// Rows in a table of the report on two screens.
const ROWS: usize = 10;

/// In which forms a profile is shown. Without an export it is text.
#[derive(clap::Args)]
pub struct Rendering {
    /// Write the report as a page (HTML), to send to somebody: it needs no other file, no network
    #[arg(long, value_name = "OUT.HTML", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,

    /// Write a flame graph (SVG)
    #[arg(long, value_name = "OUT.SVG", value_hint = ValueHint::FilePath)]
    flamegraph: Option<PathBuf>,

    /// Write a profile for the Firefox Profiler (JSON)
    #[arg(long, value_name = "OUT.JSON", value_hint = ValueHint::FilePath)]
    firefox: Option<PathBuf>,

    /// Write folded stacks, one a line; without =OUT on standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    folded: Option<PathBuf>,

    /// Write the whole report as JSON; without =OUT on standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,

    /// Show what each line of the source costs, function by function
    #[arg(long)]
    pub(super) source: bool,

    /// Show what each instruction costs, with the lines of the source between them
    #[arg(long)]
    pub(super) asm: bool,

    /// Look below DIR for source files that are not where the debug information says
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) source_dir: Vec<PathBuf>,
    #[command(flatten)]
    formats: Formats,

    /// Write what a program that reads text needs, as a coding agent does, in less than 1000 words
    /// (JSON on one line); without =OUT on standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    digest: Option<PathBuf>,

    /// Every table and every row, not only what fits two screens
    #[arg(long)]
    pub(super) all: bool,

    /// Rows in each table [default: 10; with --all, all]
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    /// No colours, even on a terminal
    #[arg(long)]
    no_color: bool,
}

impl Rendering {
    /// The files that are asked for.
    pub(super) fn exports(&self) -> Vec<(Kind, &Path)> {
        export::asked([
            (Kind::Page, &self.html),
            (Kind::FlameGraph, &self.flamegraph),
            (Kind::Firefox, &self.firefox),
            (Kind::Folded, &self.folded),
            (Kind::Json, &self.json),
            (Kind::Digest, &self.digest),
        ])
        .chain(self.formats.exports())
        .collect()
    }

    /// Returns the options that take a file after `=` and were given without one.
    pub fn bare(&self) -> Vec<&'static str> {
        let given =
            [("--json", &self.json), ("--folded", &self.folded), ("--digest", &self.digest)];
        let is_bare = |out: &Option<PathBuf>| out.as_deref().is_some_and(is_standard_output);
        given.iter().filter(|(_, out)| is_bare(out)).map(|(option, _)| *option).collect()
    }

    /// Whether lines or instructions take the place of the report.
    pub(super) fn is_of_code(&self) -> bool {
        self.source || self.asm
    }

    pub(super) fn options(&self, stream: Stream) -> TextOptions {
        TextOptions {
            width: stream.width(),
            color: stream.color() && !self.no_color,
            whole_names: !stream.is_terminal(),
            all: self.all,
            top: self.top.unwrap_or(if self.all { usize::MAX } else { ROWS }),
        }
    }

    /// Refuses exports that could not be written, before any work is done for them.
    pub fn check(&self) -> Result<(), Failure> {
        export::check(&self.exports())
    }
}

/// Writes the files that are asked for.
pub(super) fn export(
    processes: &[&Analysis],
    exports: &[(Kind, &Path)],
    runs: Option<Value>,
    folders: &[PathBuf],
) -> Result<(), Failure> {
    for (kind, out) in exports {
        let content = match kind {
            Kind::Page => {
                let mut files = SourceFiles::new(folders);
                omphalos_page::report(processes, runs.as_ref(), &mut files)
            }
            Kind::FlameGraph => flamegraph::render_all(processes)
                .map_err(|error| Failure::ours(error.to_string()))?,
            Kind::Firefox => firefox::render_all(processes),
            Kind::Folded => folded::render_all(processes),
            Kind::Digest => digest::render(processes),
            other if formats::write(*other, out, processes)? => continue,
            _ => json::render_runs(processes, runs.clone()),
        };
        export::write(*kind, out, &content)?;
    }
    Ok(())
}
