//! The documents are true: commands run and print the output that is shown, options exist, the
//! crates for others can be used from outside, and the book opens without a server. A message that
//! Omphalos cannot be used somewhere says what to do.

#[path = "docs/book.rs"]
mod book;
#[path = "docs/commands.rs"]
mod commands;
#[path = "docs/newcomers.rs"]
mod newcomers;
#[path = "docs/outsiders.rs"]
mod outsiders;
#[path = "docs/page.rs"]
mod page;
#[path = "docs/shown.rs"]
mod shown;
#[path = "docs/words.rs"]
mod words;

use std::process::ExitCode;

use omphalos_tests::suite;

fn main() -> ExitCode {
    let mut trials = commands::tests();
    trials.extend(words::tests());
    trials.extend(outsiders::tests());
    trials.extend(newcomers::tests());
    trials.extend(book::tests());
    suite::main(trials)
}
