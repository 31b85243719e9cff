//! The data of a comparison's page: that of `omphalos diff --json`, and both call trees as one.

use omphalos_diff::{Comparison, render};
use omphalos_report::text::TextOptions;
use serde_json::{Value, json};

use crate::flame::Frames;
use crate::frame;

/// Frames of less than this share of both sides' time are not told apart.
const LEAST_SHARE: f64 = 0.0005;

/// The page of a comparison.
pub fn render(comparison: &Comparison) -> String {
    let rows: Value =
        serde_json::from_str(&render::json(comparison, None)).unwrap_or_else(|_| json!({}));
    let mut frames = Frames::default();
    render::each_frame(comparison, LEAST_SHARE, |depth, name, [before, after]| {
        frames.add_pair(depth, name, before, after);
    });
    let data = json!({
        "page": "comparison",
        "version": env!("CARGO_PKG_VERSION"),
        "comparison": rows,
        "frames": frames.value(),
    });
    let title = format!("{} and {}", comparison.before.name(), comparison.after.name());
    let text = render::text(comparison, &TextOptions::default(), false);
    frame::page(&format!("{title} - Omphalos"), data, &text)
}
