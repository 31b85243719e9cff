//! Prints a profile in one of the forms: `report FILE [text|json|folded|svg|firefox]`.

use omphalos_report::{Analysis, NoProgress, Profile, firefox, flamegraph, folded, json, text};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: report FILE [text|json|folded|svg|firefox]");
        std::process::exit(125);
    };
    let profile = match Profile::open(path) {
        Ok(profile) => profile,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(125);
        }
    };
    let analysis = Analysis::new(&profile, &mut NoProgress);
    let shown = match arguments.next().as_deref() {
        Some("json") => Ok(json::render(&analysis)),
        Some("folded") => Ok(folded::render(&analysis)),
        Some("svg") => flamegraph::render(&analysis),
        Some("firefox") => Ok(firefox::render(&analysis)),
        _ => Ok(text::render(&analysis, &text::TextOptions::default())),
    };
    match shown {
        Ok(shown) => print!("{shown}"),
        Err(error) => eprintln!("{error}"),
    }
}
