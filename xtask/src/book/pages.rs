//! Finds what is in the book: the pages that the list names, and the files that they link to.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::Outcome;
use crate::check::sources;
use crate::tools::{self, root};

/// One page.
pub struct Page {
    /// Its path from the root of the tree.
    pub path: String,
    /// The files that it links to and that are no pages.
    pub files: Vec<String>,
}

/// Returns the pages of a list, and the faults in them.
pub fn read(list: &str) -> Outcome<(Vec<Page>, Vec<String>)> {
    let paths: Vec<String> = links(list).map(|(_, link)| link.to_owned()).collect();
    let known: BTreeSet<&str> = paths.iter().map(String::as_str).collect();
    let mut faults = Vec::new();
    if known.len() != paths.len() {
        faults.push("docs/book/SUMMARY.md names a page twice".to_owned());
    }
    for page in sources::ending("docs", &["md"])? {
        if !known.contains(page.path.as_str()) && !page.path.starts_with("docs/book/") {
            faults.push(format!("{}: docs/book/SUMMARY.md does not name it", page.path));
        }
    }
    let mut pages = Vec::new();
    for path in &paths {
        let text = tools::read(&root().join(path))?;
        let mut files = Vec::new();
        for (line, link) in links(&text) {
            let target = link.split('#').next().unwrap_or_default();
            if target.is_empty() || link.contains("://") {
                continue;
            }
            let place = beside(path, target);
            if known.contains(place.as_str()) {
                continue;
            }
            let at = format!("{path}:{line}: `{link}`");
            if target.ends_with(".md") {
                faults.push(format!("{at} leads to a page that the book has not"));
            } else if root().join(&place).is_file() {
                files.push(place);
            } else {
                faults.push(format!("{at} leads to no file (a folder's page is its README.md)"));
            }
        }
        pages.push(Page { path: path.clone(), files });
    }
    Ok((pages, faults))
}

/// Returns the targets of a page's links, each with its line; a link in a block of code does not
/// count.
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_fenced = false;
    let prose = text.lines().enumerate().filter(move |(_, line)| {
        let is_fence = line.starts_with("```");
        is_fenced ^= is_fence;
        !is_fenced && !is_fence && !line.starts_with("    ")
    });
    prose.flat_map(|(at, line)| {
        let behind = |part: &'_ str| part.find([')', ' ']).unwrap_or(0);
        line.split("](").skip(1).map(move |part| (at + 1, &part[..behind(part)]))
    })
}

/// Returns the path, from the root of the tree, that `page` names `target`.
fn beside(page: &str, target: &str) -> String {
    let mut path = PathBuf::from(page);
    path.pop();
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stand_in_prose() {
        let text = "see [a](b.md#c), [d](../e)\n    [f](g)\n```\n[h](i)\n```\n[j](k)\n";
        let found: Vec<_> = links(text).collect();
        assert_eq!(found, [(1, "b.md#c"), (1, "../e"), (6, "k")]);
        assert_eq!(beside("docs/gdb.md", "../runtime/x/README.md"), "runtime/x/README.md");
    }
}
