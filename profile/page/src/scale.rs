//! The data of a page about how a program scales: that of `omphalos scale --json`.

use omphalos_report::text::TextOptions;
use omphalos_scale::{Scaling, render};
use serde_json::{Value, json};

use crate::frame;

/// The page of a program that ran with several numbers of threads.
pub fn render(scaling: &Scaling) -> String {
    let figures: Value = serde_json::from_str(&render::json(scaling)).unwrap_or_else(|_| json!({}));
    let data = json!({
        "page": "scaling",
        "version": env!("CARGO_PKG_VERSION"),
        "scaling": figures,
    });
    let text = render::text(scaling, &TextOptions::default(), false);
    frame::page(&format!("{} - Omphalos", scaling.command.join(" ")), data, &text)
}
