//! Files that the user asks for by name: flame graphs, JSON, folded stacks.
//!
//! What must hold: no file is lost. The program never overwrites a profile, nor a file that does
//! not look like an earlier one of the same kind. A file is replaced whole, or stays.

use std::ffi::CString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use omphalos_export::{csv, sqlite};
use omphalos_profile_format::FILE_MAGIC;

use crate::failure::Failure;
use crate::terminal;

/// Returns the files that the user asked for by `options`, with their kinds.
pub fn asked<const N: usize>(
    options: [(Kind, &Option<PathBuf>); N],
) -> impl Iterator<Item = (Kind, &Path)> {
    options.into_iter().filter_map(|(kind, out)| Some((kind, out.as_deref()?)))
}

/// The kind of a file's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    FlameGraph,
    Firefox,
    Folded,
    FoldedPair,
    Json,
    Digest,
    Findings,
    Markdown,
    Junit,
    Page,
    Csv,
    Speedscope,
    Callgrind,
    Pprof,
    Sqlite,
    Perfetto,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::FlameGraph => "flame graph",
            Self::Firefox => "profile for Firefox",
            Self::Folded | Self::FoldedPair => "file of folded stacks",
            Self::Json => "report as JSON",
            Self::Digest => "digest",
            Self::Findings => "file of findings as JSON",
            Self::Markdown => "comparison in Markdown",
            Self::Junit => "test report",
            Self::Page => "page of a report",
            Self::Csv => "table of a report",
            Self::Speedscope => "profile for speedscope",
            Self::Callgrind => "profile in callgrind's format",
            Self::Pprof => "profile for pprof",
            Self::Sqlite => "database of SQLite",
            Self::Perfetto => "trace for Perfetto",
        }
    }

    /// Whether a file that starts like this may be an earlier one of the kind.
    fn is_alike(self, start: &[u8]) -> bool {
        match self {
            Self::FlameGraph => start.windows(4).any(|four| four == b"<svg"),
            Self::Firefox | Self::Json | Self::Digest | Self::Findings | Self::Speedscope => {
                start.trim_ascii_start().starts_with(b"{")
            }
            Self::Markdown => start.starts_with(b"**"),
            Self::Csv => start.starts_with(csv::BEGIN.as_bytes()),
            // Its first field: a type of values, of two numbers.
            Self::Pprof => start.starts_with(&[0x0a, 0x04, 0x08]),
            // Its first field: a packet, which begins with the number of its writer.
            Self::Perfetto => {
                start.first() == Some(&0x0a)
                    && start.get(2..).is_some_and(|rest| rest.starts_with(&[0x50, 1]))
            }
            Self::Sqlite => start.starts_with(sqlite::BEGIN),
            Self::Callgrind => start.starts_with(b"# callgrind format"),
            Self::Junit => start.windows(10).any(|ten| ten == b"<testsuite"),
            Self::Page => start.starts_with(b"<!DOCTYPE html>"),
            Self::Folded | Self::FoldedPair => {
                let line = start.split(|byte| *byte == b'\n').next().unwrap_or(start);
                let number = line.rsplit(|byte| *byte == b' ').next().unwrap_or(line);
                line.contains(&b' ') && !number.is_empty() && number.iter().all(u8::is_ascii_digit)
            }
        }
    }
}

/// Whether standard output is asked for instead of a file.
pub fn is_standard_output(out: &Path) -> bool {
    out.as_os_str() == "-"
}

/// Refuses files that cannot or must not be written, before any work is done for them.
pub fn check(exports: &[(Kind, &Path)]) -> Result<(), Failure> {
    let files: Vec<_> = exports.iter().filter(|(_, out)| !is_standard_output(out)).collect();
    for (i, (kind, out)) in files.iter().enumerate() {
        if files[..i].iter().any(|(_, other)| is_same(other, out)) {
            return Err(refused(out, "it is asked for twice; each export needs a file of its own"));
        }
        check_one(*kind, out)?;
    }
    Ok(())
}

fn check_one(kind: Kind, out: &Path) -> Result<(), Failure> {
    let metadata = match fs::metadata(out) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return check_folder(out),
        Err(error) => return Err(refused(out, &error.to_string())),
    };
    if kind == Kind::Csv && metadata.is_dir() {
        return Ok(());
    }
    if metadata.is_dir() {
        return Err(refused(out, "it is a folder"));
    }
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(());
    }
    let mut start = Vec::new();
    let read = File::open(out).and_then(|file| file.take(4096).read_to_end(&mut start));
    if let Err(error) = read {
        return Err(refused(out, &error.to_string()));
    }
    if start.starts_with(&FILE_MAGIC) {
        return Err(refused(out, "it is a profile, which is not written over; name another file"));
    }
    if !kind.is_alike(&start) {
        let why = format!(
            "there is such a file and it is no {}; name another, or remove it",
            kind.name()
        );
        return Err(refused(out, &why));
    }
    Ok(())
}

/// Refuses a new file in a folder where none can be made.
fn check_folder(out: &Path) -> Result<(), Failure> {
    let folder = match out.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    match fs::metadata(folder) {
        Ok(there) if !there.is_dir() => {
            return Err(refused(out, &format!("{} is no folder", folder.display())));
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(refused(out, &format!("there is no folder {}", folder.display())));
        }
        Err(error) => return Err(refused(out, &error.to_string())),
    }
    let name = CString::new(folder.as_os_str().as_bytes()).unwrap_or_default();
    // SAFETY: `name` is a terminated string that outlives the call.
    if unsafe { libc::access(name.as_ptr(), libc::W_OK | libc::X_OK) } != 0 {
        return Err(refused(out, &io::Error::last_os_error().to_string()));
    }
    Ok(())
}

/// Writes a whole file, or prints if `-` is asked for.
pub fn write(kind: Kind, out: &Path, content: &str) -> Result<(), Failure> {
    if is_standard_output(out) {
        return terminal::print(content);
    }
    write_bytes(kind, out, content.as_bytes())
}

/// As [`write()`], for a file that is no text.
pub fn write_bytes(kind: Kind, out: &Path, content: &[u8]) -> Result<(), Failure> {
    if is_standard_output(out) {
        let written = io::stdout().write_all(content).and_then(|()| io::stdout().flush());
        return written.map_err(|error| refused(out, &error.to_string()));
    }
    let earlier = if put(kind, out, content)? { " in the place of an earlier one" } else { "" };
    terminal::say(&format!("wrote {}{earlier}", out.display()));
    Ok(())
}

/// Writes a whole file without a word on the terminal. True if there was an earlier one.
fn put(kind: Kind, out: &Path, content: &[u8]) -> Result<bool, Failure> {
    check_one(kind, out)?;
    let existing = fs::metadata(out).ok();
    let replaces = existing.as_ref().is_some_and(|there| there.is_file() && there.len() > 0);
    replace(out, existing, content).map_err(|error| refused(out, &error.to_string()))?;
    Ok(replaces)
}

/// Writes files into a folder; makes the folder if there is none.
pub fn write_folder(kind: Kind, folder: &Path, files: &[(String, String)]) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| refused(folder, &error.to_string()))?;
    for (name, _) in files {
        check_one(kind, &folder.join(name))?;
    }
    for (name, content) in files {
        put(kind, &folder.join(name), content.as_bytes())?;
    }
    terminal::say(&format!("wrote {} tables into {}", files.len(), folder.display()));
    Ok(())
}

/// Makes a new file beside the old one and moves it into its place: a full disk costs only the new
/// one.
fn replace(out: &Path, existing: Option<Metadata>, content: &[u8]) -> io::Result<()> {
    if existing.as_ref().is_some_and(|there| !there.is_file()) {
        let mut device = OpenOptions::new().write(true).open(out)?;
        // Somebody may have put a file there meanwhile: it is not overwritten.
        if device.metadata()?.is_file() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        return device.write_all(content);
    }
    // The target of a link is replaced, not the link.
    let out = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
    let beside = beside(&out, "new");
    let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let mut written = file.write_all(content).and_then(|()| file.flush());
    if let (Ok(()), Some(there)) = (&written, existing) {
        written = file.set_permissions(there.permissions());
    }
    written.and_then(|()| fs::rename(&beside, &out)).inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}

/// Returns a name in the folder of `path` that only this process uses.
pub fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.{what}", std::process::id()));
    path.with_file_name(name)
}

fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| fs::metadata(path).map(|there| (there.dev(), there.ino())).ok();
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute(one) == absolute(other)
        || place(one).is_some_and(|place_| place(other) == Some(place_))
}

fn refused(out: &Path, why: &str) -> Failure {
    Failure::ours(format!("cannot write {}: {why}", out.display()))
}
