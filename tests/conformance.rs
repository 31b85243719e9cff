//! Conformance: programs of our own, one construct each, in C, C++ and Fortran, built by GCC's and
//! LLVM's compilers and run with 1, 2, 4 and 16 threads.

use std::process::ExitCode;

use omphalos_tests::{paths, suite};

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for language in ["c", "cpp", "fortran"] {
        let folder = paths::tests().join("conformance").join(language);
        match suite::programs(&folder) {
            Ok(programs) => trials.extend(programs.iter().flat_map(|p| suite::trials(language, p))),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    suite::main(trials)
}
