//! Checks that the changes in docs/changing.md apply to the tree as it is, and that the files that
//! its walks name exist.

use crate::Outcome;
use crate::tools::{have, read, root, step};
use std::io::Write;
use std::process::{Command, Stdio};

/// Reads the document.
pub fn check() -> Outcome {
    let text = read(&root().join("docs/changing.md"))?;
    let mut faults: Vec<String> = files(&text)
        .filter(|file| !root().join(file).exists())
        .map(|file| format!("docs/changing.md: there is no {file}"))
        .collect();
    if !have("git") {
        step("no git: the changes in docs/changing.md are not tried");
    } else {
        for (number, change) in changes(&text).enumerate() {
            if let Some(why) = refused(change)? {
                faults.push(format!("docs/changing.md: change {}: {why}", number + 1));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

/// Returns the first cells of the rows below "Reading things".
fn files(text: &str) -> impl Iterator<Item = &str> {
    let walks = text.split_once("# Reading things").map_or("", |(_, walks)| walks);
    walks.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |")).map(|row| row.0)
}

fn changes(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split("```diff\n").skip(1);
    behind.filter_map(|text| Some(text.split_once("```")?.0))
}

/// Returns git's objection to a change; `None` if it applies.
fn refused(change: &str) -> Outcome<Option<String>> {
    let fault = |error: std::io::Error| format!("cannot run git: {error}");
    let mut git = Command::new("git");
    git.args(["apply", "--check", "-"]).current_dir(root());
    git.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut git = git.spawn().map_err(fault)?;
    if let Some(mut to) = git.stdin.take() {
        to.write_all(change.as_bytes()).map_err(fault)?;
    }
    let end = git.wait_with_output().map_err(fault)?;
    let why = String::from_utf8_lossy(&end.stderr).trim().to_owned();
    Ok((!end.status.success()).then_some(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_and_files_are_found() {
        let text = "a\n```diff\n-x\n```\n| `no/file.rs` | |\n```diff\n+y\n```\n\
                    # Reading things\n| file | |\n|---|---|\n| `a/src/b.rs` | `c.rs` |\n";
        assert_eq!(changes(text).collect::<Vec<_>>(), ["-x\n", "+y\n"]);
        assert_eq!(files(text).collect::<Vec<_>>(), ["a/src/b.rs"]);
        assert!(refused("--- a/nothing\n+++ b/nothing\n@@ -1 +1 @@\n-x\n+y\n").unwrap().is_some());
    }
}
