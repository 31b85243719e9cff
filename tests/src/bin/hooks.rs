//! Measures the cost of the hooks for tools: `cargo xtask bench hooks`.
//!
//! Every contender runs the same binary; their runs alternate, so that a change of the machine's
//! speed affects all of them. callgrind counts instructions, where it is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::hook_cost::{self, Found, Heard, Rows};
use omphalos_tests::micro::{self, PROCESS_START, Settings, Setup};
use omphalos_tests::peers::Contender;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths};

const HELP: &str = "usage: hooks [--threads N] [--runs N] [--ms N] [--compiler gcc|clang] [ROW…]

Measures what the hooks cost without a tool, against the library in OMPHALOS_NO_HOOKS, and with
tools whose callbacks do nothing, beside libomp and (OMPHALOS_IOMP5=FILE) libiomp5.";

/// Rows that callgrind does not count: they need several threads, or depend on time.
const UNCOUNTED: &[&str] = &[
    "first_region", "nested_2x2", "parallel_resize", "parallel_work10us", "task_producer_1us",
    "for_dynamic1_100ns", "critical_work",
];
/// The number of operations of a row that callgrind counts.
const OPERATIONS: &str = "2000";
const LIMIT: Duration = Duration::from_secs(300);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("hooks: {message}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    settings: Settings,
    runs: u32,
    compilers: Vec<Compiler>,
    rows: Vec<String>,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        settings: Settings { threads: 2, ms: 5, wait: None },
        runs: 5,
        compilers: vec![Compiler::Clang, Compiler::Gcc],
        rows: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        let number = |text: String| match text.parse::<u32>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("{argument} {text}: give a number from 1")),
        };
        match argument.as_str() {
            "--threads" => options.settings.threads = number(value())?,
            "--runs" => options.runs = number(value())?,
            "--ms" => options.settings.ms = number(value())?,
            "--compiler" => {
                let name = value();
                options.compilers.retain(|compiler| compiler.name() == name);
                if options.compilers.is_empty() {
                    return Err(format!("--compiler {name}: give gcc or clang"));
                }
            }
            _ if argument.starts_with('-') => return Err(format!("{argument}: {HELP}")),
            _ => options.rows.push(argument),
        }
    }
    Ok(options)
}

fn run() -> Result<(), String> {
    let options = options()?;
    Runtime::Omphalos.check()?;
    for &compiler in &options.compilers {
        let program = micro::compile(compiler)?;
        let mut rows = micro::rows(&program, &options.rows)?;
        rows.retain(|row| row != PROCESS_START && row != "first_region");
        measure(compiler, &program, &options, &rows)?;
    }
    Ok(())
}

/// Compiles a tool of `bench/tools`.
fn tool(source: &str, define: &str) -> Result<PathBuf, String> {
    let root = paths::repository();
    let include = format!("-I{}", root.join("runtime/abi/include").display());
    let mut flags = vec!["-O2", "-shared", "-fPIC", &include];
    if !define.is_empty() {
        flags.push(define);
    }
    Compiler::Gcc.compile_with(&root.join("bench/tools").join(source), &flags)
}

fn measure(
    compiler: Compiler,
    program: &Path,
    options: &Options,
    rows: &[String],
) -> Result<(), String> {
    let every = tool("ompt5.c", "")?;
    let counting = tool("ompt5.c", "-DCOUNT")?;
    let one = tool("ompt5.c", "-DONLY=ompt_callback_thread_begin")?;
    let plain = |name, runtime| Setup::plain(&Contender { name, runtime });
    let ours = plain("omphalos", Runtime::Omphalos);
    let mut two = ours.with_tool("two OMPT tools", &every);
    // A second file, since the loader loads each file only once.
    two.second_tool = Some(tool("ompt5.c", "-DSECOND")?);
    let peers = micro::llvm_peers(compiler)?;
    let mut contenders = vec![
        ours.with_tool("every callback", &every),
        ours.with_tool("thread_begin", &one),
        two,
        ours.with_tool("OMPT 2016", &tool("ompt2016.c", "")?),
        ours.with_tool("Collector API", &tool("collector.c", "")?),
    ];
    let with_tool: Vec<Setup> =
        peers.iter().map(|peer| peer.with_tool("with the tool", &every)).collect();
    let without = std::env::var_os("OMPHALOS_NO_HOOKS").filter(|path| !path.is_empty());
    let counts = |contender: &Setup| -> Result<Rows, String> {
        let settings = Settings { ms: 1, ..options.settings };
        let measured = contender.with_tool("counting", &counting).run(program, settings, rows)?;
        Ok(measured.into_iter().filter_map(|each| Some((each.row, each.events?))).collect())
    };
    let mut events = vec![counts(&ours)?];
    for peer in &peers {
        events.push(counts(peer)?);
    }
    let tools = contenders.len();
    contenders.insert(0, ours);
    contenders.extend(peers);
    contenders.extend(with_tool);
    if let Some(folder) = without {
        contenders.push(plain("no hooks", Runtime::Directory(folder.into())));
    }
    let found = all(program, options, rows, &contenders)?;
    println!(
        "{} -O2, {} threads, {} runs",
        compiler.command(),
        options.settings.threads,
        options.runs
    );
    if let Some(without) = found.iter().find(|each| each.name == "no hooks") {
        println!("\n{}", hook_cost::idle(rows, without, &found[0]));
    }
    let peers = events.len() - 1;
    let runtimes: Vec<Heard<'_>> = events
        .into_iter()
        .enumerate()
        .map(|(index, events)| {
            let (alone, heard) = match index {
                0 => (0, 1),
                _ => (tools + index, tools + peers + index),
            };
            Heard { alone: &found[alone], heard: &found[heard], events }
        })
        .collect();
    println!("{}", hook_cost::every_callback(rows, &runtimes));
    let others: Vec<&Found> = found[2..=tools].iter().collect();
    println!("{}", hook_cost::other_tools(rows, &found[0], &others));
    Ok(())
}

/// Measures times and instructions of all contenders.
fn all(
    program: &Path,
    options: &Options,
    rows: &[String],
    contenders: &[Setup],
) -> Result<Vec<Found>, String> {
    let mut found: Vec<Found> =
        contenders.iter().map(|each| Found { name: each.name, ..Found::default() }).collect();
    for round in 0..options.runs as usize {
        for turn in 0..contenders.len() {
            // A different contender goes first in each round.
            let index = (turn + round) % contenders.len();
            for each in contenders[index].run(program, options.settings, rows)? {
                found[index].times.entry(each.row).or_default().push(each.value);
            }
        }
    }
    for (contender, found) in contenders.iter().zip(&mut found) {
        found.instructions = instructions(contender, program, rows)?;
    }
    Ok(found)
}

/// Counts instructions per operation, by row, with one thread; empty without callgrind.
fn instructions(contender: &Setup, program: &Path, rows: &[String]) -> Result<Rows, String> {
    let folder = paths::scratch("hooks callgrind");
    let counted = rows.iter().filter(|row| !UNCOUNTED.contains(&row.as_str()));
    let mut command = Command::new("valgrind");
    contender.command(&mut command, Settings { threads: 1, ms: 1, wait: None });
    command.arg("--tool=callgrind");
    command.arg(format!("--callgrind-out-file={}", folder.join("out").display()));
    command.arg(program).args(counted).env("BENCH_OPS", OPERATIONS);
    let Ok(outcome) = exec::run_within(&mut command, LIMIT) else { return Ok(Rows::new()) };
    let operations: Rows = outcome
        .stdout
        .lines()
        .filter_map(|line| line.split_once(" ops "))
        .filter_map(|(row, count)| Some((row.to_owned(), count.parse().ok()?)))
        .collect();
    let mut result = Rows::new();
    for entry in std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
        let path = entry.map_err(|e| e.to_string())?.path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let after = |word: &str| {
            text.lines().find_map(|line| line.strip_prefix(word)).map(|rest| rest.trim().to_owned())
        };
        let row = after("desc: Trigger: Client Request:");
        let total = after("totals:").or_else(|| after("summary:"));
        if let (Some(row), Some(total)) = (row, total.and_then(|total| total.parse::<f64>().ok()))
            && let Some(count) = operations.get(&row)
        {
            result.insert(row, total / count);
        }
    }
    Ok(result)
}
