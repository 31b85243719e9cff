//! The affinity format: `%` fields filled in for the calling thread (OpenMP 5.2, section 21.2.4).

use crate::records::Thread;
use omphalos_settings::affinity_format;
use omphalos_settings::places::range_list;
use omphalos_sys::{cpus, thread as os};
use std::ffi::CString;

/// Writes the calling thread's affinity in one piece to standard output, through the C library's
/// buffer, so that it stays in order with the program's own lines.
pub fn show(thread: &Thread) {
    show_as(thread, &affinity_format::get());
}

/// Does what [`show`] does, with this format.
pub fn show_as(thread: &Thread, format: &str) {
    if let Ok(line) = CString::new(capture(thread, format)) {
        omphalos_sys::stdout::line(&line);
    }
}

/// Returns `format` with its fields filled in for the calling thread.
pub fn capture(thread: &Thread, format: &str) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        rest = field(thread, after, &mut out);
    }
    out.push_str(rest);
    out
}

/// Writes the field that `text` (after the `%`) begins with; returns the text behind it.
///
/// `[0][.][width]` then a letter or `{name}`: `0` pads with zeros, `.` justifies to the right.
fn field<'a>(thread: &Thread, text: &'a str, out: &mut String) -> &'a str {
    if let Some(rest) = text.strip_prefix('%') {
        out.push('%');
        return rest;
    }
    let (zeros, after) = match text.strip_prefix('0') {
        Some(after) => (true, after),
        None => (false, text),
    };
    let (right, after) = match after.strip_prefix('.') {
        Some(after) => (true, after),
        None => (false, after),
    };
    let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (width, after) = after.split_at(digits);
    // A greater width is a typo: no line is that long.
    let width = width.parse::<usize>().unwrap_or(0).min(4096);
    let (name, rest) = match after.strip_prefix('{').and_then(|t| t.split_once('}')) {
        Some((name, rest)) => (name, rest),
        None => {
            let end = after.chars().next().map_or(0, char::len_utf8);
            after.split_at(end)
        }
    };
    let text = match value(thread, name) {
        Some(value) if right && zeros => zero_padded(&value, width),
        Some(value) if right => format!("{value:>width$}"),
        Some(value) => format!("{value:<width$}"),
        None => "undefined".to_owned(),
    };
    out.push_str(&text);
    rest
}

fn zero_padded(value: &str, width: usize) -> String {
    match value.parse::<i64>() {
        Ok(number) => format!("{number:0width$}"),
        Err(_) => format!("{value:>width$}"),
    }
}

fn value(thread: &Thread, name: &str) -> Option<String> {
    let team = thread.team();
    let number = match name {
        "t" | "team_num" => team.league.get().1.into(),
        "T" | "num_teams" => team.league.get().0.into(),
        "L" | "nesting_level" => team.level.get().into(),
        "n" | "thread_num" => thread.num.get().into(),
        "N" | "num_threads" => team.size.get().into(),
        "a" | "ancestor_tnum" => team.parent().map_or(-1, |_| i64::from(team.parent_num.get())),
        "P" | "process_id" => std::process::id().into(),
        "i" | "native_thread_id" => i64::from(os::id()),
        "H" | "host" => return Some(host()),
        "A" | "thread_affinity" => return Some(range_list(&cpus::affinity())),
        _ => return None,
    };
    Some(number.to_string())
}

fn host() -> String {
    let mut name = [0u8; 256];
    omphalos_sys::process::host_name(&mut name);
    let end = name.iter().position(|&b| b == 0).unwrap_or(0);
    String::from_utf8_lossy(&name[..end]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let thread = Thread::current();
        let text = |format: &str| capture(thread, format);
        assert_eq!(text("100%% %n/%N %{nesting_level}"), "100% 0/1 0");
        assert_eq!(text("[%4n] [%.4n] [%0.4n]"), "[0   ] [   0] [0000]");
        assert_eq!(text("%{nothing} %z %"), "undefined undefined undefined");
        assert_eq!(text("%P"), std::process::id().to_string());
        assert_eq!(text("%a"), "-1");
        assert!(!text("%A%H").is_empty());
        assert_eq!(text("%999999999999999999999n"), "0");
        assert_eq!(text("%{open ä"), "undefinedopen ä");
    }
}
