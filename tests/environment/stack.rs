//! The stacks of workers: programs of GCC's and of LLVM's compilers get the same on ours as on
//! their own runtimes, also where the size is too small for a thread.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

use crate::shown;

/// Variables with values, the resulting stack of a worker in KiB (0: the system's default), and
/// whether one line reports a fault.
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

/// A limit for stacks in KiB, the resulting stack of a worker in KiB where no variable is set, and
/// whether the compiler's own runtime can start a worker there.
type Limit = (&'static str, usize, bool);

const GCC_LIMITS: &[Limit] =
    &[("unlimited", 2048, true), ("100000", 100_000, true), ("1000000000", 65536, false)];

const LLVM_LIMITS: &[Limit] = &[
    ("unlimited", 65536, true),
    ("100000", 65536, true),
    ("4096", 4096, true),
    ("1000000000", 65536, true),
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
    for (compiler, limits) in [(Compiler::Gcc, GCC_LIMITS), (Compiler::Clang, LLVM_LIMITS)] {
        for &limit in limits {
            let title = format!("environment::stack::limit_{}::{}", limit.0, compiler.name());
            trials.push(suite::test(title, move || limited(compiler, limit)));
        }
    }
    trials.push(suite::test("environment::stack::first", first));
    trials
}

fn check(compiler: Compiler, case: &Case, runtime: &Runtime) -> Result<(), String> {
    let &(environment, kib, faulty) = case;
    let (stack, said) = stack(compiler, environment, runtime, None)?;
    // LLVM's runtime adds some bytes, and a stack has whole pages.
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
    limit: Option<&str>,
) -> Result<(usize, String), String> {
    runtime.check()?;
    let program = compiler.compile(&paths::tests().join("environment/stack.c"), &[])?;
    let mut command = match limit {
        None => Command::new(program),
        Some(limit) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", "ulimit -S -s $0 && exec $1", limit]).arg(program);
            shell
        }
    };
    runtime.apply(&mut command);
    let outcome = exec::run(command.envs(environment.iter().copied()))?;
    let wanted = |line: &&str| *line == "threads 2";
    let number = |word: &str| -> Option<usize> {
        outcome.stdout.lines().find_map(|line| line.strip_prefix(word)?.parse().ok())
    };
    let size = number("stack ");
    let truly = |said: usize| size.is_some_and(|size| size.abs_diff(said) <= 8192);
    if !number("said ").is_none_or(truly) {
        return Err(outcome.describe());
    }
    match size {
        Some(size) if outcome.success() && outcome.stdout.lines().any(|l| wanted(&l)) => {
            Ok((size, outcome.stderr))
        }
        _ => Err(outcome.describe()),
    }
}

/// Tests that by default a worker has the same stack as on the compiler's own runtime. Where no
/// such thread can start, one with a smaller stack does.
fn limited(compiler: Compiler, (limit, kib, on_stock): Limit) -> Result<(), String> {
    for runtime in [Runtime::Stock, Runtime::Omphalos] {
        let stock = runtime == Runtime::Stock;
        if if stock { !on_stock } else { suite::stock_only() } {
            continue;
        }
        let (size, said) = stack(compiler, &[], &runtime, Some(limit))?;
        if !(kib << 10..(kib << 10) + 8192).contains(&size) || !said.is_empty() {
            return Err(format!("on {}: {size} bytes, said: {said}", runtime.name()));
        }
    }
    Ok(())
}

/// Tests that of several variables the one counts that counts on the compiler's own runtime.
fn first() -> Result<(), String> {
    let set = [("OMP_STACKSIZE", "128"), ("KMP_STACKSIZE", "256k"), ("GOMP_STACKSIZE", "512")];
    for (compiler, kib) in [(Compiler::Gcc, 128), (Compiler::Clang, 256)] {
        for runtime in [Runtime::Stock, Runtime::Omphalos] {
            if runtime == Runtime::Omphalos && suite::stock_only() {
                continue;
            }
            let (size, said) = stack(compiler, &set, &runtime, None)?;
            if !(kib << 10..(kib << 10) + 8192).contains(&size) {
                return Err(format!("on {}: {size} bytes, said: {said}", runtime.name()));
            }
        }
    }
    Ok(())
}
