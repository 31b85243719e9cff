//! The results for one runtime with one compiler: counts for each question, and the first answer of
//! each kind that did not agree.

use std::fmt::Write;

use super::questions::{Question, Verdict, questions};
use super::report::{Line, When};

/// The result of a question, in the order of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Agreed,
    Differs,
    CannotTell,
}

/// The results of one question, about processes or about cores.
#[derive(Clone, Debug, Default)]
struct Cell {
    counts: [u32; 3],
    /// The first that differs, and the first that cannot be told.
    first: [Option<String>; 2],
}

/// The results for one runtime with one compiler.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The runtime and the compiler.
    pub title: String,
    /// Programs that stopped at least once.
    pub programs: u32,
    stops: [u32; 2],
    cells: Vec<[Cell; 2]>,
    /// Failures of whole programs.
    pub troubles: Vec<String>,
}

impl Sheet {
    /// Makes an empty sheet.
    pub fn new(title: String) -> Sheet {
        let cells = questions().map(|_| Default::default()).collect();
        Sheet { title, programs: 0, stops: [0; 2], cells, troubles: Vec::new() }
    }

    /// Counts the debugger's answers about a program. `ended`: the reason, if the debugger's
    /// process failed.
    pub fn add(&mut self, program: &str, said: &str, ended: Option<String>) {
        let (mut event, mut asked) = (String::new(), None);
        let mut stopped = false;
        for line in said.lines().filter_map(Line::parse) {
            match line {
                Line::Stop(when, at) => {
                    event = at;
                    self.stops[when as usize] += 1;
                    stopped = true;
                }
                Line::Asks(when, at) => asked = Some((when, at)),
                Line::Told(verdict, place) => {
                    if let Some((when, at)) = asked.take() {
                        self.count(when, at, verdict, &named(program, &event, &place));
                    }
                }
            }
        }
        self.programs += u32::from(stopped);
        let Some(why) = ended else { return };
        if let Some((when, at)) = asked {
            let why = Verdict::CannotTell(why.clone());
            self.count(when, at, why, &named(program, &event, ""));
        }
        self.troubles.push(format!("{program}: {why}"));
    }

    fn count(&mut self, when: When, at: usize, verdict: Verdict, whence: &str) {
        let Some(cell) = self.cells.get_mut(at).map(|cells| &mut cells[when as usize]) else {
            return;
        };
        let (column, what) = match verdict {
            Verdict::Agreed => (Column::Agreed, None),
            Verdict::Differs(what) => (Column::Differs, Some(what)),
            Verdict::CannotTell(why) => (Column::CannotTell, Some(why)),
            Verdict::Nothing => return,
        };
        cell.counts[column as usize] += 1;
        if let Some(what) = what {
            cell.first[column as usize - 1].get_or_insert(format!("{what} ({whence})"));
        }
    }

    /// Whether OMPD answered at every stop, and always agreed with OMPT where both answered.
    pub fn is_kept(&self) -> bool {
        let clean = |cell: &Cell| cell.counts[1] == 0 && cell.counts[2] == 0;
        self.programs > 0 && self.troubles.is_empty() && self.cells.iter().flatten().all(clean)
    }

    /// Returns the contents of [`Sheet::table`] as JSON.
    pub fn json(&self) -> serde_json::Value {
        use serde_json::json;
        let cell = |cell: &Cell| {
            let [agreed, differed, unknown] = cell.counts;
            json!({
                "agreed": agreed, "differed": differed, "cannot_tell": unknown,
                "first_difference": cell.first[0], "first_untold": cell.first[1],
            })
        };
        let question = |(question, cells): (&Question, &[Cell; 2])| {
            json!({
                "name": question.name, "by": question.by,
                "live": cell(&cells[0]), "core": cell(&cells[1]),
            })
        };
        let questions: Vec<_> = questions().zip(&self.cells).map(question).collect();
        json!({
            "title": self.title, "programs": self.programs, "stops": self.stops[0],
            "stops_in_cores": self.stops[1], "kept": self.is_kept(),
            "troubles": self.troubles, "questions": questions,
        })
    }

    /// Writes the sheet as a table, with the differences below it.
    pub fn table(&self) -> String {
        let mut text = format!(
            "{}: {} programs, {} stops, {} of them in a core too\n{:<24} {:<36}",
            self.title, self.programs, self.stops[0], self.stops[1], "question", "asked by"
        );
        for when in When::ALL {
            let _ = write!(text, " {:>6} {:>8} {:>12}", when.word(), "differed", "cannot tell");
        }
        text.push('\n');
        for (question, cells) in questions().zip(&self.cells) {
            let _ = write!(text, "{:<24} {:<36}", question.name, question.by);
            for cell in cells {
                let [agreed, differs, cannot] = cell.counts;
                let _ = write!(text, " {agreed:>6} {differs:>8} {cannot:>12}");
            }
            text.push('\n');
        }
        for (what, names) in self.reasons() {
            let _ = write!(text, "\n{}: {what}", names.join(", "));
        }
        for trouble in &self.troubles {
            let _ = write!(text, "\n{trouble}");
        }
        text.push('\n');
        text
    }
}

impl Sheet {
    /// Returns the differences and the questions without an answer, each with the questions for
    /// which it came first.
    fn reasons(&self) -> Vec<(String, Vec<&'static str>)> {
        let mut all: Vec<(String, Vec<&'static str>)> = Vec::new();
        for (question, cells) in questions().zip(&self.cells) {
            for (when, cell) in When::ALL.into_iter().zip(cells) {
                for (kind, first) in ["differs", "cannot tell"].into_iter().zip(&cell.first) {
                    let Some(first) = first else { continue };
                    let what = format!("{kind}, {}: {first}", when.word());
                    match all.iter_mut().find(|(known, _)| *known == what) {
                        Some((_, names)) => names.push(question.name),
                        None => all.push((what, vec![question.name])),
                    }
                }
            }
        }
        all
    }
}

fn named(program: &str, event: &str, place: &str) -> String {
    let place = if place.is_empty() { String::new() } else { format!(" at {place}") };
    format!("first in {program}{place}, at the callback `{event}`")
}
