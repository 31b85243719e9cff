//! An opened profile file: mapped where it is a regular file, read otherwise.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use omphalos_profile_format::{FILE_HEADER_BYTES, Item, Reader, Record};

use crate::ReportError;

/// An opened record file with a good header.
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
        let mut file = File::open(&path).map_err(unreadable)?;
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
            // A pipe, or a device: one without an end is recognised by its begin.
            let mut bytes = Vec::new();
            let header = FILE_HEADER_BYTES as u64;
            file.by_ref().take(header).read_to_end(&mut bytes).map_err(unreadable)?;
            if Reader::new(&bytes).is_ok() {
                file.read_to_end(&mut bytes).map_err(unreadable)?;
            }
            Bytes::Read(bytes)
        };
        let profile = Profile { path, bytes };
        let format = |error| ReportError::Format { path: profile.path.clone(), error };
        let mut reader = Reader::new(profile.bytes()).map_err(format)?;
        if !reader.any(|item| matches!(item, Item::Chunk(_))) {
            return Err(ReportError::NoRecords { path: profile.path });
        }
        Ok(profile)
    }

    /// The path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the report that was made at the program's end, as JSON, if one was kept: its names
    /// are right even if the program has been built anew since.
    pub fn kept_report(&self) -> Option<String> {
        let mut text = Vec::new();
        for item in Reader::new(self.bytes()).ok()? {
            let Item::Chunk(chunk) = item else { continue };
            for record in chunk.records() {
                if let Ok(Record::ReportPiece(piece)) = record {
                    text.extend_from_slice(piece.text);
                }
            }
        }
        String::from_utf8(text).ok().filter(|text| !text.is_empty())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Read(bytes) => bytes,
        }
    }
}
