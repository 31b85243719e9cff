//! `check`: everything about the tree that a machine can judge without running the product.

mod arrows;
mod exports;
mod locks;

use crate::tools::{cargo, run as start, step};
use crate::{Outcome, build, entry_points};

/// Runs all checks, quickest first; the first that fails ends it.
pub fn run() -> Outcome {
    step("formatting");
    start(cargo().args(["fmt", "--all", "--check"]))?;
    step("the crate arrows");
    arrows::check()?;
    step("the process's locks");
    locks::check()?;
    step("lints");
    start(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    step("documentation");
    let mut doc = cargo();
    doc.args(["doc", "--workspace", "--no-deps", "--document-private-items"]);
    // Private items are documented too, so a link to one does not break.
    start(doc.env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private-intra-doc-links"))?;
    let built = build::run()?;
    step("exported symbols");
    exports::check(&built.runtime)?;
    step("entry points");
    entry_points::check(&built.runtime)?;
    step("all checks passed");
    Ok(())
}
