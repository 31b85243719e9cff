//! The format of <https://www.speedscope.app>: stacks with their times, all together and each kind
//! of time by itself.

use omphalos_report::{Analysis, TimeKind};
use serde_json::{Value, json};

use crate::stacks::{Stack, Stacks, program, time_kind};

/// The profile as JSON.
pub fn render(processes: &[&Analysis]) -> String {
    let Stacks { frames, rows } = Stacks::of(processes);
    let frames: Vec<Value> = frames
        .iter()
        .map(|frame| {
            let mut value = json!({ "name": &*frame.text });
            if let Some(file) = &frame.file {
                value["file"] = json!(&**file);
            }
            if frame.line > 0 {
                value["line"] = json!(frame.line);
            }
            value
        })
        .collect();
    let mut profiles = vec![profile("all threads' time", rows.iter())];
    for kind in TimeKind::ALL {
        let own = || rows.iter().filter(|stack| stack.kind == kind);
        if own().next().is_some() {
            profiles.push(profile(&time_kind(kind).replace('_', " "), own()));
        }
    }
    let file = json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "name": processes.first().map(|first| program(first)),
        "exporter": concat!("omphalos ", env!("CARGO_PKG_VERSION")),
        "activeProfileIndex": 0,
        "shared": { "frames": frames },
        "profiles": profiles,
    });
    file.to_string()
}

fn profile<'a>(name: &str, stacks: impl Iterator<Item = &'a Stack> + Clone) -> Value {
    json!({
        "type": "sampled",
        "name": name,
        "unit": "nanoseconds",
        "startValue": 0,
        "endValue": stacks.clone().map(|stack| stack.time).fold(0, u64::saturating_add),
        "samples": stacks.clone().map(|stack| &stack.frames).collect::<Vec<_>>(),
        "weights": stacks.map(|stack| stack.time).collect::<Vec<_>>(),
    })
}
