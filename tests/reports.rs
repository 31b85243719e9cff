//! Reports of programs that know their own times: each construct's row with its line, numbers
//! exactly, and times as far as a machine that is busy with other tests leaves them. How true they
//! are on an idle one, `cargo xtask truth` says.

use std::process::ExitCode;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::program::Program;
use omphalos_tests::truth::sweep::{Build, Row, compare};
use omphalos_tests::{paths, suite};

use Compiler::{Clang, Clangxx, Flang, Gcc, Gfortran, Gxx};

/// Programs of `truth`, and the builds that they are profiled in.
const REPORTS: [(&str, &[(Compiler, &str)]); 25] = [
    ("blocked_futex.c", &[(Gcc, "-O2")]),
    ("doacross.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("regions_five.c", &[(Gcc, "-O1"), (Gcc, "-O3"), (Clang, "-O2")]),
    ("single_in_turn.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("sections_uneven.c", &[(Gcc, "-O3")]),
    ("single_and_barrier.c", &[(Gcc, "-O3")]),
    ("ordered_dynamic.c", &[(Gcc, "-O2")]),
    ("criticals_two.c", &[(Gcc, "-O3"), (Clang, "-O2")]),
    ("task_diamond.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("nested_uneven.c", &[(Gcc, "-O3")]),
    ("task_tree.cpp", &[(Gxx, "-O2")]),
    ("contained.f90", &[(Gfortran, "-O3"), (Flang, "-O2")]),
    ("workshare.f90", &[(Gfortran, "-O2")]),
    ("tail_calls.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("macros.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("reads_lines.c", &[(Gcc, "-O2")]),
    ("teams_host.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("lambda_template.cpp", &[(Gxx, "-O2"), (Clangxx, "-O2")]),
    ("taskyield_mutex.c", &[(Gcc, "-O0")]),
    ("templates.cpp", &[(Gxx, "-O0")]),
    ("critical_output.f90", &[(Gfortran, "-O0"), (Gfortran, "-O2")]),
    ("forked_helpers.c", &[(Gcc, "-O2")]),
    ("taskloop_regions.c", &[(Clang, "-O2")]),
    ("targets.c", &[(Gcc, "-O0"), (Gcc, "-O2"), (Clang, "-O2")]),
    ("targets.f90", &[(Gfortran, "-O0"), (Gfortran, "-O2")]),
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for (name, builds) in REPORTS {
        for &(compiler, level) in builds {
            let build = Build { compiler, level };
            let stem = name.split('.').next().unwrap_or(name);
            let title = format!("reports::{stem}::{}", build.name().replace(' ', ""));
            trials.push(suite::test(title, move || says_the_truth(name, build)));
        }
    }
    libtest_mimic::run(&suite::arguments(), trials).exit_code()
}

fn says_the_truth(name: &str, build: Build) -> Result<(), String> {
    let program = Program::read(&paths::tests().join("truth").join(name))?;
    let rows = compare(&program, build)?.rows;
    let far: Vec<&Row> = rows.iter().filter(|row| row.is_far).collect();
    match rows.is_empty() || !far.is_empty() {
        false => Ok(()),
        true => Err(format!("{} compared, far from the truth: {far:#?}", rows.len())),
    }
}
