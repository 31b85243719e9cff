//! The stacks of workers: what programs of GCC's and of LLVM's compilers get on their own runtimes
//! they get on ours, also where the size is too small for a thread.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

use crate::shown;

/// Variables with values, the stack in KiB that a worker has then, and whether one line says that
/// something is wrong. 0 is the system's default.
type Case = (&'static [(&'static str, &'static str)], usize, bool);

const GCC: &[Case] = &[
    (&[("OMP_STACKSIZE", "1")], 0, true),
    (&[("OMP_STACKSIZE", "0")], 0, true),
    (&[("OMP_STACKSIZE", "16383B")], 0, true),
    (&[("OMP_STACKSIZE", "16")], 16, false),
    (&[("GOMP_STACKSIZE", "15")], 0, true),
    (&[("GOMP_STACKSIZE", "64")], 64, false),
    (&[("OMP_STACKSIZE", "1"), ("GOMP_STACKSIZE", "64")], 0, true),
];

const LLVM: &[Case] = &[
    (&[("OMP_STACKSIZE", "1")], 16, true),
    (&[("OMP_STACKSIZE", "0")], 16, true),
    (&[("OMP_STACKSIZE", "16383B")], 16, true),
    (&[("OMP_STACKSIZE", "16")], 16, false),
    (&[("KMP_STACKSIZE", "16383")], 16, true),
    (&[("KMP_STACKSIZE", "64k")], 64, false),
    (&[("GOMP_STACKSIZE", "8")], 16, true),
];

/// The tests.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (compiler, cases) in [(Compiler::Gcc, GCC), (Compiler::Clang, LLVM)] {
        for case in cases {
            let name = compiler.name();
            let title = format!("environment::stack::{}::{name}", shown(case.0));
            trials.push(suite::test(title, move || {
                check(compiler, case, &Runtime::Stock)
                    .map_err(|e| format!("the test itself is wrong: {e}"))?;
                if suite::stock_only() {
                    return Ok(());
                }
                check(compiler, case, &Runtime::Omphalos)
            }));
        }
    }
    trials.push(suite::test("environment::stack::first", first));
    trials
}

fn check(compiler: Compiler, case: &Case, runtime: &Runtime) -> Result<(), String> {
    let &(environment, kib, faulty) = case;
    let (stack, said) = stack(compiler, environment, runtime)?;
    // LLVM's runtime adds some bytes, and whole pages are what there is.
    let fits = match kib {
        0 => stack > 1 << 20,
        some => (some << 10..(some << 10) + 8192).contains(&stack),
    };
    let stock = *runtime == Runtime::Stock;
    let named = said.lines().any(|line| line.contains(environment[0].0) || stock);
    let lines = said.lines().count();
    if fits && named == faulty && (stock || lines == usize::from(faulty)) {
        Ok(())
    } else {
        Err(format!("on {}: {stack} bytes, said: {said}", runtime.name()))
    }
}

fn stack(
    compiler: Compiler,
    environment: &[(&str, &str)],
    runtime: &Runtime,
) -> Result<(usize, String), String> {
    runtime.check()?;
    let program = compiler.compile(&paths::tests().join("environment/stack.c"), &[])?;
    let mut command = Command::new(program);
    runtime.apply(&mut command);
    let outcome = exec::run(command.envs(environment.iter().copied()))?;
    let wanted = |line: &&str| *line == "threads 2";
    let size = outcome.stdout.lines().find_map(|line| line.strip_prefix("stack ")?.parse().ok());
    match size {
        Some(size) if outcome.success() && outcome.stdout.lines().any(|l| wanted(&l)) => {
            Ok((size, outcome.stderr))
        }
        _ => Err(outcome.describe()),
    }
}

/// Of several variables the one counts that counts on the compiler's own runtime.
fn first() -> Result<(), String> {
    let set = [("OMP_STACKSIZE", "128"), ("KMP_STACKSIZE", "256k"), ("GOMP_STACKSIZE", "512")];
    for (compiler, kib) in [(Compiler::Gcc, 128), (Compiler::Clang, 256)] {
        for runtime in [Runtime::Stock, Runtime::Omphalos] {
            if runtime == Runtime::Omphalos && suite::stock_only() {
                continue;
            }
            let (size, said) = stack(compiler, &set, &runtime)?;
            if !(kib << 10..(kib << 10) + 8192).contains(&size) {
                return Err(format!("on {}: {size} bytes, said: {said}", runtime.name()));
            }
        }
    }
    Ok(())
}
