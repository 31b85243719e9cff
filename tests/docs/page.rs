//! The parts of a page that a test can try: files to save, commands, and their output.
//!
//! Blocks of code are indented or fenced. A block is one of commands if its first line begins with
//! a program that readers have, or with a variable that is set for one. A comment before a block
//! changes its meaning:
//!
//! - `<!-- not run: REASON -->` commands that a test cannot run, and why;
//! - `<!-- file: NAME -->` a file that the reader saves;
//! - `<!-- prints -->` parts of the output of the commands before it.

use std::path::PathBuf;

use omphalos_tests::paths;

/// One page of the book.
pub struct Page {
    /// Its path from the root of the tree.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A thing that a page tells its reader, in the page's order.
#[derive(Debug, PartialEq)]
pub enum Item {
    /// A file: its name and its text.
    File(String, String),
    /// The line of the page where commands begin, and the commands.
    Commands(usize, Vec<String>),
    /// The line of a block, and parts of the last commands' output.
    Prints(usize, Vec<String>),
}

/// The programs that readers type.
const PROGRAMS: &[&str] = &[
    "apt", "apt-get", "cargo", "clang", "clang++", "conda", "cp", "eb", "env", "export", "flang",
    "g++", "gcc", "gdb", "gfortran", "git", "lldb", "make", "mkdir", "mpirun", "objdump",
    "omphalos", "pip", "python", "python3", "rustup", "sed", "spack", "sudo", "tar", "ulimit",
];

/// The pages of the book.
pub fn pages() -> Vec<Page> {
    let read = |path: PathBuf| {
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let list = read(paths::repository().join("docs/book/SUMMARY.md"));
    let links = list.split("](").skip(1).filter_map(|part| part.split(')').next());
    links
        .map(|path| Page { path: path.to_owned(), text: read(paths::repository().join(path)) })
        .collect()
}

impl Page {
    /// Returns the files, commands and output of this page.
    pub fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for (at, before, block) in blocks(&self.text) {
            let note = before.strip_prefix("<!-- ").and_then(|note| note.strip_suffix(" -->"));
            let note = note.unwrap_or_default();
            if let Some(name) = note.strip_prefix("file: ") {
                items.push(Item::File(name.to_owned(), block.join("\n") + "\n"));
            } else if note == "prints" {
                items.push(Item::Prints(at, block));
            } else if !note.starts_with("not run: ") && is_of_commands(&block) {
                items.push(Item::Commands(at, block));
            }
        }
        items
    }
}

impl Page {
    /// Finds the page at a path.
    pub fn of(path: &str) -> Result<Page, String> {
        pages().into_iter().find(|page| page.path == path).ok_or(format!("no page {path}"))
    }

    /// Finds the block of code that begins with this text.
    pub fn block(&self, begin: &str) -> Result<String, String> {
        let mut all = blocks(&self.text).into_iter().map(|(_, _, block)| block.join("\n") + "\n");
        all.find(|block| block.starts_with(begin)).ok_or(format!("{}: no {begin}", self.path))
    }
}

/// Finds the blocks of code: each one's line, the line of text before it, and its own lines.
fn blocks(text: &str) -> Vec<(usize, &str, Vec<String>)> {
    let mut found = Vec::new();
    let mut before = "";
    let mut lines = text.lines().zip(1..).peekable();
    while let Some((line, at)) = lines.next() {
        let is_free = before.is_empty() || before.starts_with("<!--");
        let mut block = Vec::new();
        if let Some(kind) = line.strip_prefix("```") {
            let inside = lines.by_ref().map(|(line, _)| line).take_while(|l| !l.starts_with("```"));
            block.extend(inside.map(str::to_owned));
            if kind.is_empty() || kind == "sh" {
                found.push((at, before, block));
            }
            before = "";
        } else if let (Some(first), true) = (line.strip_prefix("    "), is_free) {
            block.push(first.to_owned());
            while let Some((line, _)) =
                lines.next_if(|(line, _)| line.starts_with("    ") || line.trim().is_empty())
            {
                block.push(line.get(4..).unwrap_or_default().to_owned());
            }
            while block.last().is_some_and(|line| line.trim().is_empty()) {
                block.pop();
            }
            found.push((at, before, block));
            before = "";
        } else {
            before = line;
        }
    }
    found
}

/// Whether a block has commands that the reader types.
fn is_of_commands(block: &[String]) -> bool {
    let first = block.iter().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let Some(word) = first.and_then(|line| line.split_whitespace().next()) else { return false };
    let is_variable = word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.chars().all(|c| c.is_ascii_uppercase() || "_0123456789".contains(c))
    });
    is_variable || word.starts_with("./") || PROGRAMS.contains(&word)
}
