//! `omphalos mcp`: answers a coding agent's questions over standard input and output.

use std::path::Path;

use omphalos_inspect::Ompd;
use omphalos_mcp::Host;
use omphalos_report::Analysis;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::terminal;
use crate::verbs::{doctor, inspect, report, runs};

const AFTER_HELP: &str = "Most clients take it so: \
    {\"mcpServers\": {\"omphalos\": {\"command\": \"omphalos\", \"args\": [\"mcp\"]}}}

Every tool only reads. docs/coding-agents.md has each, and a skill file.";

/// Serve coding agents: the answers of report, diff, inspect and doctor, over the Model Context
/// Protocol
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Print the tools and the schemas of their arguments as JSON, and serve nobody
    #[arg(long)]
    list: bool,
}

/// Serves until the client closes standard input.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    if arguments.list {
        let tools: Vec<Value> = omphalos_mcp::definitions()
            .into_iter()
            .map(|(name, description, schema)| {
                json!({ "name": name, "description": description, "inputSchema": schema })
            })
            .collect();
        let text = serde_json::to_string_pretty(&tools).unwrap_or_default();
        return terminal::print(&format!("{text}\n")).map(|()| 0);
    }
    omphalos_mcp::serve(Program).map(|()| 0).map_err(|why| Failure::ours(format!("mcp: {why}")))
}

/// This program's knowledge, for the server.
struct Program;

impl Host for Program {
    fn analysis(&self, profile: &Path) -> Result<Analysis, String> {
        match report::analyse(profile) {
            Ok(Some(analysis)) => Ok(analysis),
            Ok(None) => Err(format!(
                "no OpenMP was used by the program that wrote {}: there is nothing to report",
                profile.display()
            )),
            Err(failure) => Err(failure.message),
        }
    }

    fn reports(&self, path: &Path) -> Result<Vec<Value>, String> {
        runs::reports(path).map_err(|failure| failure.message)
    }

    fn doctor(&self, program: Option<&str>) -> Result<(Vec<String>, Vec<String>), String> {
        let found = doctor::findings(program.map(std::ffi::OsStr::new));
        let found = found.map_err(|failure| failure.message)?;
        let lines = terminal::fit(&found.text()).lines().map(str::to_owned).collect();
        Ok((lines, found.problems))
    }

    fn ompd(&self) -> Ompd {
        inspect::without_file()
    }
}
