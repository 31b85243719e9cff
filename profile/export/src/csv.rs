//! Comma-separated values by RFC 4180: a file for each table, with the columns on its first line.

use omphalos_report::Analysis;
use serde_json::Value;

use crate::tables;

/// The begin of each file: the first column of all tables.
pub const BEGIN: &str = "id,";

/// The files: their names and contents.
pub fn render(processes: &[&Analysis]) -> Vec<(String, String)> {
    let file = |table: tables::Table| {
        let mut text = table.columns.join(",") + "\r\n";
        for row in &table.rows {
            let cells: Vec<String> = row.iter().map(cell).collect();
            text.push_str(&cells.join(","));
            text.push_str("\r\n");
        }
        (format!("{}.csv", table.name), text)
    };
    tables::of(processes).into_iter().map(file).collect()
}

/// Returns a value's cell: empty if the value is unknown; text is quoted where it has to be.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.contains(['"', ',', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::cell;
    use serde_json::{Value, json};

    #[test]
    fn cells_come_back_as_they_were() {
        assert_eq!(cell(&Value::Null), "");
        assert_eq!(cell(&json!(12)), "12");
        assert_eq!(cell(&json!("main")), "main");
        assert_eq!(cell(&json!("f(int, \"a\")\n")), "\"f(int, \"\"a\"\")\n\"");
    }
}
