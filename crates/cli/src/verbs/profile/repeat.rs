//! `omphalos profile --repeat`: several runs, whose profiles lie in one folder.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use omphalos_profile_format::name;

use super::{Earlier, Program, no_openmp};
use crate::child::{self, End};
use crate::failure::Failure;
use crate::terminal::{self, Stream};
use crate::verbs::output::template;
use crate::verbs::report::{self, typed};
use crate::verbs::runs;

/// Runs so often, and reports; returns the exit status of the last run. A run that fails is the
/// last one.
pub(super) fn run(program: &Program<'_>, times: u32) -> Result<i32, Failure> {
    let arguments = program.arguments;
    let folder = folder(program);
    let mut earlier = prepare(&folder)?;
    std::fs::create_dir_all(&folder).map_err(|error| cannot(&folder, &error))?;
    let mut end = End::Exited(0);
    let mut recorded = 0;
    for number in 1..=times {
        let file = name::literal(folder.join(runs::name(number)).as_os_str().as_bytes());
        let file = PathBuf::from(std::ffi::OsString::from(std::ffi::OsStr::from_bytes(&file)));
        let ran = program.record(&template(Some(&file), &program.path, false));
        let (ended, written) = ran.inspect_err(|_| drop(std::fs::remove_dir(&folder)))?;
        end = ended;
        report::keep(&written);
        recorded += u32::from(!written.is_empty());
        if written.is_empty() || (end != End::Exited(0) && number < times) {
            let left = times - number;
            let why = if written.is_empty() { "wrote no profile" } else { "failed" };
            if left > 0 {
                terminal::say(&format!("run {number} {why}: the {left} others are left out"));
            }
            break;
        }
    }
    if recorded == 0 {
        // An earlier folder of the name comes back.
        let _ = std::fs::remove_dir(&folder);
        drop(earlier.take());
        terminal::say(&no_openmp(arguments, &program.path).message);
        return Ok(child::end_alike(end));
    }
    if !arguments.no_report
        && let Err(failure) = report::show_runs(&folder, &arguments.rendering, Stream::Error)
    {
        // The program ran: its exit status stands, whatever became of the report.
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

/// What was asked for, or the name of a profile without its end.
fn folder(program: &Program<'_>) -> PathBuf {
    let asked = program.arguments.output.as_deref();
    let named = template(asked, &program.path, false).name(std::process::id());
    if asked.is_some() { named } else { named.with_extension("") }
}

/// Puts an earlier folder of runs aside. What holds anything else is refused.
fn prepare(folder: &Path) -> Result<Option<Earlier>, Failure> {
    let Ok(metadata) = folder.symlink_metadata() else { return Ok(None) };
    if !metadata.is_dir() {
        return Err(cannot(folder, &"there is such a file, and --repeat makes a folder"));
    }
    let entries = std::fs::read_dir(folder).map_err(|error| cannot(folder, &error))?;
    for entry in entries {
        let name = entry.map_err(|error| cannot(folder, &error))?.file_name();
        if !runs::is_name(&name.to_string_lossy()) {
            return Err(cannot(folder, &"the folder holds other files than runs"));
        }
    }
    Earlier::put_aside(folder).map(Some).map_err(|error| cannot(folder, &error))
}

fn cannot(folder: &Path, why: &dyn std::fmt::Display) -> Failure {
    Failure::ours(format!(
        "cannot write profiles into {}: {why}; name another folder with --output",
        folder.display()
    ))
}
