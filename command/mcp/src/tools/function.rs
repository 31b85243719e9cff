//! The tool `function`: answers with one function's time, its callers and its lines.

use std::collections::BTreeMap;

use omphalos_report::digest::{functions, ms, percent};
use omphalos_report::{Analysis, CallNode};
use serde_json::{Value, json};

use super::{PROFILE, Tool, analysis};
use crate::Host;
use crate::arguments::Arguments;

pub const TOOL: Tool = Tool {
    name: "function",
    description: "One function or construct of a profile: its own time and that with what it \
        calls, its callers, its hottest source lines. Without 'function': the hottest functions.",
    arguments: &[PROFILE, ("function", "string", "Its name, or a part of it", false)],
    answer,
};

/// How many functions are listed where none is named.
const MOST: usize = 20;

fn answer(host: &dyn Host, arguments: &Arguments<'_>) -> Result<Value, String> {
    let wanted = arguments.text("function")?;
    let analysis = analysis(host, arguments)?;
    let own = analysis.tree().own_times();
    let Some(wanted) = wanted else {
        return Ok(json!({ "functions": functions(&analysis, MOST) }));
    };
    let exact = own.iter().find(|(name, _)| *name == wanted);
    let matching: Vec<&str> =
        own.iter().map(|(name, _)| *name).filter(|name| name.contains(wanted)).collect();
    let Some(name) = exact.map(|(name, _)| *name).or(matching.first().copied()) else {
        let known: Vec<&str> = own.iter().take(10).map(|(name, _)| *name).collect();
        return Err(format!(
            "no function's name has '{wanted}' in it, as far as samples tell; the hottest are: {}",
            known.join("; ")
        ));
    };
    let own_time = own.iter().find(|(known, _)| *known == name).map_or(0, |(_, time)| *time);
    let (total, callers) = around(&analysis, name);
    let all = analysis.tree().total.max(1) as f64;
    let mut value = json!({
        "function": name,
        "own_ms": ms(own_time),
        "own_share_of_threads_time_percent": percent(own_time as f64 / all),
        "with_callees_ms": ms(total),
        "with_callees_share_of_threads_time_percent": percent(total as f64 / all),
    });
    value["callers"] = callers
        .into_iter()
        .take(8)
        .map(|(caller, time)| {
            json!({
                "caller": caller,
                "time_ms": ms(time),
            })
        })
        .collect();
    let lines = analysis.hot_lines().iter().filter(|line| *line.function == *name && line.line > 0);
    value["lines"] = lines
        .take(10)
        .map(|line| {
            json!({
                "line": line.place(),
                "work_ms": ms(line.time),
                "share_of_threads_time_percent": percent(line.time as f64 / all),
            })
        })
        .collect();
    let others: Vec<&str> = matching.into_iter().filter(|other| *other != name).collect();
    if !others.is_empty() {
        value["other_matches"] = json!(others);
    }
    Ok(value)
}

/// Returns the time of the outermost nodes of that name, and its parts by caller.
fn around(analysis: &Analysis, name: &str) -> (u64, Vec<(String, u64)>) {
    let mut total = 0;
    let mut callers: BTreeMap<String, u64> = BTreeMap::new();
    let mut todo: Vec<(&CallNode, &str)> = vec![(analysis.tree(), "")];
    while let Some((node, caller)) = todo.pop() {
        if *node.text == *name {
            total += node.total;
            *callers.entry(caller.to_owned()).or_default() += node.total;
            continue;
        }
        todo.extend(node.children.iter().map(|child| (child, &*node.text)));
    }
    callers.remove("");
    let mut callers: Vec<(String, u64)> = callers.into_iter().collect();
    callers.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    (total, callers)
}
