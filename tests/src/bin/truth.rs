//! Compares reports with what programs know of themselves, and prints the differences.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;
use omphalos_tests::program::Program;
use omphalos_tests::truth::pairs::Pair;
use omphalos_tests::truth::sweep::{Comparison, builds, compare};

const HELP: &str = "usage: truth [--all] [--collector] [--build WORDS]… [FOLDER] [NAME…]

Profiles programs that time themselves (default: those of tests/truth), by every compiler and level,
and prints where the report says something else.
  --all          print what is right too
  --collector    profiles through the Collector API of 2007
  --pairs        the programs of tests/pairs instead: what omphalos diff says of five runs each of
                 two that differ in one thing, beside their own clocks; nothing, twenty times
  --build WORDS  only builds whose names contain this: gcc, -O2, 'clang++ -O2'
  FOLDER         other programs than the repository's; one that prints no TRUTH is shown, not judged
  NAME           programs whose names contain this word";

/// Below this share of time with a CPU the machine counts as busy.
const BUSY: f64 = 0.95;

struct Options {
    all: bool,
    pairs: bool,
    profile: Vec<&'static str>,
    builds: Vec<String>,
    folder: PathBuf,
    names: Vec<String>,
}

fn main() -> ExitCode {
    let run = |options: Options| if options.pairs { pairs(&options) } else { run(&options) };
    match options().and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("truth: {message}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    let folder = paths::tests().join("truth");
    let (profile, builds, names) = (Vec::new(), Vec::new(), Vec::new());
    let mut options = Options { all: false, pairs: false, profile, builds, folder, names };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--all" => options.all = true,
            "--pairs" => options.pairs = true,
            "--collector" => options.profile.push("--collector"),
            "--build" => {
                options.builds.push(arguments.next().ok_or("--build: name a part of a build")?);
            }
            "-h" | "--help" => return Err(HELP.into()),
            word if word.starts_with('-') => return Err(format!("{word}: unknown\n\n{HELP}")),
            folder if Path::new(folder).is_dir() => options.folder = folder.into(),
            name => options.names.push(name.into()),
        }
    }
    Ok(options)
}

fn run(options: &Options) -> Result<(), String> {
    let (mut compared, mut off, mut busy, mut failed) = (0, 0, 0, 0);
    println!(
        "{:<22} {:<12} {:<20} {:>12} {:>12} {:>9}  CPU",
        "program", "build", "figure", "truth", "report", "off"
    );
    for source in sources(options)? {
        let program = Program::read(&source)?;
        for build in builds(&program) {
            let name = build.name();
            if !options.builds.is_empty() && !options.builds.iter().any(|b| name.contains(b)) {
                continue;
            }
            match compare(&program, build, &options.profile) {
                Ok(comparison) => {
                    compared += comparison.rows.len();
                    let wrong = comparison.rows.iter().filter(|row| !row.is_right).count();
                    off += wrong;
                    busy += if comparison.cpu_share < BUSY { wrong } else { 0 };
                    print(options, &program.name, &name, &comparison);
                }
                Err(message) => {
                    failed += 1;
                    println!("{:<22} {name:<12} {message}", program.name);
                }
            }
        }
    }
    println!(
        "{compared} compared, {off} off, {busy} of them while the machine was busy; {failed} \
         programs failed"
    );
    Ok(())
}

/// The allowed error of diff's change, as a share of the true change …
const NEAR: f64 = 0.05;
/// … plus so many seconds, for the profiler itself, and for the begin and end of the clock.
const ASIDE: f64 = 0.003;

fn pairs(options: &Options) -> Result<(), String> {
    let (mut compared, mut off, mut busy) = (0, 0, 0);
    for pair in Pair::all()? {
        let name = pair.name();
        if !options.names.is_empty() && !options.names.iter().any(|part| name.contains(part)) {
            continue;
        }
        for number in 0..if pair.verdict == "same" && name == "nothing" { 20 } else { 1 } {
            let said = pair.compare(Compiler::Gcc, 5, number)?;
            let mut wrong = pair.faults(&said);
            wrong.extend(pair.unsaid(&said).iter().map(|part| format!("it does not say {part}")));
            let far = (said.change() - said.truth).abs();
            if pair.verdict != "same" && far > NEAR * said.truth.abs() + ASIDE {
                wrong.push(format!("the clocks say {:+.4} s", said.truth));
            }
            compared += 1;
            off += usize::from(!wrong.is_empty());
            busy += usize::from(!wrong.is_empty() && said.verdict() == "inconclusive");
            println!("{name:<12} {:+.4} s, by the clocks {:+.4}", said.change(), said.truth);
            println!("             {}", said.sentence());
            wrong.iter().for_each(|fault| println!("             OFF: {fault}"));
        }
    }
    println!("{compared} compared, {off} off, {busy} of them while the machine was busy");
    Ok(())
}

fn print(options: &Options, program: &str, build: &str, comparison: &Comparison) {
    let share = comparison.cpu_share;
    let busy = if share < BUSY { "  busy" } else { "" };
    for row in comparison.rows.iter().filter(|row| options.all || !row.is_right) {
        println!(
            "{program:<22} {build:<12} {:<20} {:>12} {:>12} {:>9}  {:.0} %{busy}{}",
            row.what,
            row.truth,
            row.report,
            row.off,
            share * 100.0,
            if row.is_right { "" } else { "  OFF" },
        );
    }
    if options.all || comparison.rows.is_empty() {
        println!(
            "{program:<22} {build:<12} finds {}  {:.0} %{busy}",
            comparison.verdict,
            share * 100.0
        );
    }
}

fn sources(options: &Options) -> Result<Vec<PathBuf>, String> {
    let folder = &options.folder;
    let at = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(at)? {
        let path = entry.map_err(at)?.path();
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let is_wanted = stem.is_some_and(|stem| {
            !stem.contains('.')
                && (options.names.is_empty() || options.names.iter().any(|n| stem.contains(n)))
        });
        // Programs that do not time themselves are left out: they may hang, or need a person's
        // input.
        let is_timed = || {
            std::fs::read_to_string(&path).is_ok_and(|text| {
                ["TRUTH", "truth", "own_clock"].iter().any(|word| text.contains(word))
            })
        };
        if is_wanted && !Compiler::of_source(&path).is_empty() && is_timed() {
            sources.push(path);
        }
    }
    sources.sort();
    Ok(sources)
}
