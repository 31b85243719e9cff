//! The format's demands on a value: its fields, their types, a table's columns.

use serde_json::Value;

/// The types of a field.
#[derive(Clone, Copy)]
pub enum Type {
    Number,
    Text,
    Truth,
    List,
    Object,
}
pub use Type::{List, Number, Object, Text, Truth};

impl Type {
    fn is_of(self, value: &Value) -> bool {
        match self {
            Number => value.is_number(),
            Text => value.is_string(),
            Truth => value.is_boolean(),
            List => value.is_array(),
            Object => value.is_object(),
        }
    }
}

/// Asserts that all `needed` fields are there with their types, and of others only `optional` ones.
pub fn has(value: &Value, what: &str, needed: &[(&str, Type)], optional: &[(&str, Type)]) {
    for (name, of) in needed {
        assert!(of.is_of(&value[*name]), "{what}.{name}: {}", value[*name]);
    }
    for (name, field) in value.as_object().unwrap() {
        let known = needed.iter().chain(optional).find(|(known, _)| known == name);
        let (_, of) = known.unwrap_or_else(|| panic!("{what}.{name} is not in the format"));
        assert!(of.is_of(field) || field.is_null(), "{what}.{name}: {field}");
    }
}

/// Asserts that a table has these columns and its length, and that each column is as long.
pub fn is_table(table: &Value, what: &str, columns: &[&str]) {
    let mut names: Vec<&String> = table.as_object().unwrap().keys().collect();
    names.retain(|name| !["length", "weightType"].contains(&name.as_str()));
    let mut expected = columns.to_vec();
    expected.sort_unstable();
    names.sort_unstable();
    assert_eq!(names, expected, "{what}");
    for column in columns {
        assert_eq!(list(&table[*column]).len() as u64, table["length"], "{what}.{column}");
    }
}

pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}
