//! Finds the line of the source to show for a branch that bypasses an operation, for example an
//! unlock. `look/bypasses` of `inspect` calls the two methods.
//!
//! ```c
//! lock(&mutex);
//! if (known(key))    // the branch
//!     return 0;      // a side of the branch; it leaves here
//! unlock(&mutex);
//! ```
//!
//! A *side* is the code that one outcome of the branch's condition leads to, here if `known(key)`
//! is true. It *leaves* by a statement that takes control away from the code below: `return`,
//! `break`, `goto` ([`LEAVES`] has them all). The compiler may merge such a statement with others,
//! so that the side has no code of its own. The line information then names the condition alone,
//! and the source itself must show the line.

use super::super::{Symbols, source};

/// The line by which the source leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// The line of a statement of the side; the branch's own line if no statement was found.
    Side(u32),
    /// The line of a loop's condition: the loop ends.
    Loop(u32),
}

const LEAVES: [&str; 9] =
    ["return", "break", "continue", "goto", "throw", "co_return", "exit", "cycle", "go"];
const LOOPS: [&str; 3] = ["for", "while", "do"];
/// Lines behind a condition that are searched for a statement.
const REACH: usize = 16;

impl Symbols {
    /// Finds the line by which a side of the branch at line `branch` leaves. `side`: the lines of
    /// the code that belongs to this side alone. If the source cannot be read, the answer is the
    /// first of these lines if it is below `branch`, or else `branch`. `within`: the branch is in a
    /// function that the line `branch` calls and the compiler has inlined there.
    pub fn leaving(&self, path: &str, branch: u32, side: &[u32], within: bool) -> Leaving {
        match source::text(path) {
            Some((text, _)) => leaving(&text, branch, side, within),
            None => {
                Leaving::Side(side.first().copied().filter(|at| *at > branch).unwrap_or(branch))
            }
        }
    }

    /// Finds the only line between the lines `from` and `to` that has a statement that leaves.
    /// `None` if there are several such lines or none, or if a loop is in between.
    pub fn leaves_between(&self, path: &str, from: u32, to: u32) -> Option<u32> {
        let (text, _) = source::text(path)?;
        let lines: Vec<&str> = text.lines().collect();
        only_leaving(&lines, from, to)
    }
}

fn only_leaving(lines: &[&str], from: u32, to: u32) -> Option<u32> {
    let between = || (from + 1..to).take(REACH);
    if between().any(|line| has(lines, line, &LOOPS)) {
        return None;
    }
    let mut leaving = between().filter(|line| has(lines, *line, &LEAVES));
    leaving.next().filter(|_| leaving.next().is_none())
}

fn leaving(text: &str, branch: u32, side: &[u32], within: bool) -> Leaving {
    let lines: Vec<&str> = text.lines().collect();
    let own = has(&lines, branch, &LEAVES);
    if !own && has(&lines, branch, &LOOPS) {
        return Leaving::Loop(branch);
    }
    if own {
        return Leaving::Side(branch);
    }
    if let Some(first) = side.iter().copied().find(|at| within && *at > branch) {
        let leaves = side.iter().copied().find(|at| *at >= first && has(&lines, *at, &LEAVES));
        let leaves = leaves.or_else(|| in_block(&lines, first, false));
        return Leaving::Side(leaves.unwrap_or(first));
    }
    // Code behind the statement of the branch may belong to other statements too.
    let end = end(&lines, branch);
    let within = || side.iter().copied().filter(|at| (branch + 1..end).contains(at));
    if let Some(line) = within().find(|at| has(&lines, *at, &LEAVES)) {
        return Leaving::Side(line);
    }
    let first = within().next();
    let leaves = in_block(&lines, branch, true);
    let leaves = leaves.filter(|line| first.is_none_or(|first| first <= *line));
    let leaves = leaves.or_else(|| in_block(&lines, first?, false));
    Leaving::Side(leaves.or(first).unwrap_or(branch))
}

/// Finds the first line behind the statement that begins at line `head`, with all its blocks.
fn end(lines: &[&str], head: u32) -> u32 {
    const GOES_ON: [&str; 7] = ["{", "}", "&", "|", "else", ")", "#"];
    let Some(depth) = lines.get(head as usize - 1).map(|line| indent(line)) else { return head };
    let mut below = (head + 1..).zip(&lines[head as usize..]);
    let is_end = |line: &str| {
        let code = line.trim_start();
        !code.is_empty() && indent(line) <= depth && !GOES_ON.iter().any(|it| code.starts_with(it))
    };
    below.find(|(_, line)| is_end(line)).map_or(lines.len() as u32 + 1, |(at, _)| at)
}

/// Finds the first line below `head` with a statement that leaves. `opens`: only in the block that
/// line `head` opens; otherwise in the rest of the block around `head`.
fn in_block(lines: &[&str], head: u32, opens: bool) -> Option<u32> {
    let depth = indent(lines.get(head as usize - 1)?);
    for (at, line) in lines.iter().enumerate().skip(head as usize).take(REACH) {
        let code = line.trim_start();
        // Directives stand where they like.
        let is_head = code.starts_with(['{', '&', '|', '#']) || code.is_empty();
        let is_outside = indent(line) < depth || opens && indent(line) == depth;
        if is_outside && !is_head {
            return None;
        }
        if has(lines, at as u32 + 1, &LEAVES) {
            return Some(at as u32 + 1);
        }
    }
    None
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a line has one of the words, outside a comment.
fn has(lines: &[&str], line: u32, words: &[&str]) -> bool {
    let Some(text) = (line as usize).checked_sub(1).and_then(|at| lines.get(at)) else {
        return false;
    };
    let code = text.split("//").next().unwrap_or_default();
    let code = code.split(" ! ").next().unwrap_or_default().to_ascii_lowercase();
    let mut all = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    all.any(|word| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::{Leaving, leaving, only_leaving};

    const TEXT: &str = "\
int add(int key) {
  lock();
  if (known(key)) {
    count++;
    return 0;
  }
  if (key < 0)
    return 1; // never
  if (key > 9) return 2;
  for (int at = 0; at < 3; at++)
    put(key);
  if (key == 5) {
    put(5);
    unlock();
  } else {
    log();
    return 7;
  }
  return 3;
}";

    #[test]
    fn the_statement_that_leaves_has_the_line() {
        let at = |branch: u32, side: &[u32]| leaving(TEXT, branch, side, false);
        assert_eq!(at(3, &[]), Leaving::Side(5));
        assert_eq!(at(3, &[4, 5, 20]), Leaving::Side(5));
        assert_eq!(at(3, &[4]), Leaving::Side(5));
        assert_eq!(at(7, &[]), Leaving::Side(8));
        assert_eq!(at(9, &[]), Leaving::Side(9));
        assert_eq!(at(10, &[19]), Leaving::Loop(10));
        assert_eq!(at(12, &[16]), Leaving::Side(17));
        assert_eq!(at(3, &[19]), Leaving::Side(5));
        assert_eq!(at(11, &[19]), Leaving::Side(11));
        assert_eq!(leaving(TEXT, 2, &[4], true), Leaving::Side(5));
    }

    #[test]
    fn a_directive_ends_no_block() {
        let text =
            "for (;;) {\n  if (full) {\n#pragma omp atomic\n    out++;\n    continue;\n  }\n}";
        assert_eq!(leaving(text, 2, &[4], false), Leaving::Side(5));
    }

    #[test]
    fn what_leaves_between_two_lines_is_said_where_it_is_one() {
        let lines: Vec<&str> = TEXT.lines().collect();
        assert_eq!(only_leaving(&lines, 2, 7), Some(5));
        assert_eq!(only_leaving(&lines, 2, 9), None);
        assert_eq!(only_leaving(&lines, 8, 14), None);
    }
}
