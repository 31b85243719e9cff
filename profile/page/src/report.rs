//! The data of a report's page: that of `omphalos report --json`, without the last rows of long
//! tables, and with the call tree in a shorter form.

use omphalos_report::text::{self, TextOptions};
use omphalos_report::{Analysis, Costs, Disease, Line, Listing, SourceFiles, json, listings};
use serde_json::{Map, Value, json};

use crate::{flame, frame};

/// The most rows of each table that the page has.
const MOST_ROWS: [(&str, usize); 6] = [
    ("regions", 400),
    ("threads", 1024),
    ("tasks", 200),
    ("mutexes", 200),
    ("targets", 200),
    ("diagnosis", 100),
];
/// The most rows of the tables of counters.
const MOST_COUNTED: [(&str, &str, usize); 2] =
    [("rows", "counter_rows", 400), ("functions", "counter_functions", 200)];
/// The most paths to a region, and the most constructs and calls inside of one.
const MOST_OF_REGION: [(&str, usize); 3] = [("callers", 3), ("constructs", 60), ("calls", 5)];
/// The most functions whose lines the page has, and the most letters of a line.
const MOST_FUNCTIONS: usize = 25;
const LONGEST_LINE: usize = 240;
/// The most processes of one command that the page has.
const MOST_PROCESSES: usize = 8;

/// The page of the processes of one command, the costliest first. `runs`: the figures of several
/// runs, if the processes are those of one of them; `files`: the source files.
pub fn render(processes: &[&Analysis], runs: Option<&Value>, files: &mut SourceFiles) -> String {
    let shown = &processes[..processes.len().min(MOST_PROCESSES)];
    let data = json!({
        "page": "report",
        "version": env!("CARGO_PKG_VERSION"),
        "processes": shown.iter().map(|process| process_data(process, files)).collect::<Vec<_>>(),
        "all_processes": processes.len(),
        "runs": runs.map(|runs| json!({
            "count": runs["count"],
            "elapsed_ns": runs["summary"]["elapsed_ns"],
        })),
        "names": Disease::ALL.iter().map(name).collect::<Map<_, _>>(),
    });
    let text = shown.first().map(|first| text::render(first, &TextOptions::default()));
    let command = shown.first().map(|first| first.command()).unwrap_or_default();
    frame::page(&format!("{command} - Omphalos"), data, &text.unwrap_or_default())
}

fn name(disease: &Disease) -> (String, Value) {
    (disease.id().to_owned(), json!(disease.to_string()))
}

fn process_data(analysis: &Analysis, files: &mut SourceFiles) -> Value {
    let mut value = json::to_value(analysis);
    let mut left_out = Map::new();
    for (table, most) in MOST_ROWS {
        if let Some(rest) = cut(&mut value[table], most) {
            left_out.insert(table.to_owned(), rest);
        }
    }
    for (table, name, most) in MOST_COUNTED {
        let counted = value["counters"].get_mut(table);
        if let Some(rest) = counted.and_then(|rows| cut(rows, most)) {
            left_out.insert(name.to_owned(), rest);
        }
    }
    for region in value["regions"].as_array_mut().into_iter().flatten() {
        for (list, most) in MOST_OF_REGION {
            if let Some(rest) = cut(&mut region[list], most) {
                region["left_out"][list] = rest["rows"].clone();
            }
        }
    }
    // Other tables and the graph have these.
    for gone in ["call_tree", "hot_lines", "serial_lines", "other_processes", "runs"] {
        value[gone] = Value::Null;
    }
    value["left_out"] = Value::Object(left_out);
    value["frames"] = flame::of(analysis.tree());
    let source = listings(analysis, files, MOST_FUNCTIONS);
    value["source"] = source.iter().map(listing).collect();
    value
}

/// A function with the costs of its lines.
fn listing(listing: &Listing) -> Value {
    let mut value = costs(&listing.costs);
    value["function"] = json!(&*listing.function);
    value["file"] = json!(listing.file.as_deref());
    value["path"] = json!(listing.path);
    value["remark"] = json!(listing.remark);
    value["lines"] = listing.lines.iter().map(line).collect();
    value
}

fn line(line: &Line) -> Value {
    let mut value = costs(&line.costs);
    value["line"] = json!(line.number);
    let text = line.text.as_deref().map(|text| text.replace('\t', "        "));
    value["text"] = json!(text.map(|text| text.chars().take(LONGEST_LINE).collect::<String>()));
    value
}

fn costs(costs: &Costs) -> Value {
    let Costs { work, wait, overhead, blocked } = costs;
    json!({ "work_ns": work, "wait_ns": wait, "overhead_ns": overhead, "blocked_ns": blocked })
}

/// Leaves `most` rows in a table, and says how many went and what time they had, if any did.
fn cut(table: &mut Value, most: usize) -> Option<Value> {
    let rows = table.as_array_mut().filter(|rows| rows.len() > most)?;
    let rest = rows.split_off(most);
    let is_outermost = |row: &&Value| row["level"].as_u64().is_none_or(|level| level <= 1);
    let times = rest.iter().filter(is_outermost);
    let times = times.filter_map(|row| row["elapsed_ns"].as_u64());
    let elapsed = times.fold(0, u64::saturating_add);
    Some(json!({ "rows": rest.len(), "elapsed_ns": elapsed }))
}
