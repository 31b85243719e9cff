//! `omphalos profile --repeat`: several runs, with their profiles in one folder.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use omphalos_profile_format::name;

use super::{Arguments, Earlier, Program, no_openmp};
use crate::child::{self, End};
use crate::failure::Failure;
use crate::terminal::{self, Stream};
use crate::verbs::output::template;
use crate::verbs::report::{self, typed};
use crate::verbs::runs;

/// Runs the program `times` times, and reports; returns the exit status of the last run. A run
/// that fails is the last one.
pub(super) fn run(
    arguments: &Arguments,
    program: &Program<'_>,
    times: u32,
) -> Result<i32, Failure> {
    let folder = folder(arguments.output.as_deref(), &program.path);
    let mut earlier = prepare(&folder, "--repeat", runs::is_name)?;
    std::fs::create_dir_all(&folder).map_err(|error| cannot(&folder, &error))?;
    let mut end = End::Exited(0);
    let mut recorded = 0;
    for number in 1..=times {
        let ran = record(program, &folder, number);
        let (ended, written) = ran.inspect_err(|_| drop(std::fs::remove_dir(&folder)))?;
        let asked = child::asked_to_end();
        end = asked.unwrap_or(ended);
        recorded += u32::from(!written.is_empty());
        if written.is_empty() || (end != End::Exited(0) && number < times) {
            let left = times - number;
            let why = match asked {
                Some(_) => "is the last one, since a signal asked for an end",
                None if written.is_empty() => "wrote no profile",
                None => "failed",
            };
            if left > 0 {
                terminal::say(&format!("run {number} {why}: the {left} others are left out"));
            }
            break;
        }
    }
    if recorded == 0 {
        // An earlier folder of the same name comes back.
        let _ = std::fs::remove_dir(&folder);
        drop(earlier.take());
        terminal::say(&no_openmp(&arguments.recording, &program.path).message);
        return Ok(child::end_alike(end));
    }
    if !arguments.no_report
        && let Err(failure) = report::show_runs(&folder, &arguments.rendering, Stream::Error)
    {
        // The program ran: its exit status stands, whatever happened to the report.
        terminal::say(&failure.message);
    }
    terminal::say(&format!(
        "the profiles of {recorded} runs are in {0}; see them again with: omphalos report {0}",
        typed(&folder)
    ));
    if let Some(earlier) = earlier.take() {
        earlier.settle();
    }
    Ok(child::end_alike(end))
}

/// Runs the program once more, and records into an existing folder; each profile's report is
/// appended to its file.
pub(in crate::verbs) fn record(
    program: &Program<'_>,
    folder: &Path,
    number: u32,
) -> Result<(End, Vec<PathBuf>), Failure> {
    let file = name::literal(folder.join(runs::name(number)).as_os_str().as_bytes());
    let file = PathBuf::from(std::ffi::OsString::from(std::ffi::OsStr::from_bytes(&file)));
    let (end, written) = program.record(&template(Some(&file), &program.path, false))?;
    report::keep(&written);
    Ok((end, written))
}

/// Returns the folder that was asked for, or the name of a profile without its end.
pub(in crate::verbs) fn folder(asked: Option<&Path>, program: &Path) -> PathBuf {
    let named = template(asked, program, false).name(std::process::id());
    if asked.is_some() { named } else { named.with_extension("") }
}

/// Puts an earlier folder of runs aside. A folder with anything else in it is refused. `who` makes
/// such folders, and `is_ours` recognises their files by name.
pub(in crate::verbs) fn prepare(
    folder: &Path,
    who: &str,
    is_ours: fn(&str) -> bool,
) -> Result<Option<Earlier>, Failure> {
    let Ok(metadata) = folder.symlink_metadata() else { return Ok(None) };
    if !metadata.is_dir() {
        return Err(cannot(folder, &format!("there is such a file, and {who} makes a folder")));
    }
    let entries = std::fs::read_dir(folder).map_err(|error| cannot(folder, &error))?;
    for entry in entries {
        let name = entry.map_err(|error| cannot(folder, &error))?.file_name();
        if !is_ours(&name.to_string_lossy()) {
            return Err(cannot(folder, &"the folder holds other files than runs"));
        }
    }
    Earlier::put_aside(folder).map(Some).map_err(|error| cannot(folder, &error))
}

pub(in crate::verbs) fn cannot(folder: &Path, why: &dyn std::fmt::Display) -> Failure {
    Failure::ours(format!(
        "cannot write profiles into {}: {why}; name another folder with --output",
        folder.display()
    ))
}
