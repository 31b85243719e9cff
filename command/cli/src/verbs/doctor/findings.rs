//! The findings of `doctor`, written for people or as JSON for programs.

use std::fmt::Write;

use serde_json::{Value, json};

/// Collects the findings, and the problems among them.
#[derive(Default)]
pub struct Findings {
    /// The sections: each has a title, and pairs of a name and the text found for it.
    sections: Vec<(String, Vec<(String, String)>)>,
    /// The problems: a sentence for each thing that would not work.
    pub problems: Vec<String>,
    /// The places of threads, for programs; none if nobody asked.
    pub(super) placement: Option<Value>,
}

impl Findings {
    pub(super) fn title(&mut self, title: &str) {
        self.sections.push((title.to_owned(), Vec::new()));
    }

    pub(super) fn line(&mut self, name: &str, what: &str) {
        if let Some((_, lines)) = self.sections.last_mut() {
            lines.push((name.to_owned(), what.to_owned()));
        }
    }

    /// Returns the lines, without the problems.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (title, lines) in &self.sections {
            let _ = writeln!(text, "{title}");
            for (name, what) in lines {
                let _ = writeln!(text, "  {name:<16} {what}");
            }
        }
        text
    }

    /// Returns all findings; `docs/doctor.schema.json` describes them.
    pub(super) fn json(&self) -> String {
        let line = |(name, what): &(String, String)| json!({ "name": name, "value": what });
        let section = |(title, lines): &(String, Vec<(String, String)>)| {
            let found: Vec<Value> = lines.iter().map(line).collect();
            json!({ "title": title, "found": found })
        };
        let all: Value = json!({
            "format": 1,
            "version": env!("CARGO_PKG_VERSION"),
            "sections": self.sections.iter().map(section).collect::<Vec<_>>(),
            "problems": self.problems,
            "placement": self.placement,
        });
        serde_json::to_string_pretty(&all).unwrap_or_else(|_| "{}".to_owned()) + "\n"
    }
}
