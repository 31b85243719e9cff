//! The documents say what is true: commands run, shown output is what is printed, options exist,
//! the crates for others can be used from outside, and the book opens without a server.

#[path = "docs/book.rs"]
mod book;
#[path = "docs/commands.rs"]
mod commands;
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
    trials.extend(book::tests());
    suite::main(trials)
}
