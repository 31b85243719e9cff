//! The profiles of a job. A job is the processes that `mpirun`, `srun` or the like starts together.
//! Each process writes its own profile, into one folder. All of them find the folder's name without
//! communication.
//!
//! The rank that ends last shows the report of all ranks, if it can see the others' files in the
//! file system. The first rank always prints where the folder is.

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use omphalos_profile_format::{job, name};

use super::Arguments;
use crate::failure::Failure;
use crate::terminal::{self, Stream};
use crate::verbs::output::{Template, template};
use crate::verbs::report::job as reports;
use crate::verbs::report::{self, Shown, typed};

/// The place of a job's profiles.
pub(super) struct Place {
    folder: PathBuf,
    /// The job's name, or a substitute where the launcher tells nothing.
    job: String,
    rank: name::Rank,
}

impl Place {
    /// Returns the place. `None` in two cases: `asked` names files and not a folder (it is a
    /// template, or ends like a profile's name); or nothing is asked for, and the launcher tells no
    /// name of the job.
    pub(super) fn of(asked: Option<&Path>, program: &Path, rank: name::Rank) -> Option<Place> {
        let job = job::name();
        let folder = match (asked, &job) {
            (Some(asked), _) => {
                let name = asked.as_os_str().as_bytes();
                if name.contains(&b'%') || name.ends_with(b".omph") {
                    return None;
                }
                asked.to_owned()
            }
            (None, Some(job)) => {
                let program = program.file_name().unwrap_or_default().to_string_lossy();
                PathBuf::from(format!("omphalos-{program}-{job}"))
            }
            (None, None) => return None,
        };
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        Some(Place { folder, job: job.unwrap_or_default(), rank })
    }

    /// Makes the folder; returns the name of the rank's profile.
    pub(super) fn template(&self, program: &Path) -> Result<Template, Failure> {
        fs::create_dir_all(&self.folder).map_err(|error| {
            Failure::ours(format!(
                "cannot make the folder {} for the job's profiles: {error}; name another with \
                 --output FOLDER",
                self.folder.display()
            ))
        })?;
        let mut name = name::literal(self.folder.as_os_str().as_bytes());
        name.extend_from_slice(b"/rank-%r.omph");
        let name = PathBuf::from(std::ffi::OsString::from_vec(name));
        Ok(template(Some(&name), program, true))
    }

    /// Reports after the rank's program has ended and written these profiles.
    pub(super) fn ended(&self, arguments: &Arguments, written: &[PathBuf]) -> Result<(), Failure> {
        report::keep(written);
        let is_last = self.is_last();
        let files = reports::files(&self.folder);
        if self.rank.number == 0 && !files.is_empty() {
            terminal::say(&format!(
                "the profiles of the job's {} ranks are in {1}; see them with: omphalos report {1}",
                self.rank.size,
                typed(&self.folder)
            ));
        }
        if !is_last {
            return Ok(());
        }
        if files.is_empty() {
            let _ = fs::remove_dir(&self.folder);
            return Err(super::no_openmp(&arguments.recording, Path::new(&arguments.command[0])));
        }
        match arguments.no_report {
            true => Ok(()),
            false => reports::show(&files, &arguments.rendering, Stream::Error).map(|_: Shown| ()),
        }
    }

    /// Marks the rank as ended. Returns whether it is the last: for one rank, which finds the marks
    /// of all ranks after it has made its own. No rank is the last if no marks can be made, as on a
    /// full disk, or if the file system shows them late.
    fn is_last(&self) -> bool {
        let marks = self.folder.join(format!(".ended-{}", self.job));
        let mark =
            |name: &str| OpenOptions::new().write(true).create_new(true).open(marks.join(name));
        if fs::create_dir_all(&marks).is_err() {
            return false;
        }
        match mark(&self.rank.number.to_string()) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(_) => return false,
        }
        let all = fs::read_dir(&marks).map_or(0, |entries| entries.flatten().count());
        let is_last = all >= self.rank.size as usize && mark("shown").is_ok();
        if is_last {
            let _ = fs::remove_dir_all(&marks);
        }
        is_last
    }
}
