//! The command line of `suite`.

use std::path::PathBuf;
use std::time::Duration;

use super::toolchain::Toolchain;
use crate::paths;

/// The text of `suite --help`.
pub const HELP: &str = "\
usage: suite llvm|vv|libgomp|programs --from FOLDER [OPTIONS]

Runs a checkout of somebody else's test suite on the compiler's own runtime and on Omphalos.
  llvm     FOLDER is LLVM's openmp/runtime/test
  vv       FOLDER is a checkout of OpenMP_VV
  libgomp  FOLDER is GCC's libgomp/testsuite
  programs FOLDER holds checkouts of BOTS, NPB3.0-omp-C and LULESH; they are timed

  --cc COMMAND     gcc (the default), clang-19, a path; its C++ and Fortran follow from it
  --flags WORDS    more flags for every compilation
  --filter WORD    only tests whose name holds the word; may be given again: any of them
  --without WORD   no tests whose name holds the word; may be given again
  --only stock|ours  run on one runtime; compare with what the other did last
  --stock FOLDER   what to compare with, instead of the compiler's own runtime
  --limit SECONDS  for one run of a program (default 20)
  --jobs N         tests at a time (default 2)
  --rounds N       runs of a program on each runtime (programs; default 9)
  --unsupported    run also what the suite's own directives exclude here
  --keep           leave the programs and what they printed in target/suites
  --verbose        say each verdict at once";

/// The suite to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// LLVM's `openmp/runtime/test`.
    Llvm,
    /// OpenMP_VV.
    Vv,
    /// GCC's `libgomp/testsuite`.
    Libgomp,
    /// Whole programs, which are timed.
    Programs,
}

/// The command line.
#[derive(Debug)]
pub struct Options {
    /// The suite.
    pub suite: Suite,
    /// The checkout.
    pub from: PathBuf,
    /// The compilers.
    pub tools: Toolchain,
    /// More flags for every compilation, as words.
    pub flags: String,
    /// Run only tests whose names contain one of these; empty: all.
    pub filters: Vec<String>,
    /// Leave out tests whose names contain one of these.
    pub without: Vec<String>,
    /// The folder of the runtime to compare with, if it is not the compiler's own.
    pub stock: Option<PathBuf>,
    /// Run on that runtime; if not, compare with its last verdicts.
    pub stock_too: bool,
    /// Run on Omphalos; if not, compare with its last verdicts.
    pub ours_too: bool,
    /// The time limit of one run of a program.
    pub limit: Duration,
    /// The number of tests that run at the same time.
    pub jobs: usize,
    /// The number of times that each of the `programs` runs on each runtime.
    pub rounds: usize,
    /// Run also what the suite's own directives exclude.
    pub unsupported: bool,
    /// Keep the programs and their output.
    pub keep: bool,
    /// Print each verdict at once.
    pub verbose: bool,
    /// The folder where programs are built and verdicts are kept.
    pub work: PathBuf,
}

impl Options {
    /// Reads the arguments.
    pub fn read(arguments: impl IntoIterator<Item = String>) -> Result<Options, String> {
        let mut arguments = arguments.into_iter();
        let suite = match arguments.next().as_deref() {
            Some("llvm") => Suite::Llvm,
            Some("vv") => Suite::Vv,
            Some("libgomp") => Suite::Libgomp,
            Some("programs") => Suite::Programs,
            _ => return Err(HELP.into()),
        };
        let (mut from, mut cc, mut only) = (None, "gcc".to_string(), None);
        let (mut flags, mut stock) = (String::new(), None);
        let (mut filters, mut without) = (Vec::new(), Vec::new());
        let (mut limit, mut jobs, mut rounds) = (20, 2, 9);
        let (mut unsupported, mut keep, mut verbose) = (false, false, false);
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().ok_or_else(|| format!("{argument}: a value is missing"));
            let number = |text: String| match text.parse::<u64>() {
                Ok(number) if number > 0 => Ok(number),
                _ => Err(format!("{argument} {text}: give a number from 1")),
            };
            match argument.as_str() {
                "--from" => from = Some(PathBuf::from(value()?)),
                "--cc" => cc = value()?,
                "--flags" => flags = value()?,
                "--filter" => filters.push(value()?),
                "--without" => without.push(value()?),
                "--only" => only = Some(value()?),
                "--stock" => stock = Some(PathBuf::from(value()?)),
                "--limit" => limit = number(value()?)?,
                "--rounds" => rounds = number(value()?)? as usize,
                "--jobs" => jobs = number(value()?)? as usize,
                "--unsupported" => unsupported = true,
                "--keep" => keep = true,
                "--verbose" => verbose = true,
                other => return Err(format!("{other}: unknown\n{HELP}")),
            }
        }
        let from = from.ok_or("--from FOLDER is missing: where the suite lies")?;
        let from = from.canonicalize().map_err(|e| format!("--from {}: {e}", from.display()))?;
        let (stock_too, ours_too) = match only.as_deref() {
            None => (true, true),
            Some("stock") => (true, false),
            Some("ours") => (false, true),
            Some(other) => return Err(format!("--only {other}: give stock or ours")),
        };
        let work = paths::cache().with_file_name("suites");
        let (tools, limit) = (Toolchain::of(&cc)?, Duration::from_secs(limit));
        Ok(Options {
            suite,
            from,
            tools,
            flags,
            filters,
            without,
            stock,
            stock_too,
            ours_too,
            limit,
            jobs,
            rounds,
            unsupported,
            keep,
            verbose,
            work,
        })
    }

    /// Whether a test of this name is to be run.
    pub fn chosen(&self, name: &str) -> bool {
        let holds = |words: &[String]| words.iter().any(|w| name.contains(w.as_str()));
        (self.filters.is_empty() || holds(&self.filters)) && !holds(&self.without)
    }
}
