//! `omphalos diff`: the change between two runs, or two series of them, and its causes.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use omphalos_diff::{Comparison, Side, Verdict, render};
use omphalos_report::text::TextOptions;

use crate::export::{self, Kind};
use crate::failure::Failure;
use crate::terminal::{self, Stream};
use crate::verbs::report::typed;
use crate::verbs::runs;

const AFTER_HELP: &str = "BEFORE and AFTER are profiles, folders that `omphalos profile --repeat` \
made, or reports as JSON.

Exit status with --fail-above:
  0  AFTER is not slower by more, or the change may be chance
  1  AFTER is slower by more
  2  nothing can be said: other programs used the machine";

/// The statuses of `--fail-above`.
const SLOWER: i32 = 1;
const INCONCLUSIVE: i32 = 2;

/// Compare two runs, or two series of runs
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The earlier run: a profile, a folder of runs, or a report as JSON
    #[arg(value_name = "BEFORE", value_hint = ValueHint::AnyPath)]
    before: PathBuf,

    /// The later run
    #[arg(value_name = "AFTER", value_hint = ValueHint::AnyPath)]
    after: PathBuf,

    /// Exit with status 1 where AFTER takes longer by more than this share, and not by chance
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_hyphen_values = true)]
    fail_above: Option<f64>,

    /// Write the comparison as a page (HTML), to send to somebody
    #[arg(long, value_name = "OUT.HTML", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,

    /// Write a comment for a pull request; without =OUT on standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    markdown: Option<PathBuf>,

    /// Write a test report as CI systems read it (XML); without --fail-above it fails above 5%
    #[arg(long, value_name = "OUT.XML", value_hint = ValueHint::FilePath)]
    junit: Option<PathBuf>,

    /// Write the whole comparison as JSON; without =OUT on standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,

    /// Write a differential flame graph (SVG): red where time grew, blue where it shrank
    #[arg(long, value_name = "OUT.SVG", value_hint = ValueHint::FilePath)]
    flamegraph: Option<PathBuf>,

    /// Write folded stacks with both times, for a differential flame graph; without =OUT on
    /// standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    folded: Option<PathBuf>,

    /// Show also what may have changed by chance
    #[arg(long)]
    all: bool,

    /// Rows in each table
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// No colours, even on a terminal
    #[arg(long)]
    no_color: bool,
}

/// The share for `--junit` if nobody gives one.
const FAIL_ABOVE: f64 = 0.05;

/// Reads `5%`, `5`, `2.5%` as a share.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    let number = number.filter(|number| number.is_finite() && *number >= 0.0);
    number.map(|number| number / 100.0).ok_or_else(|| "say a percentage, as 5%".to_owned())
}

/// Compares and shows; the status answers `--fail-above`.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let exports: Vec<(Kind, &Path)> = export::asked([
        (Kind::Page, &arguments.html),
        (Kind::Markdown, &arguments.markdown),
        (Kind::Junit, &arguments.junit),
        (Kind::Json, &arguments.json),
        (Kind::FlameGraph, &arguments.flamegraph),
        (Kind::FoldedPair, &arguments.folded),
    ])
    .collect();
    export::check(&exports)?;
    let side = |path: &PathBuf| {
        let name = terminal::fit(&typed(path));
        Side::of(&name, &runs::reports(path)?).map_err(Failure::ours)
    };
    let comparison = Comparison::of(side(&arguments.before)?, side(&arguments.after)?);
    for (kind, out) in &exports {
        let content = match kind {
            Kind::Page => omphalos_page::comparison(&comparison),
            Kind::Markdown => render::markdown(&comparison),
            Kind::Junit => render::junit(&comparison, arguments.fail_above.unwrap_or(FAIL_ABOVE)),
            Kind::FlameGraph => render::flamegraph(&comparison),
            Kind::FoldedPair => render::folded(&comparison),
            _ => render::json(&comparison, arguments.fail_above),
        };
        export::write(*kind, out, &content)?;
    }
    if exports.is_empty() {
        let options = TextOptions {
            width: Stream::Out.width(),
            color: Stream::Out.color() && !arguments.no_color,
            whole_names: !Stream::Out.is_terminal(),
            all: arguments.all,
            top: arguments.top,
        };
        terminal::print(&render::text(&comparison, &options, arguments.all))?;
    }
    Ok(match arguments.fail_above {
        None => 0,
        Some(_) if comparison.verdict == Verdict::Inconclusive => INCONCLUSIVE,
        Some(share) if comparison.is_slower_by(share) => SLOWER,
        Some(_) => 0,
    })
}
