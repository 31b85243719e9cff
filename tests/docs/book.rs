//! The book of `cargo xtask book`: each link leads somewhere, and a browser opens it from the disk,
//! without a server. Where there is no book, or no chromium, these tests are ignored.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use omphalos_tests::browser::{self, shown};
use omphalos_tests::{paths, suite};

pub fn tests() -> Vec<Trial> {
    let is_made = first().is_file();
    vec![
        suite::test("docs::book::links", links).with_ignored_flag(!is_made),
        suite::test("docs::book::browser", browse)
            .with_ignored_flag(!is_made || !browser::is_there()),
    ]
}

/// The first page.
fn first() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty());
    let target = target.map_or_else(|| paths::repository().join("target"), PathBuf::from);
    target.join("book/html/index.html")
}

/// Finds the values of an attribute in a page, and decodes characters that HTML writes in another
/// way.
fn values<'a>(page: &'a str, attribute: &'a str) -> impl Iterator<Item = String> + 'a {
    let parts = page.split(attribute).skip(1);
    let values = parts.filter_map(|part| part.strip_prefix("=\"")?.split('"').next());
    values.map(|value| value.replace("&amp;", "&").replace("%20", " "))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Collects all pages below a folder.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "html") {
            found.push(path);
        }
    }
}

/// Tests that each link leads to a file, and to a place in it.
fn links() -> Result<(), String> {
    let mut all = Vec::new();
    pages(first().parent().unwrap_or(Path::new("/")), &mut all);
    let mut texts = BTreeMap::new();
    for path in &all {
        texts.insert(path.canonicalize().map_err(|e| e.to_string())?, read(path)?);
    }
    let mut faults = Vec::new();
    for (path, text) in &texts {
        for link in values(text, " href").chain(values(text, " src")) {
            if link.contains("://") {
                continue;
            }
            let (file, place) = link.split_once('#').unwrap_or((&link, ""));
            let target = path.parent().unwrap_or(path).join(file);
            let target = if file.is_empty() { Ok(path.clone()) } else { target.canonicalize() };
            let is_there = target.is_ok_and(|target| {
                let has = |page: &String| values(page, " id").any(|id| id == place);
                target.is_file() && (place.is_empty() || texts.get(&target).is_none_or(has))
            });
            if !is_there {
                faults.push(format!("{}: {link}", path.display()));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Tests the search: the first result leads to a page that marks the word.
fn browse() -> Result<(), String> {
    // First show that the browser's log has the complaints of scripts, so that its silence means
    // something.
    let broken = paths::scratch("browser broken").join("page.html");
    fs::write(&broken, "<script>nothing.here()</script>").map_err(|e| e.to_string())?;
    if shown(&format!("file://{}", broken.display())).is_ok() {
        return Err("a script's complaint is not seen".to_owned());
    }
    let first = first();
    let found = shown(&format!("file://{}?search=deadlock", first.display()))?;
    let list = found.split("id=\"mdbook-searchresults\"").nth(1).unwrap_or_default();
    let list = list.split("</ul>").next().unwrap_or_default();
    let link = values(list, " href").next().ok_or("nothing is found")?;
    let page = first.parent().unwrap_or(&first).join(link);
    let page = shown(&format!("file://{}", page.display()))?;
    let is_marked = page.contains("<mark") && page.contains("deadlock");
    if is_marked { Ok(()) } else { Err(format!("the word is not marked in {page}")) }
}
