//! No answer is longer than an agent has room for.

use serde_json::{Value, json};

/// The longest answer: some 1500 tokens.
pub const MOST_CHARACTERS: usize = 6000;

/// The limits of texts and lists, the most generous first; the last leaves nothing to cut.
const LIMITS: [(usize, usize); 5] = [(600, 40), (400, 20), (240, 10), (120, 5), (60, 2)];

/// Returns the value as text, on one line, with long parts cut. For a list that was cut,
/// `NAME_left_out` says how many more entries there were.
pub fn text(value: &Value) -> String {
    let mut shown = String::new();
    for (characters, rows) in LIMITS {
        let mut short = value.clone();
        shorten(&mut short, characters, rows);
        shown = short.to_string();
        if shown.chars().count() <= MOST_CHARACTERS {
            return shown;
        }
    }
    // Only a value with very many fields comes here.
    shown.chars().take(MOST_CHARACTERS).collect()
}

/// Returns a complaint, cut to the needed length.
pub fn cut(text: &str) -> String {
    match text.chars().count() > LIMITS[0].0 {
        true => text.chars().take(LIMITS[0].0).chain("..".chars()).collect(),
        false => text.to_owned(),
    }
}

fn shorten(value: &mut Value, characters: usize, rows: usize) {
    match value {
        Value::String(text) if text.chars().count() > characters => {
            let front: String = text.chars().take(characters.saturating_sub(2)).collect();
            *text = front + "..";
        }
        Value::Array(all) => all.iter_mut().for_each(|one| shorten(one, characters, rows)),
        Value::Object(fields) => {
            let mut cut = Vec::new();
            for (name, field) in fields.iter_mut() {
                if let Value::Array(all) = field
                    && all.len() > rows
                {
                    cut.push((format!("{name}_left_out"), all.len() - rows));
                    all.truncate(rows);
                }
                shorten(field, characters, rows);
            }
            fields.extend(cut.into_iter().map(|(name, number)| (name, json!(number))));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_answers_are_cut_and_say_so() {
        let row = json!({ "name": "x".repeat(1000), "ms": 1.5 });
        let long = json!({ "rows": vec![row; 500], "few": [1, 2] });
        let shown = text(&long);
        assert!(shown.chars().count() <= MOST_CHARACTERS, "{}", shown.len());
        let read: Value = serde_json::from_str(&shown).unwrap();
        let rows = read["rows"].as_array().unwrap().len();
        assert_eq!(read["rows_left_out"], 500 - rows);
        assert_eq!(read["few"], json!([1, 2]));
        let short = json!({ "rows": [1, 2, 3] });
        assert_eq!(text(&short), short.to_string());
    }
}
