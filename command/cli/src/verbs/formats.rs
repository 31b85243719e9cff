//! The formats of other programs that `omphalos report` and `omphalos profile` write.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use omphalos_export::{callgrind, csv, perfetto, pprof, speedscope, sqlite};
use omphalos_report::Analysis;

use crate::export::{self, Kind};
use crate::failure::Failure;

/// Where a profile is written for other programs.
#[derive(clap::Args)]
pub struct Formats {
    /// Write the report's tables as CSV files into a folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    csv: Option<PathBuf>,

    /// Write a profile for speedscope (JSON)
    #[arg(long, value_name = "OUT.JSON", value_hint = ValueHint::FilePath)]
    speedscope: Option<PathBuf>,

    /// Write a profile for callgrind_annotate and KCachegrind
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    callgrind: Option<PathBuf>,

    /// Write a profile for pprof (`go tool pprof`)
    #[arg(long, value_name = "OUT.PB", value_hint = ValueHint::FilePath)]
    pprof: Option<PathBuf>,

    /// Write the report's tables as a database for SQLite
    #[arg(long, value_name = "OUT.DB", value_hint = ValueHint::FilePath)]
    sqlite: Option<PathBuf>,

    /// Write a trace for Perfetto (ui.perfetto.dev)
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    perfetto: Option<PathBuf>,
}

impl Formats {
    /// The files that are asked for.
    pub fn exports(&self) -> impl Iterator<Item = (Kind, &Path)> {
        export::asked([
            (Kind::Csv, &self.csv),
            (Kind::Speedscope, &self.speedscope),
            (Kind::Callgrind, &self.callgrind),
            (Kind::Pprof, &self.pprof),
            (Kind::Sqlite, &self.sqlite),
            (Kind::Perfetto, &self.perfetto),
        ])
    }
}

/// Writes the processes in one of these formats; false where `kind` is none of them.
pub fn write(kind: Kind, out: &Path, processes: &[&Analysis]) -> Result<bool, Failure> {
    match kind {
        Kind::Csv => export::write_folder(kind, out, &csv::render(processes))?,
        Kind::Speedscope => export::write(kind, out, &speedscope::render(processes))?,
        Kind::Callgrind => export::write(kind, out, &callgrind::render(processes))?,
        Kind::Pprof => export::write_bytes(kind, out, &pprof::render(processes))?,
        Kind::Sqlite => export::write_bytes(kind, out, &sqlite::render(processes))?,
        Kind::Perfetto => export::write_bytes(kind, out, &perfetto::render(processes))?,
        _ => return Ok(false),
    }
    Ok(true)
}
