//! The lines from the debugger's process to the process that counts the answers.

use std::io::{self, Write};

use super::questions::Verdict;

/// The subject of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The process.
    Live,
    /// A core of the process.
    Core,
}

impl When {
    /// Both subjects, in the table's order.
    pub const ALL: [When; 2] = [When::Live, When::Core];

    /// Returns its word in the table.
    pub fn word(self) -> &'static str {
        match self {
            When::Live => "live",
            When::Core => "core",
        }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A thread is in this callback.
    Stop(When, String),
    /// The question with this number is about to be asked.
    Asks(When, usize),
    /// The verdict, and the place in the program, if that was searched.
    Told(Verdict, String),
}

impl Line {
    /// Writes the line.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let plain = |text: &str| text.replace(['\n', '\t'], " ");
        match self {
            Line::Stop(when, event) => writeln!(out, "stop\t{}\t{}", when.word(), plain(event)),
            Line::Asks(when, at) => writeln!(out, "asks\t{}\t{at}", when.word()),
            Line::Told(verdict, place) => {
                let (word, what) = match verdict {
                    Verdict::Agreed => ("agreed", ""),
                    Verdict::Differs(what) => ("differs", what.as_str()),
                    Verdict::CannotTell(why) => ("cannot", why.as_str()),
                    Verdict::Nothing => ("nothing", ""),
                };
                writeln!(out, "told\t{word}\t{}\t{}", plain(what), plain(place))
            }
        }
    }

    /// Reads a line; `None` if it is damaged or incomplete.
    pub fn parse(line: &str) -> Option<Line> {
        let words: Vec<&str> = line.split('\t').collect();
        let when = |word: &str| When::ALL.into_iter().find(|when| when.word() == word);
        Some(match words[..] {
            ["stop", word, event] => Line::Stop(when(word)?, event.to_owned()),
            ["asks", word, at] => Line::Asks(when(word)?, at.parse().ok()?),
            ["told", word, what, place] => {
                let verdict = match word {
                    "agreed" => Verdict::Agreed,
                    "differs" => Verdict::Differs(what.to_owned()),
                    "cannot" => Verdict::CannotTell(what.to_owned()),
                    "nothing" => Verdict::Nothing,
                    _ => return None,
                };
                Line::Told(verdict, place.to_owned())
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let lines = [
            Line::Stop(When::Core, "work loop begin".into()),
            Line::Asks(When::Live, 7),
            Line::Told(Verdict::Differs("1, not 2".into()), "a.c:7".into()),
            Line::Told(Verdict::Nothing, String::new()),
        ];
        for line in lines {
            let mut text = Vec::new();
            line.write(&mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert_eq!(Line::parse(text.trim_end_matches('\n')), Some(line));
        }
        assert_eq!(Line::parse("told\tagr"), None);
    }
}
