//! Runs the micro-benchmarks of `bench/micro` on every runtime and prints the ratios.
//!
//! Each compiler makes one binary, which all runtimes get by the loader's path alone. Runs of the
//! runtimes alternate, so that a change of the machine's speed affects all of them; a figure is the
//! median over the runs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::figures::Figures;
use omphalos_tests::floors::{self, Prices};
use omphalos_tests::micro::{self, Settings, Setup};
use omphalos_tests::pack;
use omphalos_tests::peers::contenders;
use omphalos_tests::uneven;

const HELP: &str =
    "usage: bench [--threads N] [--runs N] [--ms N] [--compiler gcc|clang] [--wait P] [--list] \
     [ROW…]

       bench --uneven [--threads N] [--runs N] [--compiler gcc|clang] [--list] [ROW…]
       bench --pack FOLDER

Measures Omphalos beside libgomp, libomp and (OMPHALOS_IOMP5=FILE) libiomp5.
  --threads N   team size (default 2)
  --runs N      processes per runtime (default 5); the median is shown
  --ms N        length of one repetition in milliseconds (default 10)
  --wait P      OMP_WAIT_POLICY of every process: active or passive (default: not set)
  --compiler C  only binaries of this compiler
  --uneven      programs whose work is uneven, with 2, 4 and 8 threads unless told
  --pack FOLDER makes a folder that measures on machines without a compiler
  --list        print the names of the rows, and each one's cost floor
  ROW           rows to run, or words that their names contain (default: all)";

struct Options {
    threads: Option<u32>,
    runs: Option<usize>,
    ms: u32,
    wait: Option<&'static str>,
    compilers: Vec<Compiler>,
    list: bool,
    uneven: bool,
    pack: Option<PathBuf>,
    rows: Vec<String>,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        threads: None,
        runs: None,
        ms: 10,
        wait: None,
        compilers: vec![Compiler::Gcc, Compiler::Clang],
        list: false,
        uneven: false,
        pack: None,
        rows: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = |least: u32| -> Result<u32, String> {
            let text = arguments.next().unwrap_or_default();
            match text.parse() {
                Ok(value) if value >= least => Ok(value),
                _ => Err(format!("{argument} {text}: give a number from {least}")),
            }
        };
        match argument.as_str() {
            "--threads" => options.threads = Some(number(1)?),
            "--runs" => options.runs = Some(number(1)? as usize),
            "--ms" => options.ms = number(1)?,
            "--list" => options.list = true,
            "--uneven" => options.uneven = true,
            "--pack" => {
                options.pack = Some(arguments.next().ok_or("--pack: name a folder")?.into())
            }
            "--wait" => {
                let policy = arguments.next().unwrap_or_default();
                options.wait = Some(match policy.as_str() {
                    "active" => "active",
                    "passive" => "passive",
                    _ => return Err(format!("--wait {policy}: give active or passive")),
                });
            }
            "--compiler" => {
                let name = arguments.next().unwrap_or_default();
                options.compilers.retain(|c| c.name() == name);
                if options.compilers.is_empty() {
                    return Err(format!("--compiler {name}: give gcc or clang"));
                }
            }
            "--help" | "-h" => {
                println!("{HELP}");
                std::process::exit(0);
            }
            _ if argument.starts_with('-') => {
                return Err(format!("{argument}: unknown option\n{HELP}"));
            }
            _ => options.rows.push(argument),
        }
    }
    Ok(options)
}

fn run_uneven(options: &Options) -> Result<(), String> {
    let one = options.threads.map(|threads| [threads]);
    let threads = one.as_ref().map_or(&[2, 4, 8][..], |one| &one[..]);
    let runs = options.runs.unwrap_or(3);
    for &compiler in &options.compilers {
        let choice = uneven::Choice { threads, runs, wait: options.wait, rows: &options.rows };
        if options.list {
            uneven::list(compiler)?;
            return Ok(());
        }
        uneven::run(compiler, &choice)?;
    }
    Ok(())
}

fn run(options: &Options) -> Result<(), String> {
    if let Some(folder) = &options.pack {
        return pack::make(folder, &options.compilers);
    }
    if options.uneven {
        return run_uneven(options);
    }
    let (threads, runs) = (options.threads.unwrap_or(2), options.runs.unwrap_or(5));
    let prices = Prices::measure()?;
    for &compiler in &options.compilers {
        let program = micro::compile(compiler)?;
        let rows = micro::rows(&program, &options.rows)?;
        if options.list {
            print!("{}", floors::explain(&rows, threads));
            return Ok(());
        }
        let contenders: Vec<Setup> =
            contenders(compiler.is_gnu())?.iter().map(Setup::plain).collect();
        let settings = Settings { threads, ms: options.ms, wait: options.wait };
        let mut results = vec![BTreeMap::<String, Vec<f64>>::new(); contenders.len()];
        for round in 0..runs {
            for turn in 0..contenders.len() {
                // A different runtime goes first in each round.
                let index = (turn + round) % contenders.len();
                for each in contenders[index].run(&program, settings, &rows)? {
                    results[index].entry(each.row).or_default().push(each.value);
                }
            }
        }
        let names: Vec<&str> = contenders.iter().map(|each| each.name).collect();
        println!(
            "{} -O2, {} threads, median of {} runs; ratio: ours / the best peer's, least: the same \
             of the least runs; gap: ours / floor",
            compiler.command(),
            threads,
            runs
        );
        println!("{}", prices.describe());
        let figures = Figures { threads, prices, names: &names };
        println!("{}", figures.table(&rows, &results));
    }
    Ok(())
}
