//! Finds, in the source, where Python code takes and gives back the locks that threads wait for.
//! Such a lock does not name its holder, and two locks with one name in the source need not be the
//! same. So the result is only the places with this name, and the threads that come there. It also
//! finds where the items of a queue are marked as done. `add_frames` is the caller.

use omphalos_ompd_view::snapshot::{Bringing, Brings, Bypass, Comer, Frame, Snapshot, Thread};

use omphalos_why::words;

use super::super::place_of;
use super::locks::wanted;

/// The longest source that is read, bytes.
const LONGEST: u64 = 1 << 22;
/// The most places that are named.
const MOST_PLACES: usize = 8;
/// The most sources that are searched.
const MOST_SOURCES: usize = 16;

/// A source, and a frame that waits for a lock in it.
struct Source<'a> {
    frame: &'a Frame,
    lines: Vec<&'a str>,
    /// The lock's name in the source: "self.guard".
    name: &'a str,
}

/// Fills in the places for each thread that waits for a lock whose holder is unknown, or for a
/// queue.
pub(super) fn find(snapshot: &mut Snapshot) {
    let pid = snapshot.pid;
    for at in 0..snapshot.threads.len() {
        let thread = &snapshot.threads[at];
        if words::queue_call(thread) == Some("join") {
            snapshot.threads[at].brings = task_done(&snapshot.threads, pid);
            continue;
        }
        let frame = thread.stack.iter().find(|frame| is_program(frame));
        let Some(frame) = frame.filter(|_| wanted(thread).is_some()).cloned() else { continue };
        let text = frame.file.as_deref().and_then(|file| text(file, pid)).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let line = frame.line.and_then(|line| lines.get((line as usize).checked_sub(1)?).copied());
        let Some(name) = line.and_then(locked) else { continue };
        let source = Source { frame: &frame, lines, name };
        let brings = source.brings(&snapshot.threads, thread.lwp);
        snapshot.threads[at].brings = brings;
    }
}

/// Returns the places that mark an item of a queue as done, and the ways that pass such a place by
/// after the item was taken.
fn task_done(threads: &[Thread], pid: Option<u32>) -> Option<Brings> {
    let mut frames: Vec<&Frame> = Vec::new();
    for frame in threads.iter().flat_map(|thread| &thread.stack).filter(|it| is_program(it)) {
        if frames.len() < MOST_SOURCES && frames.iter().all(|known| known.file != frame.file) {
            frames.push(frame);
        }
    }
    let what = Bringing::TaskDone;
    let mut brings = Brings { what, alike: true, ..Brings::default() };
    for frame in frames {
        let text = frame.file.as_deref().and_then(|file| text(file, pid)).unwrap_or_default();
        let source = Source { frame, lines: text.lines().collect(), name: "" };
        let numbered = || (1u32..).zip(&source.lines);
        let lines_with = |call: &str| -> Vec<u32> {
            let has = |line: &str| line.split('#').next().unwrap_or_default().contains(call);
            numbered().filter(|(_, line)| has(line)).map(|(at, _)| at).collect()
        };
        let (dones, takes) = (lines_with(".task_done("), lines_with(".get("));
        brings.places.extend(dones.iter().filter_map(|at| source.place(*at)));
        let way = |at: &u32| source.past(*at, &takes).or_else(|| source.raised(*at, &takes));
        brings.bypasses.extend(dones.iter().filter_map(way));
        let comer = |thread: &Thread| {
            let mut frames = thread.stack.iter().filter(|it| it.file == frame.file);
            let place = frames.find_map(|frame| {
                let head = source.head(frame.line?)?;
                source.place(*dones.iter().find(|at| source.head(**at) == Some(head))?)
            })?;
            Some(Comer { lwp: thread.lwp, place })
        };
        brings.comers.extend(threads.iter().filter_map(comer));
    }
    brings.places.truncate(MOST_PLACES);
    (!brings.places.is_empty()).then_some(brings)
}

/// Whether the code is the program's own, not the Python library's.
fn is_program(frame: &Frame) -> bool {
    let file = frame.file.as_deref().unwrap_or_default();
    frame.module.ends_with(".py") && !file.contains("/lib/python")
}

fn text(file: &str, pid: Option<u32>) -> Option<String> {
    // A name without a folder is relative to the process's first folder, as a rule.
    let path = match (file.starts_with('/'), pid) {
        (true, _) => file.to_owned(),
        (false, Some(pid)) => format!("/proc/{pid}/cwd/{file}"),
        _ => return None,
    };
    let length = std::fs::metadata(&path).ok().filter(|data| data.is_file())?.len();
    (length <= LONGEST).then(|| std::fs::read_to_string(&path).ok())?
}

/// The lock that a line takes: "with self.guard:" or "self.guard.acquire()".
fn locked(line: &str) -> Option<&str> {
    let code = line.trim_start();
    let is_name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
    };
    let by_with = code.strip_prefix("with ").and_then(|rest| rest.split([':', ',', ' ']).next());
    let by_call = code.split_once(".acquire(").map(|(before, _)| {
        let from = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        &before[from.map_or(0, |at| at + 1)..]
    });
    by_call.or(by_with).filter(|name| is_name(name))
}

impl Source<'_> {
    fn has(&self, line: &str, method: &str) -> bool {
        let call = format!("{}.{method}(", self.name);
        let code = line.split('#').next().unwrap_or_default();
        code.match_indices(&call).any(|(at, _)| {
            let before = code[..at].chars().next_back();
            before.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == '.'))
        })
    }

    /// Returns the places that take the lock or give it back, the threads that come to a place that
    /// gives it back, and the ways past such a place.
    fn brings(&self, threads: &[Thread], of: u32) -> Option<Brings> {
        let numbered = || (1u32..).zip(&self.lines);
        let gives: Vec<u32> =
            numbered().filter(|(_, line)| self.has(line, "release")).map(|(at, _)| at).collect();
        let is_one = |line: &str| self.has(line, "acquire") || locked(line) == Some(self.name);
        let takes: Vec<u32> =
            numbered().filter(|(_, line)| is_one(line)).map(|(at, _)| at).collect();
        let mut all = [&takes[..], &gives[..]].concat();
        all.sort_unstable();
        all.dedup();
        let places: Vec<String> =
            all.into_iter().filter_map(|at| self.place(at)).take(MOST_PLACES).collect();
        let comer = |thread: &Thread| {
            let mut frames = thread.stack.iter().filter(|it| it.file == self.frame.file);
            let place = frames.find_map(|frame| {
                let line = frame.line?;
                let head = self.head(line)?;
                let taken = takes.iter().any(|at| (head..=line).contains(at));
                let next = gives.iter().find(|at| **at >= line && self.head(**at) == Some(head));
                self.place(*next.filter(|_| taken)?)
            })?;
            Some(Comer { lwp: thread.lwp, place })
        };
        let others = threads.iter().filter(|thread| thread.lwp != of);
        let comers = others.filter_map(comer).collect();
        let bypasses = gives.iter().filter_map(|at| self.past(*at, &takes)).collect();
        let what = Bringing::Release;
        let brings = Brings { what, places, alike: true, comers, bypasses, ..Brings::default() };
        (!brings.places.is_empty()).then_some(brings)
    }

    fn place(&self, line: u32) -> Option<String> {
        place_of(&Frame { line: Some(line), or_lines: Vec::new(), ..self.frame.clone() })
    }

    /// The line at which the function around `line` begins.
    fn head(&self, line: u32) -> Option<u32> {
        let mut depth = indent(self.lines.get(line as usize - 1)?);
        for at in (1..line).rev() {
            let code = self.lines.get(at as usize - 1)?;
            if code.trim().is_empty() || indent(code) >= depth {
                continue;
            }
            depth = indent(code);
            let code = code.trim_start();
            if code.starts_with("def ") || code.starts_with("async def ") {
                return Some(at);
            }
        }
        None
    }

    /// Returns the way that an exception takes from a call behind the line that takes an item past
    /// the line `give` of the same function.
    fn raised(&self, give: u32, takes: &[u32]) -> Option<Bypass> {
        let head = self.head(give)?;
        let take = takes.iter().rev().find(|at| **at < give && self.head(**at) == Some(head))?;
        let between = (take + 1..give).filter_map(|at| self.lines.get(at as usize - 1));
        let codes: Vec<&str> = between.map(|line| line.trim_start()).collect();
        let is_kept = codes
            .iter()
            .any(|code| ["try", "finally", "except", "with"].iter().any(|it| code.starts_with(it)));
        let may_raise = codes.iter().any(|code| !code.starts_with('#') && code.contains('('));
        (may_raise && !is_kept).then(|| self.way(head, *take, give, "raises"))?
    }

    /// A way past the line `give` of the function that begins at `head`.
    fn way(&self, head: u32, at: u32, give: u32, how: &str) -> Option<Bypass> {
        let line = self.lines.get(head as usize - 1)?.trim_start();
        let name = line.trim_start_matches("async ").trim_start_matches("def ");
        let (function, _) = name.split_once('(')?;
        Some(Bypass {
            function: function.to_owned(),
            at: self.place(at)?,
            of: self.place(give)?,
            how: how.to_owned(),
            thrown: None,
        })
    }

    /// Returns the first statement that leaves the function behind the line that takes the lock and
    /// before the line `give`, which gives it back. Such a way leaves the lock taken.
    fn past(&self, give: u32, takes: &[u32]) -> Option<Bypass> {
        let head = self.head(give)?;
        let take = takes.iter().rev().find(|at| **at < give && self.head(**at) == Some(head))?;
        let between =
            || (take + 1..give).filter_map(|at| Some((at, self.lines.get(at as usize - 1)?)));
        let begins = |code: &str, words: &[&str]| {
            let first = code.trim_start().split([' ', ':', '(']).next().unwrap_or_default();
            words.contains(&first)
        };
        // A `return` within `try` need not leave at once: code behind `finally` may come first.
        if between().any(|(_, code)| begins(code, &["try", "finally", "except", "def"])) {
            return None;
        }
        let leaves = |code: &str| {
            begins(code, &LEAVES) || LEAVES.iter().any(|leave| code.contains(&format!(": {leave}")))
        };
        let (at, _) = between().find(|(_, code)| leaves(code))?;
        self.way(head, at, give, "side")
    }
}

/// The statements that leave a function, or one round of the loop that is its whole body.
const LEAVES: [&str; 4] = ["return", "raise", "continue", "break"];

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
def one(self):
    self.a.acquire()
    if done():
        return
    work()
    self.a.release()

def two(self):
    with self.a:
        work()
";

    #[test]
    fn the_source_tells_where_a_lock_is_given_back_and_who_comes_there() {
        assert_eq!(locked("    with self.a:"), Some("self.a"));
        assert_eq!(locked("  ok = lock.acquire(False)"), Some("lock"));
        assert_eq!(locked("    with open(name) as file:"), None);
        let at = |line: u32| Frame {
            file: Some("/x/a.py".to_owned()),
            line: Some(line),
            module: "a.py".to_owned(),
            ..Frame::default()
        };
        let frame = at(9);
        let source = Source { frame: &frame, lines: TEXT.lines().collect(), name: "self.a" };
        let thread = |lwp, line| Thread { lwp, stack: vec![at(line)], ..Thread::default() };
        let brings = source.brings(&[thread(1, 9), thread(2, 5), thread(3, 1)], 1).unwrap();
        assert_eq!(brings.places, ["a.py:2", "a.py:6", "a.py:9"]);
        let comers: Vec<_> = brings.comers.iter().map(|it| (it.lwp, &*it.place)).collect();
        assert_eq!(comers, [(2, "a.py:6")]);
        let ways: Vec<_> = brings.bypasses.iter().map(|way| (&*way.at, &*way.of)).collect();
        assert_eq!(ways, [("a.py:4", "a.py:6")]);
    }
}
