//! The directives of LLVM's test files: `RUN:`, `REQUIRES:`, `UNSUPPORTED:`. The runner of outside
//! suites (`cargo xtask suite`) reads them; `llvm.rs` fills in the substitutions.

/// The directives of a test file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// The commands, with continued lines joined, substitutions still in them.
    pub run: Vec<String>,
    /// Expressions of features that must all be true.
    pub requires: Vec<String>,
    /// Expressions of features that must all be false.
    pub unsupported: Vec<String>,
}

impl Directives {
    /// Reads the directives of a file's text.
    pub fn read(text: &str) -> Directives {
        let mut directives = Directives::default();
        let mut continued = false;
        for line in text.lines() {
            if let Some(command) = after(line, "RUN:") {
                let (command, goes_on) = match command.strip_suffix('\\') {
                    Some(command) => (command, true),
                    None => (command, false),
                };
                match directives.run.last_mut() {
                    Some(last) if continued => last.push_str(&format!(" {command}")),
                    _ => directives.run.push(command.to_string()),
                }
                continued = goes_on;
            } else if let Some(list) = after(line, "REQUIRES:") {
                directives.requires.extend(items(list));
            } else if let Some(list) = after(line, "UNSUPPORTED:") {
                directives.unsupported.extend(items(list));
            }
        }
        directives
    }

    /// Returns the directive that excludes the file on a machine with these features, if there is
    /// one.
    pub fn excluded(&self, features: &[String]) -> Option<String> {
        let missing = self.requires.iter().find(|r| !holds(r, features));
        let unwanted = self.unsupported.iter().find(|u| holds(u, features));
        missing
            .map(|r| format!("REQUIRES: {r}"))
            .or_else(|| unwanted.map(|u| format!("UNSUPPORTED: {u}")))
    }
}

fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(word)?;
    Some(rest.trim().trim_end_matches("*/").trim_end())
}

fn items(list: &str) -> impl Iterator<Item = String> + '_ {
    list.split(',').map(|item| item.trim().to_string()).filter(|item| !item.is_empty())
}

/// Whether an expression of names, `!`, `&&` and `||` is true of `features`.
fn holds(expression: &str, features: &[String]) -> bool {
    let name = |text: &str| text == "true" || features.iter().any(|f| f == text);
    let factor = |text: &str| match text.trim().strip_prefix('!') {
        Some(rest) => !name(rest.trim()),
        None => name(text.trim()),
    };
    expression.split("||").any(|term| term.split("&&").all(factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_joined_and_features_weighed() {
        let text = "// RUN: a && \\\n// RUN: b\n// RUN: c\n// REQUIRES: linux\n\
                    // UNSUPPORTED: gcc-4, clang && darwin\n";
        let read = Directives::read(text);
        assert_eq!(read.run, ["a &&  b", "c"]);
        let features = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(read.excluded(&features(&["linux", "clang"])), None);
        assert_eq!(read.excluded(&features(&["clang"])), Some("REQUIRES: linux".into()));
        assert!(read.excluded(&features(&["linux", "gcc-4"])).is_some());
        assert!(read.excluded(&features(&["linux", "clang", "darwin"])).is_some());
    }
}
