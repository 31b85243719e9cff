//! Finds processes that have ended without anybody asking for their end: children of the process,
//! and other children of the process that forked it.

use std::fs;

use super::{name, processes, spaces};

/// The place of the exit code behind the state in /proc/PID/stat.
const EXIT_CODE: usize = 49;

/// These processes, in words: "process 7 ('app'), its child, has ended with exit status 3".
pub fn unasked(pid: u32) -> Vec<String> {
    let forker = spaces::forked_from(pid);
    let each = processes().into_iter().filter_map(|other| {
        let (parent, how) = of_stat(&fs::read_to_string(format!("/proc/{other}/stat")).ok()?)?;
        let relation = match parent {
            _ if parent == pid => "its child".to_owned(),
            _ if Some(parent) == forker => format!("a child of process {parent}, as this one is"),
            _ => return None,
        };
        let name = name(other)?;
        Some(format!("process {other} ('{name}'), {relation}, has ended{how}"))
    });
    each.collect()
}

/// Reads the parent of a process that has ended, and how the process ended, as far as known. `None`
/// for a process that has not ended.
fn of_stat(stat: &str) -> Option<(u32, String)> {
    let words: Vec<&str> = stat.rsplit_once(") ")?.1.split_ascii_whitespace().collect();
    let parent = words.get(1).filter(|_| words[0] == "Z")?.parse().ok()?;
    let code: u32 = words.get(EXIT_CODE).and_then(|code| code.parse().ok()).unwrap_or(0);
    // The kernel says 0 also of a process that we may not look at.
    let how = match (code, code & 0x7f) {
        (0, _) => String::new(),
        (_, 0) => format!(" with exit status {}", code >> 8),
        (_, signal) => format!(" by signal {signal}"),
    };
    Some((parent, how))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_process_is_read() {
        let stat = |state: &str, code: u32| {
            let between = "0 ".repeat(EXIT_CODE - 2);
            of_stat(&format!("12 (a) b) {state} 7 {between}{code}"))
        };
        assert_eq!(stat("Z", 0x300), Some((7, " with exit status 3".to_owned())));
        assert_eq!(stat("Z", 0x8b), Some((7, " by signal 11".to_owned())));
        assert_eq!(stat("Z", 0), Some((7, String::new())));
        assert_eq!(stat("S", 0x300), None);
        assert_eq!(of_stat("damaged"), None);
    }
}
