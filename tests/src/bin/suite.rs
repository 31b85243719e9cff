//! Runs a checkout of somebody else's test suite on the compiler's own runtime and on ours.

use std::process::ExitCode;

use omphalos_tests::outside::{self, options::Options};

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| outside::run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(message) => {
            eprintln!("suite: {message}");
            ExitCode::FAILURE
        }
    }
}
