//! The arguments of a call; errors in them are explained in helpful words.

use std::path::PathBuf;

use serde_json::{Map, Value};

/// The arguments of one call.
pub struct Arguments<'a> {
    given: &'a Map<String, Value>,
}

impl<'a> Arguments<'a> {
    /// Takes the arguments that a tool knows.
    ///
    /// # Errors
    /// If there are others.
    pub fn new(given: &'a Map<String, Value>, known: &[&str]) -> Result<Self, String> {
        match given.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(format!(
                "there is no argument '{name}'; this tool takes: {}",
                if known.is_empty() { "none".to_owned() } else { known.join(", ") }
            )),
            None => Ok(Arguments { given }),
        }
    }

    /// Returns a text, if it is there and not empty.
    ///
    /// # Errors
    /// If it is no text.
    pub fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.given.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.is_empty())),
            Some(other) => Err(format!("'{name}' is a text, not {other}")),
        }
    }

    /// Returns a path that must be there.
    ///
    /// # Errors
    /// If it is not given, or is no text.
    pub fn path(&self, name: &str) -> Result<PathBuf, String> {
        let text = self.text(name)?;
        text.map(PathBuf::from).ok_or_else(|| format!("'{name}' is missing: it is a path"))
    }

    /// Returns a whole number, if it is there.
    ///
    /// # Errors
    /// If it is no such number.
    pub fn number(&self, name: &str) -> Result<Option<u32>, String> {
        match self.given.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
                let number =
                    number.ok_or_else(|| format!("'{name}' is a whole number, not {value}"));
                number.map(Some)
            }
        }
    }
}
