//! Answers with the profiles that there are.

use std::path::Path;
use std::time::SystemTime;

use omphalos_report::Profile;
use serde_json::{Value, json};

use super::Tool;
use crate::Host;
use crate::arguments::Arguments;

pub const TOOL: Tool = Tool {
    name: "profiles",
    description: "The profiles and folders of runs in a folder, the newest first.",
    arguments: &[("folder", "string", "The folder; without: where omphalos was started", false)],
    answer,
};

/// The most entries of a folder that are looked at, and the most profiles that are named.
const MOST_ENTRIES: usize = 10_000;
const MOST: usize = 20;

fn answer(_: &dyn Host, arguments: &Arguments<'_>) -> Result<Value, String> {
    let folder = arguments.text("folder")?.unwrap_or(".");
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{folder}: {error}"))?;
    let mut files: Vec<_> = entries
        .take(MOST_ENTRIES)
        .flatten()
        .filter(|entry| {
            entry.file_name().to_string_lossy().contains(".omph") || is_of_runs(&entry.path())
        })
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    let now = SystemTime::now();
    let mut found = Vec::new();
    for (time, path) in files {
        let is_folder = path.is_dir();
        if found.len() == MOST || !is_folder && Profile::open(&path).is_err() {
            continue;
        }
        let age = now.duration_since(time).unwrap_or_default().as_secs();
        found.push(json!({
            "path": path.display().to_string(),
            "kind": if is_folder { "several runs" } else { "profile" },
            "age_s": age,
        }));
    }
    Ok(json!({ "folder": folder, "profiles": found }))
}

/// Whether `omphalos profile --repeat` made the folder.
fn is_of_runs(path: &Path) -> bool {
    path.join("run-1.omph").is_file()
}
