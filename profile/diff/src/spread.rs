//! Several runs in one report: the median of each figure, and its spread.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::noise::median;
use crate::side::Side;

/// Tables whose figures are combined; the rest of a report is that of one run.
const TABLES: [&str; 6] = ["summary", "threads", "regions", "tasks", "mutexes", "targets"];

/// Combines reports, in the form of `omphalos report --json`, of several runs of one program: each
/// number of the tables becomes `{"median", "least", "most"}`. A row that a run lacks counts as 0
/// in it.
pub fn spread(reports: &[Value]) -> Value {
    let tables = TABLES.iter().map(|table| {
        let of_runs: Vec<Option<&Value>> = reports.iter().map(|run| run.get(*table)).collect();
        ((*table).to_owned(), together(&of_runs))
    });
    let mut all: Map<String, Value> = tables.collect();
    all.insert("count".to_owned(), json!(reports.len()));
    Value::Object(all)
}

fn together(of_runs: &[Option<&Value>]) -> Value {
    let first = of_runs.iter().flatten().find(|value| !value.is_null());
    match first {
        Some(Value::Number(_)) => {
            let numbers: Vec<f64> =
                of_runs.iter().map(|value| value.and_then(Value::as_f64).unwrap_or(0.0)).collect();
            let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            json!({ "median": median(&numbers), "least": least, "most": most })
        }
        Some(Value::Object(fields)) => {
            let field = |name: &String| {
                // Names and places are no figures.
                let is_place = ["construct", "parent"].contains(&name.as_str());
                let values: Vec<_> =
                    of_runs.iter().map(|value| value.and_then(|v| v.get(name))).collect();
                let value = if is_place { fields[name].clone() } else { together(&values) };
                (name.clone(), value)
            };
            Value::Object(fields.keys().filter(|name| !is_left_out(name)).map(field).collect())
        }
        Some(Value::Array(_)) => rows(of_runs),
        other => other.map_or(Value::Null, |value| (*value).clone()),
    }
}

/// Whether a field is left out: numbers that name a thing, and lists that belong to one run.
fn is_left_out(field: &str) -> bool {
    ["os_tid", "wait_id", "callers", "calls", "serial_calls", "sites"].contains(&field)
}

/// Combines lists of rows: those with the same name and place are the same row.
fn rows(of_runs: &[Option<&Value>]) -> Value {
    let key = |row: &Value| {
        let part = |name: &str| row.get(name).map(Value::to_string).unwrap_or_default();
        ["construct", "parent", "name", "thread", "device", "level"].map(part).join("\n")
    };
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut rows: Vec<Vec<Option<&Value>>> = Vec::new();
    for (run, list) in of_runs.iter().enumerate() {
        for row in list.and_then(Value::as_array).into_iter().flatten() {
            let at = *numbers.entry(key(row)).or_insert_with(|| {
                rows.push(vec![None; of_runs.len()]);
                rows.len() - 1
            });
            rows[at][run] = Some(row);
        }
    }
    Value::Array(rows.iter().map(|row| together(row)).collect())
}

/// Returns the run with the median elapsed time, by number from 0; for an even number of runs, the
/// shorter of the two in the middle.
pub fn median_run(side: &Side) -> usize {
    let elapsed = side.each(|run| run.summary.elapsed_ns);
    let mut order: Vec<usize> = (0..elapsed.len()).collect();
    order.sort_by(|a, b| elapsed[*a].total_cmp(&elapsed[*b]));
    order[(order.len() - 1) / 2]
}
