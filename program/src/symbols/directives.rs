//! Reads the OpenMP directives of a source file inside regions: line, words and clauses.

use super::macros::expanded;
use super::source;

/// A directive, its continuation lines included, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Its first line.
    pub line: u32,
    /// Its last line.
    pub last: u32,
    /// Its words, without clauses.
    pub words: Vec<String>,
    clauses: String,
}

/// Continuation lines that are read.
const LONGEST: usize = 32;

impl Directive {
    /// All directives of a file, also those with only a memory effect; `None` if it cannot be read.
    pub fn of_file(path: &str) -> Option<Vec<Directive>> {
        Some(read_with(&source::text(path)?.0, |word| word == "flush" || WORDS.contains(&word)))
    }

    /// Whether a word is one of its words.
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }

    /// Whether its clauses have that text.
    pub fn has_clause(&self, clause: &str) -> bool {
        self.clauses.contains(clause)
    }

    /// Whether it distributes a loop's iterations.
    pub fn is_loop(&self) -> bool {
        (self.has("for") || self.has("do") || self.has("loop")) && !self.has("taskloop")
    }

    /// Whether it makes a team: a construct that is combined with it ends in the region's barrier.
    pub fn is_region(&self) -> bool {
        self.has("parallel") || self.has("teams")
    }

    /// Whether it is a loop for which gcc's code does not call the runtime.
    pub fn is_plain_static(&self) -> bool {
        // gcc takes auto for static.
        let words = ["dynamic", "guided", "runtime"];
        let plain = !words.iter().any(|word| self.has_clause(word));
        self.is_loop() && plain && !self.has_clause("ordered")
    }

    /// Names the way in which a loop's iterations are distributed, as far as its directive says it.
    pub fn schedule(&self) -> &'static str {
        let has = |word: &str| self.has_clause(word);
        match () {
            () if has("dynamic") => " (dynamic)",
            () if has("guided") => " (guided)",
            () if has("runtime") || has("auto") => "",
            () => " (static)",
        }
    }

    /// Whether it has `nowait`: no barrier ends it.
    pub fn has_nowait(&self) -> bool {
        self.has_clause("nowait")
    }
}

/// All directives of a text that are around or between statements, in order.
pub fn read(text: &str) -> Vec<Directive> {
    read_with(text, |word| WORDS.contains(&word))
}

fn read_with(text: &str, is_word: impl Fn(&str) -> bool) -> Vec<Directive> {
    let lines = expanded(text);
    let mut found = Vec::new();
    let mut behind = 0;
    for (at, line) in lines.iter().enumerate() {
        if at < behind {
            continue;
        }
        let Some(first) = content(line) else { continue };
        let Some(first) = first.strip_prefix("omp") else { continue };
        if !first.starts_with(|c: char| c.is_whitespace()) {
            continue;
        }
        let mut all = first.to_owned();
        behind = at + 1;
        for next in lines.iter().skip(at + 1).take(LONGEST) {
            let more = all.trim_end();
            let open = more.strip_suffix('\\').or_else(|| more.strip_suffix('&'));
            let text = content(next);
            let of_omp = text.as_deref().and_then(|text| text.strip_prefix("omp"));
            let next = match (open, of_omp.and_then(|text| text.strip_prefix(is_sign)), &text) {
                (None, None, _) => break,
                (_, Some(rest), _) => rest.to_owned(),
                (_, None, Some(text)) => {
                    of_omp.unwrap_or(text).trim_start().trim_start_matches('&').to_owned()
                }
                (_, None, None) => without_comment(&next.to_ascii_lowercase(), "//").to_owned(),
            };
            all = format!("{} {next}", open.unwrap_or(more));
            behind += 1;
        }
        // In Fortran nowait comes at the end of a construct.
        let mut words: Vec<String> = Vec::new();
        let mut rest = all.as_str();
        loop {
            rest = rest.trim_start();
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            let is_clause = word == "ordered" && !words.is_empty();
            if is_clause || !is_word(word) {
                break;
            }
            words.push(word.to_owned());
            rest = after;
        }
        let line = at as u32 + 1;
        if words.first().is_some_and(|word| word == "end") {
            end(&mut found, &words[1..], rest);
        } else if !words.is_empty() {
            let last = behind as u32;
            found.push(Directive { line, last, words, clauses: rest.to_owned() });
        }
    }
    found
}

/// Adds the clauses at the end of a Fortran construct to the construct.
fn end(found: &mut [Directive], words: &[String], clauses: &str) {
    if let Some(begun) = found.iter_mut().rev().find(|begun| begun.words == words) {
        begun.clauses.push(' ');
        begun.clauses.push_str(clauses);
    }
}

/// Whether a character continues a line of fixed form, in its column 6.
fn is_sign(sign: char) -> bool {
    (sign.is_ascii_punctuation() && sign != '_') || ('1'..='9').contains(&sign)
}

/// The text behind the sentinel, in lower case and without a comment.
fn content(line: &str) -> Option<String> {
    let lower = line.trim_start().to_ascii_lowercase();
    if let Some(text) = ["!$", "c$", "*$"].iter().find_map(|mark| lower.strip_prefix(mark)) {
        return Some(without_comment(text, "!").trim_start().to_owned());
    }
    let text = lower.strip_prefix('#').map(str::trim_start).and_then(|l| l.strip_prefix("pragma"));
    let text = text.or_else(|| lower.split_once("_pragma").map(|(_, rest)| rest))?;
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '(' || c == '"');
    Some(without_comment(text, "//").to_owned())
}

fn without_comment<'a>(text: &'a str, mark: &str) -> &'a str {
    text.split_once(mark).map_or(text, |(before, _)| before)
}

/// The words of directives. The first other word begins the clauses.
const WORDS: [&str; 27] = [
    "end", "parallel", "for", "do", "loop", "simd", "sections", "section", "workshare", "master",
    "masked", "single", "taskloop", "task", "target", "teams", "distribute", "scope", "barrier",
    "ordered", "critical", "concurrent", "data", "update", "enter", "exit", "atomic",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_have_their_words_and_clauses() {
        let text = "\
#pragma omp parallel for \\
    schedule(dynamic, 4)
#pragma omp for nowait
!$OMP DO SCHEDULE(GUIDED) &
!$omp& REDUCTION(+:s)
!$omp end do nowait
#pragma omp barrier
#pragma omp for ordered
int omp = 0;
#pragma ompx for
    !$omp parallel do & ! ordered
    !$omp schedule(dynamic)
c$omp parallel
c$omp+ reduction(+:s)
#pragma omp for schedule(static) // ordered
";
        let found = read(text);
        let lines: Vec<u32> = found.iter().map(|directive| directive.line).collect();
        assert_eq!(lines, [1, 3, 4, 7, 8, 11, 13, 15]);
        let last: Vec<u32> = found.iter().map(|directive| directive.last).collect();
        assert_eq!(last, [2, 3, 5, 7, 8, 12, 14, 15]);
        assert!(found[0].is_region() && found[0].has_clause("dynamic"));
        assert!(found[1].is_plain_static() && found[1].has_nowait());
        assert!(found[2].has_nowait() && found[2].has_clause("reduction"), "{found:?}");
        assert!(!found[2].is_plain_static() && found[3].has("barrier"));
        assert!(found[4].has_clause("ordered") && !found[4].is_plain_static());
        assert!(found[5].has_clause("dynamic") && !found[5].has_clause("ordered"));
        assert!(found[6].has_clause("reduction") && found[7].is_plain_static());
    }
}
