//! Checks JSON against a JSON Schema, with the keywords that docs/report.schema.json uses.
//!
//! The check is stricter than JSON Schema in one thing: a field that the schema does not describe
//! is a fault. A reader may ignore such a field, but its author must describe it.

use std::sync::OnceLock;

use serde_json::Value;

use crate::paths;

/// Keywords that do not constrain a value.
const SILENT: [&str; 3] = ["$schema", "title", "$defs"];

/// Lists where a report does not conform to docs/report.schema.json.
pub fn faults_of_report(report: &Value) -> Vec<String> {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    let read = || serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    faults(SCHEMA.get_or_init(read), report)
}

/// Lists where a comparison does not conform to docs/diff.schema.json.
pub fn faults_of_diff(comparison: &Value) -> Vec<String> {
    let schema = serde_json::from_str(include_str!("../../../docs/diff.schema.json"));
    schema.map_or_else(|error| vec![error.to_string()], |schema| faults(&schema, comparison))
}

/// Lists where a value does not conform to `docs/NAME.schema.json`.
pub fn faults_of(name: &str, value: &Value) -> Vec<String> {
    let path = paths::repository().join("docs").join(name).with_extension("schema.json");
    let read = std::fs::read_to_string(&path).map_err(|error| error.to_string());
    match read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string())) {
        Ok(schema) => faults(&schema, value),
        Err(error) => vec![format!("{}: {error}", path.display())],
    }
}

/// Lists where `value` does not conform to `schema`: the places and the keywords.
pub fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    Check { root: schema, faults: &mut faults }.hold(schema, value, "");
    faults
}

struct Check<'a> {
    root: &'a Value,
    faults: &'a mut Vec<String>,
}

impl Check<'_> {
    fn hold(&mut self, schema: &Value, value: &Value, place: &str) {
        let Some(words) = schema.as_object() else {
            return self.fault(place, "the schema is no object");
        };
        for (word, says) in words.iter().filter(|(word, _)| !SILENT.contains(&word.as_str())) {
            let holds = match word.as_str() {
                "$ref" => {
                    let (name, root) = (says.as_str().unwrap_or_default(), self.root);
                    let part = name.strip_prefix("#/$defs/");
                    let schema =
                        if name == "#" { root } else { &root["$defs"][part.unwrap_or("")] };
                    self.hold(schema, value, place);
                    true
                }
                "type" => match says.as_array() {
                    Some(types) => types.iter().any(|name| has_type(value, name)),
                    None => has_type(value, says),
                },
                "const" => value == says,
                "enum" => says.as_array().is_some_and(|all| all.contains(value)),
                "minimum" => value.as_f64().is_none_or(|number| Some(number) >= says.as_f64()),
                "anyOf" => says.as_array().into_iter().flatten().any(|one| self.fits(one, value)),
                "required" => says.as_array().is_some_and(|names| {
                    names.iter().all(|name| value.get(name.as_str().unwrap_or_default()).is_some())
                }),
                "items" => {
                    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.hold(says, item, &format!("{place}[{at}]"));
                    }
                    true
                }
                "properties" => {
                    for (name, field) in value.as_object().into_iter().flatten() {
                        let place = format!("{place}.{name}");
                        match says.get(name) {
                            Some(schema) => self.hold(schema, field, &place),
                            None => self.fault(&place, "is not described"),
                        }
                    }
                    true
                }
                _ => false,
            };
            if !holds {
                self.fault(place, &format!("{word} {says}: {:.80}", value.to_string()));
            }
        }
    }

    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let mut faults = Vec::new();
        Check { root: self.root, faults: &mut faults }.hold(schema, value, "");
        faults.is_empty()
    }

    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{place}: {what}"));
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap_or_default() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn faults_are_found() {
        let schema = json!({
            "type": "object",
            "required": ["a"],
            "properties": {"a": {"$ref": "#/$defs/n"}, "b": {"type": ["string", "null"]},
                "c": {"type": "array", "items": {"anyOf": [{"enum": [1, 2]}, {"const": "x"}]}}},
            "$defs": {"n": {"type": "integer", "minimum": 0}}
        });
        let right = [json!({"a": 0}), json!({"a": 1, "b": null, "c": [1, "x"]})];
        assert!(right.iter().all(|value| faults(&schema, value).is_empty()));
        let wrong = [
            json!({}),
            json!([]),
            json!({"a": -1}),
            json!({"a": 1.5}),
            json!({"a": "1"}),
            json!({"a": 1, "b": 1}),
            json!({"a": 1, "c": [3]}),
            json!({"a": 1, "d": 1}),
        ];
        assert!(wrong.iter().all(|value| !faults(&schema, value).is_empty()));
        let unknown = json!({"maximum": 3});
        assert!(!faults(&unknown, &json!(1)).is_empty());
    }
}
