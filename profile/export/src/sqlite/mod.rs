//! A database for SQLite, with the tables of [`crate::tables`]. Of the file format
//! (<https://www.sqlite.org/fileformat2.html>), it has the part that a file needs if it is written
//! once and never changes.
//!
//! It is our own code: SQLite itself would be a C library of a megabyte, for trees that never
//! change, in a program whose released file runs on glibc 2.28.

mod pages;
mod record;

use omphalos_report::Analysis;
use serde_json::Value;

use crate::tables::{self, Table};
use pages::Pages;

/// The begin of each such file.
pub const BEGIN: &[u8] = b"SQLite format 3\0";

/// The database as bytes.
pub fn render(processes: &[&Analysis]) -> Vec<u8> {
    let mut pages = Pages::new();
    let schema: Vec<Vec<u8>> = tables::of(processes)
        .into_iter()
        .map(|table| {
            // The number of a row is its key, which the record leaves out.
            let without_id = |row: &Vec<Value>| {
                let rest = row.iter().skip(1).cloned();
                record::of(&std::iter::once(Value::Null).chain(rest).collect::<Vec<_>>())
            };
            let rows: Vec<Vec<u8>> = table.rows.iter().map(without_id).collect();
            let root = pages.table(&rows);
            let name = table.name.as_str();
            record::of(&["table".into(), name.into(), name.into(), root.into(), sql(&table).into()])
        })
        .collect();
    pages.finish(&schema)
}

fn sql(table: &Table) -> String {
    let others = table.columns.iter().skip(1).map(|column| format!(", \"{column}\""));
    let others: String = others.collect();
    format!("CREATE TABLE \"{}\" (\"id\" INTEGER PRIMARY KEY{others})", table.name)
}
