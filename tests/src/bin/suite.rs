//! Runs a checkout of a test suite that others wrote, on the compiler's own runtime and on ours.

use std::process::ExitCode;

use omphalos_tests::guard;
use omphalos_tests::outside::{self, options::Options};

fn main() -> ExitCode {
    let options = Options::read(std::env::args().skip(1));
    let run = |options: Options| guard::start().and_then(|()| outside::run(&options));
    match options.and_then(run) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(message) => {
            eprintln!("suite: {message}");
            ExitCode::FAILURE
        }
    }
}
