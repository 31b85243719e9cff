//! Pages show the answers about the programs here as they really are.

use std::process::Command;
use std::time::Instant;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{paths, suite};

use super::{LIMIT, start_in};

pub fn tests() -> Vec<Trial> {
    let mut trials = Vec::new();
    for file in ["docs/debugging.md", "README.md"] {
        let text = std::fs::read_to_string(paths::repository().join(file)).unwrap_or_default();
        for transcript in of_page(&text) {
            let title = format!("hangs::transcript_of_{}::{file}", transcript.program);
            trials.push(suite::test(title, move || is_true(&transcript, file)));
        }
    }
    trials
}

/// A block of a page with an answer about a program.
struct Transcript {
    program: String,
    flags: Vec<String>,
    shown: String,
}

/// Finds the blocks between `<!-- transcript: PROGRAM FLAGS -->` and `<!-- end -->`.
fn of_page(page: &str) -> Vec<Transcript> {
    let mut found = Vec::new();
    for part in page.split("<!-- transcript: ").skip(1) {
        let Some((head, rest)) = part.split_once(" -->\n") else { continue };
        let shown = rest.split("<!-- end -->").next().unwrap_or_default();
        let lines: Vec<&str> =
            shown.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
        let mut words = head.split(' ').map(str::to_owned);
        let program = words.next().unwrap_or_default();
        found.push(Transcript { program, flags: words.collect(), shown: lines.join("\n") });
    }
    found
}

/// Tests that the answer about the program is the page's; numbers of processes, times and the like
/// may differ.
fn is_true(transcript: &Transcript, file: &str) -> Result<(), String> {
    let source = paths::tests().join("hangs").join(&transcript.program).with_extension("c");
    let program = Compiler::Gcc.compile(&source, &[])?;
    let folder = paths::scratch(&format!("transcript-{}-{file}", transcript.program));
    std::fs::copy(&program, folder.join(&transcript.program)).map_err(|e| e.to_string())?;
    let running = start_in(&folder, &format!("./{}", transcript.program), &[])?;
    let wanted = normal(&transcript.shown);
    let begun = Instant::now();
    loop {
        let output = Command::new(paths::omphalos())
            .arg("inspect")
            .args(&transcript.flags)
            .arg(running.subject.to_string())
            .output()
            .map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if normal(&text) == wanted {
            return Ok(());
        }
        if begun.elapsed() > LIMIT {
            return Err(format!(
                "the page shows\n{}\nand the program says\n{text}",
                transcript.shown
            ));
        }
    }
}

/// Removes from the text what differs from run to run.
fn normal(text: &str) -> String {
    let mut out = text.trim().to_owned();
    for before in ["process ", "LWP ", "pipe:[", "still for "] {
        let mut parts = out.split(before);
        let mut new = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            new.push_str(before);
            new.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
        }
        out = new;
    }
    out
}
