//! Finds the state of a file that a program asks for again and again: a lock that another program
//! made and never removed, or a file that nobody makes.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::openers::seen_by;
use super::{name, process_of};
use crate::asleep::FileState;

/// The longest text of a file that may be a number.
const LONGEST: u64 = 24;
/// The greatest number that a process may have (PID_MAX_LIMIT).
const GREATEST: u32 = 1 << 22;

/// The state of the file at a path, as a process sees it. `None` if nobody lets us see it.
pub fn state(pid: u32, path: &str) -> Option<FileState> {
    let seen = seen_by(pid, path);
    let data = match fs::symlink_metadata(&seen) {
        Ok(data) => data,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let folder = Path::new(&seen).parent().and_then(|folder| fs::metadata(folder).ok());
            let age = folder.map_or(Duration::MAX, |data| age(&data));
            let words = ", which does not exist".to_owned();
            return Some(FileState { words, age, ..FileState::default() });
        }
        Err(_) => return None,
    };
    let number = number_in(&seen, &data).filter(|number| (1..=GREATEST).contains(number));
    let named = number.map(|number| (number, process_of(pid, number)));
    let says = match named {
        None => String::new(),
        Some((number, None)) => {
            format!("; its text is {number}, and no process on this machine has that number")
        }
        Some((number, Some(of))) => match name(of) {
            Some(name) => format!("; its text is {number}, the number of '{name}'"),
            None => format!("; its text is {number}"),
        },
    };
    let kind = if data.is_dir() { "a folder that" } else { "which" };
    let words = format!(", {kind} exists (changed {}{says})", local_time(data.ctime())?);
    let named_lives = named.map(|(_, of)| of.is_some());
    Some(FileState { words, exists: true, age: age(&data), named_lives })
}

/// The time since the file, or its folder, changed.
fn age(data: &Metadata) -> Duration {
    let changed = u64::try_from(data.ctime()).map(Duration::from_secs).unwrap_or_default();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(changed)
}

/// The number that is a file's whole text.
fn number_in(seen: &str, data: &Metadata) -> Option<u32> {
    let is_short = data.is_file() && (1..=LONGEST).contains(&data.len());
    let file = is_short.then(|| File::open(seen).ok()).flatten()?;
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// "2026-11-30 18:20:11", in the time zone of whoever asks.
fn local_time(seconds: i64) -> Option<String> {
    let mut parts = std::mem::MaybeUninit::<libc::tm>::uninit();
    // SAFETY: `localtime_r` reads the number, and fills in the structure unless it returns null.
    let parts = unsafe {
        if libc::localtime_r(&seconds, parts.as_mut_ptr()).is_null() {
            return None;
        }
        parts.assume_init()
    };
    let (year, month) = (parts.tm_year + 1900, parts.tm_mon + 1);
    let (day, hour, minute, second) = (parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
    Some(format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"))
}
