//! Test suites that others wrote, run on the compiler's own runtime and on ours. `src/bin/suite.rs`
//! calls them.
//!
//! The user gives a checkout of the suite (docs/suites.md); nothing of it is part of this
//! repository. Each suite turns its files into [`Case`]s: a shell script that compiles and runs,
//! and the result that it must have.
//!
//! What must hold: both runtimes get the same compiler, flags, environment and time; a case that
//! does not build, or that its own directives exclude here, counts for neither.

pub mod case;
pub mod libgomp;
pub mod lit;
pub mod llvm;
pub mod options;
pub mod programs;
pub mod report;
pub mod toolchain;
pub mod vv;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::runtime::Runtime;
use case::{Case, Verdict};
use options::{Options, Suite};

/// Verdicts by the name of the case.
pub type Verdicts = BTreeMap<String, Verdict>;

/// Runs the chosen suite as `options` say, and prints the differences. Returns whether everything
/// that passes on the stock runtime passes on ours too.
pub fn run(options: &Options) -> Result<bool, String> {
    let cases = match options.suite {
        Suite::Llvm => llvm::cases(options),
        Suite::Vv => vv::cases(options),
        Suite::Libgomp => libgomp::cases(options),
        Suite::Programs => return programs::run(options),
    }?;
    let cases: Vec<Case> = cases.into_iter().filter(|c| options.chosen(&c.name)).collect();
    if cases.is_empty() {
        return Err(format!("{}: no test of that name there", options.from.display()));
    }
    let stock = match &options.stock {
        Some(folder) => Runtime::Directory(folder.clone()),
        None => Runtime::Stock,
    };
    let mut results = Vec::new();
    for (name, runtime, wanted) in
        [("stock", stock, options.stock_too), ("ours", Runtime::Omphalos, options.ours_too)]
    {
        let kept = report::file(options, name);
        let mut verdicts = report::load(&kept);
        if wanted {
            runtime.check()?;
            verdicts.extend(run_all(options, name, &runtime, &cases)?);
            report::store(&kept, &verdicts)?;
        }
        verdicts.retain(|name, _| cases.iter().any(|c| c.name == *name));
        results.push(verdicts);
    }
    Ok(report::print(options, &results[0], &results[1]))
}

fn run_all(
    options: &Options,
    name: &str,
    runtime: &Runtime,
    cases: &[Case],
) -> Result<Verdicts, String> {
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(Verdicts::new());
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let verdict = case.run(options, name, runtime);
                    if options.verbose {
                        eprintln!("{name}: {}: {verdict}", case.name);
                    }
                    verdicts.lock().expect("no holder panics").insert(case.name.clone(), verdict);
                }
            });
        }
    });
    eprintln!("{name}: {} tests in {:.0} s", cases.len(), started.elapsed().as_secs_f64());
    Ok(verdicts.into_inner().expect("no holder panics"))
}
