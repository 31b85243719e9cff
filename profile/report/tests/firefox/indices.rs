//! A profile's tables refer to each other, and each index is that of a row.

use omphalos_report::firefox;
use serde_json::Value;

use crate::support::imbalanced::imbalanced;

#[test]
fn the_firefox_profile_has_a_thread_each() {
    let value: Value = serde_json::from_str(&firefox::render(&imbalanced())).unwrap();
    let threads = value["threads"].as_array().unwrap();
    assert_eq!(threads.len(), 2);
    let samples = |i: usize| threads[i]["samples"]["length"].as_u64().unwrap();
    assert_eq!(samples(0) + samples(1), 7);
    assert_eq!(value["meta"]["categories"].as_array().unwrap().len(), 8);
}

/// The demands of the format's types: tables whose columns have the stated length, indices of
/// existing rows, parents before their children.
#[test]
fn the_firefox_profile_is_valid() {
    let value: Value = serde_json::from_str(&firefox::render(&imbalanced())).unwrap();
    assert_eq!(value["meta"]["preprocessedProfileVersion"], 61);
    let shared = &value["shared"];
    let length = |table: &Value| table["length"].as_u64().unwrap();
    let is_table = |table: &Value| {
        for (name, column) in table.as_object().unwrap() {
            let Some(column) = column.as_array() else { continue };
            assert_eq!(column.len() as u64, length(table), "{name}");
        }
    };
    let within = |table: &Value, column: &str, limit: u64| {
        for index in table[column].as_array().unwrap() {
            let none = index.is_null() || index == -1;
            assert!(none || index.as_u64().unwrap() < limit, "{column}: {index}");
        }
    };
    let strings = shared["stringArray"].as_array().unwrap().len() as u64;
    let libs = value["libs"].as_array().unwrap();
    let tables = ["stackTable", "frameTable", "funcTable", "resourceTable", "sources"];
    tables.iter().for_each(|name| is_table(&shared[*name]));
    within(&shared["stackTable"], "frame", length(&shared["frameTable"]));
    within(&shared["frameTable"], "func", length(&shared["funcTable"]));
    within(&shared["frameTable"], "category", 7);
    within(&shared["funcTable"], "name", strings);
    within(&shared["funcTable"], "resource", length(&shared["resourceTable"]));
    within(&shared["funcTable"], "source", length(&shared["sources"]));
    within(&shared["resourceTable"], "lib", libs.len() as u64);
    within(&shared["resourceTable"], "name", strings);
    within(&shared["sources"], "filename", strings);
    for (at, outside) in shared["stackTable"]["prefix"].as_array().unwrap().iter().enumerate() {
        assert!(outside.as_u64().is_none_or(|outside| outside < at as u64));
    }
    assert_eq!(libs[0]["name"], "app");
    let name = |index: &Value| shared["stringArray"][index.as_u64().unwrap() as usize].clone();
    let types: Vec<&Value> =
        value["meta"]["markerSchema"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    for thread in value["threads"].as_array().unwrap() {
        is_table(&thread["samples"]);
        is_table(&thread["markers"]);
        within(&thread["samples"], "stack", length(&shared["stackTable"]));
        within(&thread["markers"], "name", strings);
        for data in thread["markers"]["data"].as_array().unwrap() {
            assert!(types.contains(&&data["type"]));
        }
    }
    // The first thread was in the region, then at its barrier: one marker for each, the second
    // inside the first.
    let markers = &value["threads"][0]["markers"];
    let named: Vec<Value> = markers["name"].as_array().unwrap().iter().map(name).collect();
    assert_eq!(named, ["region at app+0x201", "omp implicit barrier"]);
    assert_eq!(markers["endTime"][0], markers["endTime"][1]);
    assert_eq!(markers["data"][1]["what"], "region at app+0x201");
}
