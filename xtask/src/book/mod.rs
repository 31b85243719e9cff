//! `book`: makes one site of the documents, which can be searched and opened without a server.
//!
//! The pages are the tree's own, each in its place: `docs/book/SUMMARY.md` names them in the book's
//! order. They are copied to `target/book/source` with the files that they link to, and mdBook
//! makes `target/book/html` of them. `check` checks links and contents without mdBook.

mod pages;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::tools::{cargo, copy, make_dir, output, read, root, run as start, step, target_dir};
use pages::Page;

/// The version of mdBook that makes the site; another version may choose other file names.
const MDBOOK: &str = "0.5.4";
/// The folder of mdBook's settings and of the list of pages.
const FOLDER: &str = "docs/book";

/// Makes the site and returns its first page.
pub fn run() -> Outcome<PathBuf> {
    let pages = checked()?;
    let mdbook = mdbook()?;
    let book = target_dir().join("book");
    if book.exists() {
        std::fs::remove_dir_all(&book)
            .map_err(|error| format!("cannot remove {}: {error}", book.display()))?;
    }
    let source = book.join("source");
    make_dir(&source)?;
    copy(&root().join(FOLDER).join("book.toml"), &book.join("book.toml"))?;
    copy(&root().join(FOLDER).join("SUMMARY.md"), &source.join("SUMMARY.md"))?;
    for page in &pages {
        copy(&root().join(&page.path), &source.join(&page.path))?;
        for file in &page.files {
            copy(&root().join(file), &source.join(file))?;
        }
    }
    step("making the book");
    start(Command::new(&mdbook).arg("build").arg(&book))?;
    let first = book.join("html/index.html");
    step(&format!("the book: file://{}", first.display()));
    Ok(first)
}

/// Checks that every page of `docs` is in the book, and that every link of a page leads somewhere.
pub fn check() -> Outcome {
    checked().map(drop)
}

fn checked() -> Outcome<Vec<Page>> {
    let (pages, faults) = pages::read(&read(&root().join(FOLDER).join("SUMMARY.md"))?)?;
    if faults.is_empty() { Ok(pages) } else { Err(faults.join("\n       ")) }
}

/// Returns the program mdBook, and compiles it first if this machine has none of that version.
fn mdbook() -> Outcome<PathBuf> {
    let tools = target_dir().join("tools");
    let program = tools.join("bin/mdbook");
    if is_wanted(&program) {
        return Ok(program);
    }
    step(&format!("compiling mdBook {MDBOOK}, once, which takes minutes"));
    let mut install = cargo();
    install.args(["install", "mdbook", "--version", MDBOOK, "--locked", "--quiet", "--force"]);
    install.args(["--no-default-features", "--features", "search", "--root"]).arg(&tools);
    start(&mut install).map_err(|error| format!("{error}; it comes from crates.io"))?;
    Ok(program)
}

fn is_wanted(program: &Path) -> bool {
    output(Command::new(program).arg("--version"))
        .is_ok_and(|version| version.trim().trim_start_matches("mdbook v") == MDBOOK)
}
