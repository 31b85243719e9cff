//! Checks that there is one word for one idea: no comment has a word that the table in
//! docs/words.md sets aside, unless the word has another meaning in these crates.

use super::sources;
use crate::Outcome;

/// The crates inside the process; the table is about their ideas.
const CRATES: [&str; 14] = [
    "abi", "agent", "capi", "engine", "events", "layout", "mapping", "memory", "ompt", "library",
    "settings", "sync", "sys", "tools",
];

/// The words that are set aside, and what to say instead.
const ASIDE: [(&[&str], &str); 8] = [
    (&["hear", "hears", "heard", "hearing"], "told"),
    (&["listen", "listens", "listened", "listening"], "attached, or wants"),
    (&["observe", "observes", "observed"], "watched"),
    (&["notify", "notifies", "notified"], "tell, or wake"),
    (&["unheard", "quietly"], "silently"),
    (&["hushed"], "quiet"),
    (&["park", "parks", "parked", "resting"], "sleep, or idle"),
    (&["oversubscribed", "slave"], "crowded; worker"),
];

/// Reads the sources.
pub fn check() -> Outcome {
    let mut faults = Vec::new();
    for name in CRATES {
        for source in sources::under(&format!("{}/src", sources::folder_of(name)))? {
            for (at, line) in source.text.lines().enumerate() {
                if let Some((word, instead)) = set_aside(line) {
                    faults.push(format!("{}:{}: '{word}': say {instead}", source.path, at + 1));
                }
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

/// Finds the first word in a line's comment that is set aside. A text between backticks is a name
/// and does not count.
fn set_aside(line: &str) -> Option<(&str, &'static str)> {
    let (_, comment) = line.split_once("//")?;
    let prose = comment.split('`').step_by(2);
    let mut words = prose.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.find_map(|word| {
        let row = ASIDE.iter().find(|(words, _)| words.contains(&word))?;
        Some((word, row.1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_comments_only() {
        assert_eq!(set_aside("/// A tool hears of it."), Some(("hears", "told")));
        assert_eq!(set_aside("let heard = 1; // told"), None);
        assert_eq!(set_aside("// see `notify` and pthread_cond_notify"), None);
    }
}
