//! Checks the words that only one thread writes: no structure of the runtime shows a plain cell to
//! code outside its file, because any code with a reference can write such a cell. Such a word is
//! one of three: an `OwnerWord`, which takes the right to write it
//! (`runtime/engine/src/records/owner.rs`); an atomic; or a private field behind functions that say
//! who may call them and when.

use super::sources::{self, Source};
use crate::Outcome;

/// The crates whose structures several threads reach.
const CRATES: &[&str] = &["engine", "capi", "memory", "tools", "events", "sync", "settings"];

/// Reads the sources.
pub fn check() -> Outcome {
    let mut faults = Vec::new();
    for name in CRATES {
        for source in sources::under(&format!("{}/src", sources::folder_of(name)))? {
            faults.extend(faults_of(&source));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

fn faults_of(source: &Source) -> Vec<String> {
    let field = |line: &str| {
        let rest = line.trim_start().strip_prefix("pub")?;
        let rest = match rest.strip_prefix('(') {
            Some(scope) => scope.split_once(')')?.1,
            None => rest,
        };
        let (name, kind) = rest.split_once(": ")?;
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        (rest.starts_with(' ') && name.trim().chars().all(is_name) && has_cell(kind))
            .then(|| name.trim().to_owned())
    };
    let fault = |(at, name)| {
        let why = "is a cell that anybody may write: see xtask/src/check/owners.rs";
        format!("{}:{at}: `{name}` {why}", source.path)
    };
    source.lines().filter_map(|(at, line)| Some((at, field(line)?))).map(fault).collect()
}

/// Whether the type has a part that any code with a shared reference can change.
fn has_cell(kind: &str) -> bool {
    let words = kind.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.into_iter().any(|word| ["Cell", "UnsafeCell", "RefCell"].contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> usize {
        let source = Source { path: String::from("runtime/x/src/a.rs"), text: String::from(text) };
        faults_of(&source).len()
    }

    #[test]
    fn cells_that_others_see_are_found() {
        assert_eq!(faults("    pub depth: Cell<u32>,"), 1);
        assert_eq!(faults("    pub(crate) list: UnsafeCell<Vec<u8>>,"), 1);
        assert_eq!(faults("    pub(super) all: [Cell<u32>; 4],"), 1);
        assert_eq!(faults("    depth: Cell<u32>,"), 0);
        assert_eq!(faults("    pub depth: OwnerWord<u32>,"), 0);
        assert_eq!(faults("    pub depth: AtomicU32, // a Cell<u32> before"), 0);
        assert_eq!(faults("pub fn of(cell: &Cell<u32>) {}"), 0);
    }
}
