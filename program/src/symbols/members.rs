//! Finds where a source file writes the member of a structure that one of its lines reads. The code
//! reaches such members through pointers, and does not show where these lead.

use super::{Symbols, source};

/// Calls that write their argument.
const WRITE: [&str; 6] =
    ["atomic_store", "atomic_exchange", "atomic_fetch_", "atomic_add_", "atomic_sub_", "__sync_"];
/// Methods of atomics that write.
const METHODS: [&str; 5] = [".store(", ".exchange(", ".fetch_", ".test_and_set(", ".clear("];

impl Symbols {
    /// The lines of a source file that write the member of a structure that one of its lines reads,
    /// by the member's name.
    pub fn writers_of_member(&self, path: &str, line: u32) -> Vec<u32> {
        writers(path, line)
    }

    /// The lines of a source file that write a member of that name.
    pub fn writers_of(&self, path: &str, member: &str) -> Vec<u32> {
        let text = source::text(path).map(|(text, _)| text).unwrap_or_default();
        let code = |line: &'_ str| line.split("//").next().unwrap_or_default().to_owned();
        let lines = (1..).zip(text.lines());
        let those = lines.filter(|(_, line)| writes(&code(line), member, false));
        those.map(|(number, _)| number).collect()
    }

    /// The member that a line of the source reads last.
    pub fn member_at(&self, path: &str, line: u32) -> Option<String> {
        let (text, _) = source::text(path)?;
        let read = text.lines().nth((line as usize).checked_sub(1)?)?;
        member(read.split("//").next()?).map(str::to_owned)
    }

    /// The lines of a source file that write an element of an array, by the array's name.
    pub fn writers_of_elements(&self, path: &str, array: &str) -> Vec<u32> {
        let text = source::text(path).map(|(text, _)| text).unwrap_or_default();
        writers_of_elements(&text, array)
    }
}

/// The lines of a source file that write an element of the array of that name, in C or Fortran.
fn writers_of_elements(text: &str, array: &str) -> Vec<u32> {
    let writes = |line: &str| {
        line.match_indices(array).any(|(at, _)| {
            let rest = line[at + array.len()..].trim_start();
            let closing = match rest.chars().next() {
                Some('[') => ']',
                Some('(') => ')',
                _ => return false,
            };
            let opening = &rest[..1];
            let mut depth = 0;
            let end = rest.char_indices().find_map(|(at, c)| {
                depth += i32::from(opening.starts_with(c)) - i32::from(c == closing);
                (depth == 0).then_some(at + 1)
            });
            let behind = end.map_or("", |end| rest[end..].trim_start());
            let before = &line[..at];
            let is_given =
                || before.ends_with('&') && WRITE.iter().any(|call| before.contains(call));
            !before.ends_with(is_word) && (assigns(behind) || is_given())
        })
    };
    let code = |line: &'_ str| line.split("//").next().unwrap_or_default().to_lowercase();
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| writes(&code(line))).map(|(number, _)| number).collect()
}

/// Whether what stands behind a variable assigns to it.
fn assigns(rest: &str) -> bool {
    rest.starts_with('=') && !rest.starts_with("==")
        || ["+=", "-=", "|=", "&=", "^=", "++", "--"].iter().any(|it| rest.starts_with(it))
        || METHODS.iter().any(|method| rest.starts_with(method))
}

/// The lines of the file that write the member which `line` reads last, by its name.
fn writers(path: &str, line: u32) -> Vec<u32> {
    let text = source::text(path).map(|(text, _)| text).unwrap_or_default();
    let code = |line: &'_ str| line.split("//").next().unwrap_or_default().to_owned();
    let lines: Vec<String> = text.lines().map(code).collect();
    let read = (line as usize).checked_sub(1).and_then(|at| lines.get(at));
    let Some(read) = read else { return Vec::new() };
    let all = || (1..).zip(&lines);
    let numbers = |writes: &dyn Fn(&str) -> bool| {
        all().filter(|(_, line)| writes(line)).map(|(number, _)| number).collect()
    };
    match (member(read), own_member(read)) {
        (Some(member), _) => numbers(&|line| writes(line, member, false)),
        (None, Some(member)) => numbers(&|line| writes(line, member, true)),
        (None, None) => Vec::new(),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The last name behind `->` or `.` in a line that is not a method's.
fn member(line: &str) -> Option<&str> {
    let names = line.match_indices("->").map(|(at, _)| at + 2);
    let names = names.chain(line.match_indices('.').map(|(at, _)| at + 1));
    let name = |at: usize| {
        let rest = &line[at..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let is_name = rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_method = rest[end..].trim_start().starts_with('(');
        (is_name && !is_method).then_some((at, &rest[..end]))
    };
    names.filter_map(name).max_by_key(|(at, _)| *at).map(|(_, name)| name)
}

/// Whether the text in front of a name is a type: then the name is declared there, not written.
fn is_declared(before: &str) -> bool {
    before.ends_with(|c| is_word(c) || matches!(c, '>' | '*'))
}

/// The member of its own class that a method reads: the name in front of `.load(`, with nothing in
/// front of it.
fn own_member(line: &str) -> Option<&str> {
    let (before, _) = line.split_once(".load(")?;
    let begin = before.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
    let is_name = before[begin..].starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_name.then_some(&before[begin..])
}

/// Whether a line writes a member of that name. `own`: a member of the class whose method writes
/// it.
fn writes(line: &str, member: &str, own: bool) -> bool {
    let calls = WRITE.iter().any(|call| line.contains(call));
    line.match_indices(member).any(|(at, _)| {
        let (before, rest) = (line[..at].trim_end(), &line[at + member.len()..]);
        let is_whole = !rest.starts_with(is_word);
        let rest = rest.trim_start();
        let assigns = assigns(rest);
        let is_member = before.ends_with("->") || before.ends_with('.');
        let is_own = own && !line[..at].ends_with(is_word) && !is_declared(before);
        is_whole && (is_member || is_own) && (assigns || calls)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_member_that_a_loop_reads() {
        let of = |line| member(line);
        assert_eq!(of("while (!job->done)"), Some("done"));
        assert_eq!(of("while (atomic_load(&b->phase) == phase)"), Some("phase"));
        assert_eq!(of("while (it.next->ready.load() != 1.0)"), Some("ready"));
        assert_eq!(of("while (!done)"), None);
    }

    #[test]
    fn the_member_of_its_own_that_a_method_reads() {
        assert_eq!(own_member("bool up() const { return is_up.load(order); }"), Some("is_up"));
        assert_eq!(own_member("return 1.load("), None);
        assert_eq!(own_member("return is_up;"), None);
        let is = |line| writes(line, "up", true);
        assert!(is("up.store(true);") && is("up = true;") && is("{ up = 1; }"));
        assert!(!is("bool up = false;") && !is("std::atomic<bool> up = false;"));
        assert!(!is("is_up = true;") && !is("up == 1") && !is("up.load()"));
    }

    #[test]
    fn lines_that_write_an_element() {
        let of = |text| writers_of_elements(text, "flags");
        let text = "flags(me - 1) = 0\nif (flags(me) == 1) x = 1\nFlags(at(2)) = at(1)\n";
        assert_eq!(of(text), [1, 3]);
        let text = "flags[i] = 1;\nmyflags[i] = 1;\nflags[at[2]]++;\nx = flags[1];\n";
        assert_eq!(of(text), [1, 3]);
        assert_eq!(of("flags[me].store(1);\nflags[me].load();\nflags = 0\n"), [1]);
        assert_eq!(of("atomic_store(&flags[me], 1);\natomic_load(&flags[me]);\n"), [1]);
    }

    #[test]
    fn lines_that_write_it() {
        let is = |line| writes(line, "done", false);
        for line in [
            "job->done = 1;",
            "all[i].done++;",
            "atomic_store(&job->done, 1);",
            "job->done.store(true);",
            "__atomic_store_n(&r->done, 1, __ATOMIC_RELEASE);",
        ] {
            assert!(is(line), "{line}");
        }
        for line in ["int done = 0;", "done = job->done;", "job->done == 1", "job->undone = 1"] {
            assert!(!is(line), "{line}");
        }
    }
}
