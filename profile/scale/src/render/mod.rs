//! The forms of a [`Scaling`], each a pure function of it.

mod plot;
mod text;

pub use text::render as text;

use crate::Scaling;

/// Returns pretty-printed JSON with a newline at its end; `docs/scale.schema.json` describes it.
pub fn json(scaling: &Scaling) -> String {
    serde_json::to_string_pretty(scaling).unwrap_or_else(|_| "{}".to_owned()) + "\n"
}
