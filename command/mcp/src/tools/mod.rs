//! The tools, one a file: their arguments and answers.

mod diff;
mod digest;
mod doctor;
mod function;
mod profiles;
mod region;
mod threads;
mod why;

use std::path::Path;

use omphalos_report::Analysis;
use serde_json::{Map, Value, json};

use crate::Host;
use crate::arguments::Arguments;

/// The function that answers a call.
type Answer = fn(&dyn Host, &Arguments<'_>) -> Result<Value, String>;

/// A question that can be asked.
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// The description by which an agent chooses it.
    pub description: &'static str,
    /// Each argument: its name, its type, its meaning, and whether it must be given.
    arguments: &'static [(&'static str, &'static str, &'static str, bool)],
    answer: Answer,
}

/// All tools; agents choose worse among more than eight.
pub const ALL: &[Tool] = &[
    digest::TOOL,
    region::TOOL,
    function::TOOL,
    threads::TOOL,
    diff::TOOL,
    why::TOOL,
    doctor::TOOL,
    profiles::TOOL,
];

impl Tool {
    /// The JSON Schema of its arguments.
    pub fn schema(&self) -> Value {
        let property = |(name, kind, what, _): &(&str, &str, &str, bool)| {
            ((*name).to_owned(), json!({ "type": kind, "description": what }))
        };
        let properties: Map<String, Value> = self.arguments.iter().map(property).collect();
        let required = self.arguments.iter().filter(|(.., must)| *must).map(|(name, ..)| *name);
        json!({
            "type": "object",
            "properties": properties,
            "required": required.collect::<Vec<_>>(),
            "additionalProperties": false,
        })
    }

    /// Answers, or explains the fault of the question.
    pub fn call(&self, host: &dyn Host, given: &Map<String, Value>) -> Result<Value, String> {
        let known: Vec<&str> = self.arguments.iter().map(|(name, ..)| *name).collect();
        (self.answer)(host, &Arguments::new(given, &known)?)
    }
}

/// The tools' names with their descriptions and the schemas of their arguments.
pub fn definitions() -> Vec<(&'static str, &'static str, Value)> {
    ALL.iter().map(|tool| (tool.name, tool.description, tool.schema())).collect()
}

/// The argument that most tools have.
const PROFILE: (&str, &str, &str, bool) =
    ("profile", "string", "Path of a profile, as `omphalos profile -o FILE` wrote it", true);

/// Returns the analysis of the profile that was named.
fn analysis(host: &dyn Host, arguments: &Arguments<'_>) -> Result<Analysis, String> {
    let path = arguments.path("profile")?;
    host.analysis(&path).map_err(|why| match Path::new(&path).exists() {
        true => why,
        false => format!(
            "{why}; `omphalos profile --no-report -o FILE ./app` makes one, and the \
            tool profiles lists those of a folder"
        ),
    })
}
