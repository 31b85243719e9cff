//! Answers whether a change helped.

use std::path::Path;

use omphalos_diff::{Change, Comparison, Row, Side};
use serde_json::{Value, json};

use super::Tool;
use crate::Host;
use crate::arguments::Arguments;

pub const TOOL: Tool = Tool {
    name: "diff",
    description: "Whether a change helped: two profiles, or two folders of `omphalos profile \
        --repeat 5 -o FOLDER ./app`, compared. A sentence, the change of the elapsed time with its \
        noise, what changed by region and function, what did not.",
    arguments: &[
        ("before", "string", "Profile or folder of runs before the change", true),
        ("after", "string", "Profile or folder of runs after the change", true),
    ],
    answer,
};

/// The most rows of each list.
const MOST: usize = 6;

fn answer(host: &dyn Host, arguments: &Arguments<'_>) -> Result<Value, String> {
    let (before, after) = (arguments.path("before")?, arguments.path("after")?);
    let side = |path: &Path| Side::of(&path.display().to_string(), &host.reports(path)?);
    let comparison = Comparison::of(side(&before)?, side(&after)?);
    let (before, after) = (&comparison.before, &comparison.after);
    let rows = comparison.parts.iter().chain(&comparison.beside);
    let (changed, same): (Vec<&Row>, Vec<&Row>) =
        rows.partition(|row| comparison.is_worth_naming(row));
    let mut value = json!({
        "sentence": comparison.sentence,
        "verdict": comparison.verdict.id(),
        "elapsed": change(&comparison.elapsed),
        "runs_before": before.count(),
        "runs_after": after.count(),
        "changed": changed.iter().take(MOST).map(|row| {
            let mut value = change(&row.time);
            value["what"] = json!(row.label);
            value["kind"] = json!(row.kind.id());
            value["status"] = json!(row.status.id());
            value["notes"] = json!(row.notes);
            let inner = row.parts.iter().filter(|part| comparison.is_worth_naming(part));
            value["inside"] = inner.take(MOST).map(|part| json!({
                "what": part.label,
                "kind": part.kind.id(),
                "change_ms": rounded(part.time.by()),
                "noise_ms": rounded(part.time.noise()),
            })).collect();
            value
        }).collect::<Vec<_>>(),
        "ruled_out_as_within_noise": labels(&same),
        "different_circumstances": comparison.circumstances.iter().map(|one| json!({
            "what": one.what,
            "before": one.before,
            "after": one.after,
        })).collect::<Vec<_>>(),
    });
    if before.count().min(after.count()) < 3 {
        value["hint"] = json!(
            "one run a side says little of noise: `omphalos profile --repeat 5 -o FOLDER ./app` \
             for each side"
        );
    }
    Ok(value)
}

fn labels(rows: &[&Row]) -> Vec<String> {
    rows.iter().take(MOST).map(|row| row.label.clone()).collect()
}

fn change(change: &Change) -> Value {
    json!({
        "before_ms": rounded(change.before()),
        "after_ms": rounded(change.after()),
        "change_ms": rounded(change.by()),
        "noise_ms": rounded(change.noise()),
        "is_beyond_noise": change.is_beyond_noise(),
    })
}

/// Returns nanoseconds as milliseconds, with two decimals.
fn rounded(ns: f64) -> f64 {
    (ns / 1e4).round() / 100.0
}
