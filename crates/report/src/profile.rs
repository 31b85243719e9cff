//! A profile file, opened: mapped where it is a regular file, read otherwise.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use omphalos_profile_format::{Item, Reader};

use crate::ReportError;

/// An opened record file whose header was found good.
pub struct Profile {
    path: PathBuf,
    bytes: Bytes,
}

enum Bytes {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl Profile {
    /// Opens a record file. A file that is cut off or damaged after its header still opens.
    ///
    /// # Errors
    /// When it cannot be read, is no profile, or holds not one whole chunk.
    pub fn open(path: impl AsRef<Path>) -> Result<Profile, ReportError> {
        let path = path.as_ref().to_owned();
        let unreadable = |error| ReportError::Unreadable { path: path.clone(), error };
        let file = File::open(&path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(unreadable(io::ErrorKind::IsADirectory.into()));
        }
        let bytes = if metadata.is_file() && metadata.len() > 0 {
            // SAFETY: the mapping is private and read-only. If another process truncates the file
            // meanwhile, reading past its new end kills this program with SIGBUS; record files are
            // only ever appended to, so that is accepted as with every mapped input.
            Bytes::Mapped(unsafe { Mmap::map(&file) }.map_err(unreadable)?)
        } else {
            Bytes::Read(fs::read(&path).map_err(unreadable)?)
        };
        let profile = Profile { path, bytes };
        let format = |error| ReportError::Format { path: profile.path.clone(), error };
        let mut reader = Reader::new(profile.bytes()).map_err(format)?;
        if !reader.any(|item| matches!(item, Item::Chunk(_))) {
            return Err(ReportError::NoRecords { path: profile.path });
        }
        Ok(profile)
    }

    /// Where it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Read(bytes) => bytes,
        }
    }
}
