//! The changes of `omphalos install`, piece by piece: each can be shown, made, and taken back.
//!
//! What must hold: making a change twice has the same effect as making it once, and taking it back
//! leaves the file system as it was. A line of a shared file is known by its mark, a file or link
//! by its place.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The end of each line that is added to somebody else's file.
pub const MARK: &str = " # omphalos install";

/// One piece of an installation.
pub enum Change {
    /// Lines at the end of a file of the user's, in place of all our lines that were there.
    Lines {
        /// The file, which need not be there.
        file: PathBuf,
        /// Each ends with [`MARK`].
        lines: Vec<String>,
    },
    /// A file of our own.
    File {
        /// Its place.
        path: PathBuf,
        /// Its content.
        text: String,
    },
    /// A link of our own.
    Link {
        /// Its place.
        path: PathBuf,
        /// The file that it leads to.
        to: PathBuf,
    },
}

impl Change {
    /// Whether nothing is left to do.
    pub fn is_made(&self) -> bool {
        match self {
            Self::Lines { file, lines } => {
                let text = fs::read(file).unwrap_or_default();
                marked(&text).eq(lines.iter().map(String::as_bytes))
            }
            Self::File { path, text } => fs::read(path).is_ok_and(|is| is == text.as_bytes()),
            Self::Link { path, to } => fs::read_link(path).is_ok_and(|is| is == *to),
        }
    }

    /// Returns the change in words, for the person who is asked.
    pub fn shown(&self) -> String {
        match self {
            Self::Lines { file, lines } => {
                format!("  adds to {}\n    {}\n", file.display(), lines.join("\n    "))
            }
            Self::File { path, text } => {
                format!("  makes the file {}\n    {}\n", path.display(), text.trim_end())
            }
            Self::Link { path, to } => {
                format!("  makes the link {}\n    to {}\n", path.display(), to.display())
            }
        }
    }

    /// Makes the change. A piece of an earlier installation gives way.
    pub fn make(&self) -> Result<(), Failure> {
        let (path, made) = match self {
            Self::Lines { file, lines } => {
                let rest = without_lines(&read(file)?);
                let text = lines.iter().fold(rest, |text, line| with_line(text, line));
                (file, make_folder(file).and_then(|()| replace(file, &text)))
            }
            Self::File { path, text } => {
                (path, make_folder(path).and_then(|()| replace(path, text.as_bytes())))
            }
            Self::Link { path, to } => {
                let _ = fs::remove_file(path);
                (path, make_folder(path).and_then(|()| symlink(to, path)))
            }
        };
        made.map_err(|error| cannot_write(path, &error))
    }
}

/// A piece of an installation that is there, and can be taken back.
pub enum Made {
    /// Lines in a file of the user's.
    Lines(PathBuf),
    /// A file or link of our own.
    Own(PathBuf),
}

impl Made {
    /// Returns the removal in words, for the person who is asked.
    pub fn shown(&self) -> String {
        match self {
            Self::Lines(file) => {
                let text = fs::read(file).unwrap_or_default();
                let lines =
                    marked(&text).map(|line| format!("    {}\n", String::from_utf8_lossy(line)));
                format!("  takes from {}\n{}", file.display(), lines.collect::<String>())
            }
            Self::Own(path) => format!("  removes {}\n", path.display()),
        }
    }

    /// Takes the piece back. A file that has no other content goes with it.
    pub fn undo(&self) -> Result<(), Failure> {
        let (path, undone) = match self {
            Self::Own(path) => (path, fs::remove_file(path)),
            Self::Lines(file) => {
                let rest = without_lines(&read(file)?);
                let undone = match rest.is_empty() && !file.is_symlink() {
                    true => fs::remove_file(file),
                    false => replace(file, &rest),
                };
                (file, undone)
            }
        };
        undone.map_err(|error| cannot_write(path, &error))
    }
}

/// Whether a file has this line of ours.
pub fn has_line(file: &Path, line: &str) -> bool {
    let text = fs::read(file).unwrap_or_default();
    marked(&text).any(|marked| marked == line.as_bytes())
}

/// Whether a file has lines of ours.
pub fn has_lines(file: &Path) -> bool {
    fs::read(file).is_ok_and(|text| marked(&text).next().is_some())
}

/// Returns our lines in a text.
pub fn marked(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').filter(|line| line.ends_with(MARK.as_bytes()))
}

/// Returns the text with the line at its end. If the text's last line has no line end, the new one
/// has none either.
fn with_line(mut text: Vec<u8>, line: &str) -> Vec<u8> {
    if !text.is_empty() && !text.ends_with(b"\n") {
        text.push(b'\n');
        text.extend_from_slice(line.as_bytes());
    } else {
        text.extend_from_slice(line.as_bytes());
        text.push(b'\n');
    }
    text
}

/// Returns the text without our lines, as it was before.
fn without_lines(text: &[u8]) -> Vec<u8> {
    let is_ours = |line: &[u8]| line.strip_suffix(b"\n").unwrap_or(line).ends_with(MARK.as_bytes());
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let mut rest: Vec<u8> =
        lines.iter().filter(|line| !is_ours(line)).copied().flatten().copied().collect();
    let unended = lines.last().is_some_and(|line| is_ours(line) && !line.ends_with(b"\n"));
    if unended && rest.ends_with(b"\n") {
        rest.pop();
    }
    rest
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    match fs::read(file) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Failure::ours(format!("cannot read {}: {error}", file.display()))),
    }
}

fn make_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Writes beside the file and renames, so that nobody ever reads half a file. A link stays a link.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut name = OsString::from(".");
    name.push(real.file_name().unwrap_or_default());
    name.push(".omphalos");
    let beside = real.with_file_name(name);
    let written = fs::write(&beside, text).and_then(|()| {
        if let Ok(metadata) = fs::metadata(&real) {
            fs::set_permissions(&beside, metadata.permissions())?;
        }
        fs::rename(&beside, &real)
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let what = match error.kind() {
        ErrorKind::PermissionDenied => {
            "; what is the machine's only root may change: use `sudo`, or --for-user"
        }
        ErrorKind::ReadOnlyFilesystem => "; use `omphalos run`, which changes nothing",
        _ => "",
    };
    Failure::ours(format!("cannot write {}: {error}{what}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_without_a_trace() {
        let (first, second) = (format!("one{MARK}"), format!("two{MARK}"));
        for text in ["", "a\n", "a", "a\n\n", "a\r\nb"] {
            let with = with_line(with_line(text.into(), &first), &second);
            assert_eq!(marked(&with).count(), 2, "{text:?}");
            assert_eq!(without_lines(&with), text.as_bytes());
            // Text after the lines stays.
            let later = [&with[..], b"\nlater\n"].concat();
            assert!(without_lines(&later).ends_with(b"\nlater\n"));
        }
    }
}
