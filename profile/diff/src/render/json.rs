//! The whole comparison as one JSON object; `docs/diff.schema.json` describes it.

use serde_json::{Value, json};

use crate::compared_row::Row;
use crate::side::Side;
use crate::{Change, Comparison};

/// Returns the comparison as pretty-printed JSON with a newline at its end. `slower_by`: the value
/// of `--fail-above`.
pub fn render(comparison: &Comparison, slower_by: Option<f64>) -> String {
    let value = json!({
        "format": 1,
        "sentence": comparison.sentence,
        "verdict": comparison.verdict.id(),
        "fail_above": slower_by.map(|share| json!({
            "share": share,
            "is_above": comparison.is_slower_by(share),
        })),
        "before": side(&comparison.before),
        "after": side(&comparison.after),
        "circumstances": comparison.circumstances.iter().map(|one| json!({
            "what": one.what,
            "before": one.before,
            "after": one.after,
        })).collect::<Vec<_>>(),
        "elapsed": change(&comparison.elapsed),
        "parts": rows(&comparison.parts),
        "beside": rows(&comparison.beside),
    });
    let mut text = serde_json::to_string_pretty(&value).unwrap_or_else(|_| "{}".to_owned());
    text.push('\n');
    text
}

fn side(side: &Side) -> Value {
    json!({ "name": side.name(), "runs": side.count(), "command": side.first().program.command })
}

fn change(change: &Change) -> Value {
    let whole = |ns: f64| ns.round() as i64;
    let all = |runs: &[f64]| runs.iter().copied().map(whole).collect::<Vec<_>>();
    json!({
        "before_ns": whole(change.before()),
        "after_ns": whole(change.after()),
        "change_ns": whole(change.by()),
        "noise_ns": whole(change.noise()),
        "is_beyond_noise": change.is_beyond_noise(),
        "runs_before_ns": all(change.runs_before()),
        "runs_after_ns": all(change.runs_after()),
    })
}

fn rows(of: &[Row]) -> Vec<Value> {
    let row = |row: &Row| {
        json!({
            "kind": row.kind.id(),
            "label": row.label,
            "earlier_label": row.earlier,
            "status": row.status.id(),
            "time": change(&row.time),
            "work": row.work.as_ref().map(|work| json!({
                "what": work.what,
                "before": work.before,
                "after": work.after,
            })),
            "notes": row.notes,
            "parts": rows(&row.parts),
        })
    };
    of.iter().map(row).collect()
}
