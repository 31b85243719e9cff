//! `omphalos report`: shows a recorded profile as text, or writes it for other programs.

mod command;
pub mod job;
mod rendering;

use std::path::{Path, PathBuf};

use clap::ValueHint;
use omphalos_diff::{Side, render};
use omphalos_report::text;
use omphalos_report::{
    Analysis, Profile, SourceFiles, instruction_text, source_text, words as figures,
};

use serde_json::Value;

use crate::failure::Failure;
use crate::keep;
use crate::progress::Bar;
use crate::terminal::{self, Stream};
use crate::verbs::runs;
use crate::words;
pub use rendering::Rendering;
use rendering::export;

/// Show a recorded profile
#[derive(clap::Args)]
pub struct Arguments {
    /// The profile, as `omphalos profile` wrote it; several are the processes of one command. A
    /// folder is that of a job's ranks, or of several runs, as `omphalos profile --repeat` made it
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    rendering: Rendering,
}

/// The result of showing profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// There was something to show, and it was shown.
    Report,
    /// No use of OpenMP, so nothing was shown.
    NoOpenMp,
}

/// Shows the profiles on stdout.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let shown = match &arguments.files[..] {
        [folder] if folder.is_dir() && !job::files(folder).is_empty() => {
            job::show(&job::files(folder), &arguments.rendering, Stream::Out)?
        }
        [folder] if folder.is_dir() => show_runs(folder, &arguments.rendering, Stream::Out)?,
        files if files.len() > 1 && job::are_ranks(files) => {
            job::show(files, &arguments.rendering, Stream::Out)?
        }
        files => show(files, &arguments.rendering, Stream::Out, Keep::No)?.0,
    };
    match shown {
        Shown::Report => Ok(0),
        Shown::NoOpenMp => Err(Failure::ours(format!(
            "no OpenMP was used by the program that wrote {}: there is nothing to report",
            arguments.files[0].display()
        ))),
    }
}

/// A process gets a report of its own if it has at least this share of all processes' work.
const WORTH_A_REPORT: f64 = 0.1;
/// At most so many processes get one.
const MOST_REPORTS: usize = 4;

/// Whether a profile's report is appended to it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The files stay as they are.
    No,
    /// The program has just ended.
    Report,
}

/// Shows several runs: first their common figures, then the one with the median elapsed time.
pub fn show_runs(folder: &Path, rendering: &Rendering, stream: Stream) -> Result<Shown, Failure> {
    rendering.check()?;
    let runs = runs::in_folder(folder)?;
    let reports: Vec<Value> =
        runs.iter().map(|files| runs::of_run(files)).collect::<Result<_, _>>()?;
    let side = Side::of(&typed(folder), &reports).map_err(Failure::ours)?;
    let files = &runs[omphalos_diff::median_run(&side)];
    if rendering.exports().is_empty() || stream != Stream::Out {
        let text = render::text_of_runs(&side, &rendering.options(stream)) + "\n";
        match stream {
            Stream::Out => terminal::print(&text)?,
            Stream::Error => terminal::print_error(&text),
        }
    }
    let spread = omphalos_diff::spread(&reports);
    show_of(files, rendering, stream, Keep::No, Some(spread)).map(|(shown, _)| shown)
}

/// Reads the profiles `files` of the processes of one command, and shows them, the costliest first;
/// text goes to `stream`. Returns the costliest one's index in `files`, too.
pub fn show(
    files: &[PathBuf],
    rendering: &Rendering,
    stream: Stream,
    keep: Keep,
) -> Result<(Shown, usize), Failure> {
    show_of(files, rendering, stream, keep, None)
}

fn show_of(
    files: &[PathBuf],
    rendering: &Rendering,
    stream: Stream,
    keep: Keep,
    runs: Option<Value>,
) -> Result<(Shown, usize), Failure> {
    let mut found = Vec::new();
    let mut unreadable = Vec::new();
    for (number, file) in files.iter().enumerate() {
        rendering.check()?;
        match analyse(file) {
            Ok(Some(analysis)) => {
                if keep == Keep::Report {
                    keep_report(file, &analysis);
                }
                found.push((number, analysis));
            }
            Ok(None) => {}
            Err(failure) => match rendering.bare().first() {
                // `--json OUT` has taken no file: OUT is the first of the profiles.
                Some(option) if number == 0 && !is_profile_name(file) => {
                    let hint = words::behind_equals(option, &typed(file));
                    return Err(Failure { message: failure.message + &hint, ..failure });
                }
                _ => unreadable.push(failure),
            },
        }
    }
    if found.is_empty() {
        return unreadable.into_iter().next().map_or(Ok((Shown::NoOpenMp, 0)), Err);
    }
    unreadable.iter().for_each(|failure| terminal::say(&failure.message));
    let work = |analysis: &Analysis| analysis.summary().openmp_work;
    found.sort_by_key(|(number, analysis)| (std::cmp::Reverse(work(analysis)), *number));
    let (costliest, _) = &found[0];
    let exports = rendering.exports();
    let processes: Vec<&Analysis> = found.iter().map(|(_, analysis)| analysis).collect();
    export(&processes, &exports, runs, &rendering.source_dir)?;
    if !exports.is_empty() && stream == Stream::Out && !rendering.is_of_code() {
        return Ok((Shown::Report, *costliest));
    }
    let options = rendering.options(stream);
    let mut report = String::new();
    if found.len() > 1 {
        if !command::is_one(&processes) {
            terminal::say(
                "these profiles are not of one command: what is added up here ran at different \
                 times (`omphalos diff` compares two)",
            );
        }
        let rows: Vec<_> = found
            .iter()
            .map(|(number, analysis)| (analysis, terminal::fit(&typed(&files[*number]))))
            .collect();
        report = text::render_processes(&rows, &options);
    }
    let all: f64 = found.iter().map(|(_, analysis)| work(analysis) as f64).sum();
    let most = if rendering.all { MOST_REPORTS } else { 1 };
    for (at, (_, analysis)) in found.iter().enumerate().take(most) {
        if at == 0 || work(analysis) as f64 >= WORTH_A_REPORT * all {
            report.push_str(if at == 0 { "" } else { "\n" });
            let mut files = SourceFiles::new(&rendering.source_dir);
            if rendering.source {
                report.push_str(&source_text(analysis, &mut files, &options));
            }
            if rendering.asm {
                report.push_str(if rendering.source { "\n" } else { "" });
                report.push_str(&instruction_text(analysis, &mut files, &options));
            }
            if !rendering.is_of_code() {
                report.push_str(&text::render(analysis, &options));
            }
        }
    }
    match stream {
        Stream::Out => terminal::print(&report)?,
        Stream::Error => terminal::print_error(&report),
    }
    let costliest = *costliest;
    // The memory is left to the end of the process: freeing the nodes of a large tree one by one
    // takes as long as printing it.
    std::mem::forget(found);
    Ok((Shown::Report, costliest))
}

/// Whether a file has a profile's name, also that of a further process (`x.omph.1234`).
fn is_profile_name(file: &Path) -> bool {
    file.exists() && file.to_string_lossy().contains(".omph")
}

/// Returns a path as it is typed: relative where it lies below the current directory.
pub fn typed(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

/// Analyses a profile; `None` where the program made no use of OpenMP.
pub fn analyse(file: &Path) -> Result<Option<Analysis>, Failure> {
    let profile = Profile::open(file).map_err(|error| Failure::ours(error.to_string()))?;
    let mut bar = Bar::new();
    let analysis = Analysis::new(&profile, &mut bar);
    drop(bar);
    let summary = analysis.summary();
    if !analysis.used_openmp() && summary.damaged > 0 {
        return Err(Failure::ours(format!(
            "{} is damaged: {} of its {} bytes cannot be read, and what is left says nothing of \
             OpenMP",
            file.display(),
            summary.damaged,
            summary.file_size,
        )));
    }
    if !analysis.used_openmp() && summary.parts.is_some() {
        return Err(Failure::ours(format!(
            "{}: nothing was measured that uses OpenMP: the run took {}, and only a part of it was \
             asked for (--delay, --for, --only, omp_control_tool)",
            file.display(),
            figures::duration(summary.run as f64),
        )));
    }
    Ok(analysis.used_openmp().then_some(analysis))
}

/// Appends each profile's report to its file, without showing it.
pub fn keep(files: &[PathBuf]) {
    for file in files {
        if let Ok(Some(analysis)) = analyse(file) {
            keep_report(file, &analysis);
        }
    }
}

/// Appends the report to a profile. Without it, a later comparison only lacks names.
fn keep_report(file: &Path, analysis: &Analysis) {
    if let Err(error) = keep::report(file, analysis) {
        terminal::say(&format!("{} keeps no names: {error}", typed(file)));
    }
}
