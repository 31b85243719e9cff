//! The report of a job, from the profiles of its ranks, in a folder or named one by one.

use std::path::{Path, PathBuf};

use omphalos_report::job::{Job, rank_of};
use omphalos_report::{Analysis, Profile, json, text};

use super::{Rendering, Shown, typed};
use crate::export::{self, Kind};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::terminal::{self, Stream};
use crate::verbs::runs;

/// The begin of a rank's profile's name; the rank's number and `.omph` follow.
const BEGIN: &str = "rank-";
/// The most ranks whose stacks are written for other programs: those with the most work.
const MOST_EXPORTED: usize = 16;

/// Whether a file of this name belongs to a rank, or to a further process of a rank.
pub fn is_name(name: &str) -> bool {
    runs::is_numbered(name, BEGIN)
}

/// Returns the profiles of ranks in a folder; none if it is no job's.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter(|entry| is_name(&entry.file_name().to_string_lossy()));
    let mut files: Vec<PathBuf> = names.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Whether these are the profiles of several ranks of one job.
pub fn are_ranks(files: &[PathBuf]) -> bool {
    let rank = |file: &PathBuf| rank_of(&Profile::open(file).ok()?);
    let ranks: Option<Vec<_>> = files.iter().map(rank).collect();
    ranks.is_some_and(|ranks| {
        let [first, others @ ..] = &ranks[..] else { return false };
        let is_of_it = |other: &(u32, u32, String)| (other.1, &other.2) == (first.1, &first.2);
        others.iter().all(is_of_it) && others.iter().any(|other| other.0 != first.0)
    })
}

/// Shows the job of these files.
pub fn show(files: &[PathBuf], rendering: &Rendering, stream: Stream) -> Result<Shown, Failure> {
    rendering.check()?;
    let job = Job::read(files, &mut Bar::new()).map_err(|e| Failure::ours(e.to_string()))?;
    let exports = rendering.exports();
    export_of(&job, rendering, &exports)?;
    if !exports.is_empty() && stream == Stream::Out {
        return Ok(Shown::Report);
    }
    let options = rendering.options(stream);
    let mut report = job.text(&options);
    if let Some(slowest) = &job.slowest {
        if rendering.all
            && let Some(analysis) = super::analyse(slowest)?
        {
            report.push_str("\nThe rank with the most work of its own:\n");
            report.push_str(&text::render(&analysis, &options));
        }
        report.push_str(&format!(
            "\n  the rank with the most work of its own: omphalos report {}\n",
            typed(slowest)
        ));
    }
    match stream {
        Stream::Out => terminal::print(&report)?,
        Stream::Error => terminal::print_error(&report),
    }
    Ok(Shown::Report)
}

fn export_of(job: &Job, rendering: &Rendering, exports: &[(Kind, &Path)]) -> Result<(), Failure> {
    let of_ranks = |(kind, _): &&(Kind, &Path)| *kind != Kind::Json;
    for (kind, out) in exports.iter().filter(|(kind, _)| *kind == Kind::Json) {
        let Some(slowest) = &job.slowest else { continue };
        let profile = Profile::open(slowest).map_err(|e| Failure::ours(e.to_string()))?;
        let analysis = Analysis::new(&profile, &mut Bar::new());
        export::write(*kind, out, &json::render_job(&analysis, job.json()))?;
    }
    let others: Vec<(Kind, &Path)> = exports.iter().filter(of_ranks).copied().collect();
    if others.is_empty() {
        return Ok(());
    }
    let mut rows: Vec<_> = job.rows.iter().filter(|row| row.used_openmp).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.work + row.serial));
    if rows.len() > MOST_EXPORTED {
        terminal::say(&format!(
            "what is written for other programs is of the {MOST_EXPORTED} ranks with the most work"
        ));
    }
    let mut analyses = Vec::new();
    for row in rows.iter().take(MOST_EXPORTED) {
        analyses.extend(super::analyse(&row.file)?);
    }
    let processes: Vec<&Analysis> = analyses.iter().collect();
    super::export(&processes, &others, None, &rendering.source_dir)
}
