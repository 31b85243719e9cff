//! The reasons why no report can be made: one clear line each, with the file, the cause and the
//! remedy.

use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use omphalos_profile_format::OpenError;

use crate::visible::visible_bytes;

/// Failure to open a profile. `Display` gives one line without a program name in front.
#[derive(Debug)]
pub enum ReportError {
    /// The file could not be read.
    Unreadable {
        /// The file, as the caller named it.
        path: PathBuf,
        /// The system's answer to opening, mapping or reading it.
        error: io::Error,
    },
    /// The file is no profile, or one of a later version.
    Format {
        /// The file, as the caller named it.
        path: PathBuf,
        /// Why the reader refuses the file's header.
        error: OpenError,
    },
    /// The profile holds no record at all.
    NoRecords {
        /// The file, as the caller named it.
        path: PathBuf,
    },
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportError::Unreadable { path, error } => {
                let reason = match error.kind() {
                    io::ErrorKind::NotFound => "no such file".to_owned(),
                    io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
                    io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
                    _ => error.to_string(),
                };
                write!(f, "cannot read profile '{}': {reason}", shown(path))
            }
            ReportError::Format { path, error } => write!(f, "'{}' {error}", shown(path)),
            ReportError::NoRecords { path } => write!(
                f,
                "profile '{}' holds no records: the profiled program ended before anything was \
                 written",
                shown(path)
            ),
        }
    }
}

fn shown(path: &Path) -> String {
    visible_bytes(path.as_os_str().as_bytes())
}

impl std::error::Error for ReportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReportError::Unreadable { error, .. } => Some(error),
            ReportError::Format { error, .. } => Some(error),
            ReportError::NoRecords { .. } => None,
        }
    }
}
