//! `check`: checks everything about the tree that a machine can judge and that needs no run of the
//! product.

mod advisories;
mod arrows;
mod dependencies;
mod exports;
mod founding;
mod locks;
mod modules;
mod names;
mod owners;
mod packages;
mod port;
pub mod sources;
mod tables;
mod walks;
mod width;
mod words;

use crate::tools::{cargo, run as start, step};
use crate::{Outcome, book, build, entry_points};

/// Runs all checks, the quickest first, and ends at the first that fails. `sources`: only the
/// checks that read the sources and the manifests, which takes a second.
pub fn run(arguments: &[String]) -> Outcome {
    let only_sources = match arguments {
        [] => false,
        [what] if what == "sources" => true,
        _ => return Err("`check` takes nothing, or `sources`".to_owned()),
    };
    step("formatting");
    start(cargo().args(["fmt", "--all", "--check"]))?;
    step("the crate arrows");
    arrows::check()?;
    step("the module arrows");
    modules::check()?;
    step("dependencies");
    dependencies::check()?;
    advisories::check()?;
    step("what only sys may have");
    port::check()?;
    step("the process's locks");
    locks::check()?;
    step("who may write a word");
    owners::check()?;
    step("one word for one idea");
    words::check()?;
    step("names that can be searched for");
    names::check()?;
    step("the width of lines");
    width::check()?;
    step("the founding documents");
    founding::check()?;
    step("the book");
    book::check()?;
    step("the walks through the code");
    walks::check()?;
    if only_sources {
        return Ok(());
    }
    step("lints");
    start(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    port::check_other()?;
    step("documentation");
    let mut doc = cargo();
    doc.args(["doc", "--workspace", "--no-deps", "--document-private-items"]);
    // Private items are documented too, so a link to one leads somewhere.
    start(doc.env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private-intra-doc-links"))?;
    step("examples in the documentation");
    start(cargo().args(["test", "--doc", "--package", "omphalos-ompt"]))?;
    step("the crates for others");
    packages::check()?;
    let built = build::run()?;
    step("exported symbols");
    exports::check(&built.runtime)?;
    step("entry points");
    entry_points::check(&built.runtime)?;
    step("all checks passed");
    Ok(())
}
