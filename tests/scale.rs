//! Programs with known limits: `omphalos scale` names them whatever else the machine does, or says
//! that the machine is busy. It also reports outputs and exit statuses that differ, and refuses
//! commands that ask for something impossible.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::truth::schema;
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

/// The time limit. A run takes less than a second, and far longer where other programs have the
/// CPUs.
const LIMIT: Duration = Duration::from_secs(180);

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for source in programs().unwrap_or_default() {
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let title = format!("scale::limits::{name}::{}", compiler.name());
            let source = source.clone();
            trials.push(suite::test(title, move || names_the_limit(&source, compiler)));
        }
    }
    trials.push(suite::test("scale::says_what_differs".to_owned(), says_what_differs));
    trials.push(suite::test("scale::keeps_profiles".to_owned(), keeps_profiles));
    trials.push(suite::test("scale::refuses".to_owned(), refuses));
    libtest_mimic::run(&suite::arguments(), trials).exit_code()
}

fn programs() -> Result<Vec<PathBuf>, String> {
    let folder = paths::tests().join("limits");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let files = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut sources: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    sources.sort();
    Ok(sources)
}

/// Finds the text of the program's comment `// mark: text`.
fn marked(text: &str, mark: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("// {mark}: ")))?;
    Some(line.trim().to_owned())
}

/// Runs `omphalos scale` in a folder; the last of `words` are the program and its own arguments.
fn scale(folder: &Path, words: &[&str]) -> Result<exec::Outcome, String> {
    let mut command = Command::new(paths::omphalos());
    command.arg("scale").args(words).current_dir(folder).env("OMP_DYNAMIC", "false");
    exec::run_within(&mut command, LIMIT)
}

fn read(outcome: &exec::Outcome) -> Result<Value, String> {
    let json: Value = serde_json::from_str(&outcome.stdout)
        .map_err(|e| format!("{e}: {}", outcome.describe()))?;
    let faults = schema::faults_of("scale", &json);
    if faults.is_empty() { Ok(json) } else { Err(format!("{faults:#?} in {json:#}")) }
}

fn built(folder: &Path, source: &Path, compiler: Compiler) -> Result<(), String> {
    let program = compiler.compile_with(source, &["-O1", "-g", "-fopenmp"])?;
    fs::copy(program, folder.join("app")).map(drop).map_err(|e| e.to_string())
}

fn names_the_limit(source: &Path, compiler: Compiler) -> Result<(), String> {
    let text = fs::read_to_string(source).map_err(|e| e.to_string())?;
    let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = paths::scratch(&format!("scale-{name}-{}", compiler.name()));
    built(&folder, source, compiler)?;
    let sizes = marked(&text, "sizes").unwrap_or_else(|| "1,2".to_owned());
    let words = ["--repeat", "1", "--json", "./app", "-t", &sizes];
    let json = read(&scale(&folder, &words)?)?;
    let _ = fs::remove_dir_all(&folder);
    let limit = json["limit"].as_str().unwrap_or_default();
    let list = |name: &str| json[name].as_array().map_or(&[][..], Vec::as_slice);
    let is_busy = list("sizes").iter().any(|size| size["is_busy"] == true);
    let is_undecided = is_busy && limit == "busy-machine";
    if let Some(wanted) = marked(&text, "cause") {
        let has = list("causes").iter().any(|cause| cause["limit"] == wanted.as_str());
        let fault = || Err(format!("{wanted} is no cause: {json:#}"));
        return if has || is_undecided { Ok(()) } else { fault() };
    }
    let Some(wanted) = marked(&text, "limit") else { return Ok(()) };
    let processors = json["machine"]["cpus"].as_array().map_or(1, Vec::len);
    match limit {
        limit if wanted.split(" or ").any(|wanted| wanted == limit) => Ok(()),
        _ if is_undecided => Ok(()),
        "oversubscription" if processors < 2 => Ok(()),
        "none" if processors >= 64 => Ok(()),
        _ => Err(format!("it is {limit}, not {wanted}: {json:#}")),
    }
}

/// A program that, as its first argument asks, behaves differently with more than one thread: it
/// prints another word or another number, or has another exit status.
const OTHER: &str = r#"
#include <omp.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    int threads = 0, is_more, line;
    #pragma omp parallel reduction(+ : threads)
    threads++;
    is_more = omp_get_max_threads() > 1;
    puts("begins");
    if (argc > 1 && !strcmp(argv[1], "word"))
        puts(is_more ? "many" : "one");
    if (argc > 1 && !strcmp(argv[1], "number"))
        printf("sum %.3f\n", is_more ? 1.001 : 1.0);
    if (argc > 1 && !strcmp(argv[1], "input"))
        while ((line = getchar()) != EOF)
            putchar(line);
    return argc > 1 && !strcmp(argv[1], "status") && is_more ? 3 : 0;
}
"#;

fn other(name: &str) -> Result<PathBuf, String> {
    let folder = paths::scratch(name);
    let source = folder.join("other.c");
    fs::write(&source, OTHER).map_err(|e| e.to_string())?;
    built(&folder, &source, Compiler::Gcc).map(|()| folder)
}

fn says_what_differs() -> Result<(), String> {
    let folder = other("scale-differs")?;
    let run = |what: &str| {
        scale(&folder, &["--repeat", "1", "-o", "runs", "--json", "-t", "1,2", "./app", what])
    };
    let expect = |is: bool, what: &str, outcome: &exec::Outcome| match is {
        true => Ok(()),
        false => Err(format!("{what}: {}", outcome.describe())),
    };
    let same = run("nothing")?;
    let outputs = &read(&same)?["outputs"];
    let is_none = ["at_one_size", "between_sizes", "ends"]
        .iter()
        .all(|list| outputs[list].as_array().is_some_and(Vec::is_empty));
    expect(is_none && same.success(), "the same", &same)?;
    let word = run("word")?;
    let found = &read(&word)?["outputs"]["between_sizes"][0];
    let says = found["line"] == 2 && found["first"] == "one" && found["other"] == "many";
    expect(says && found["threads"] == 2 && word.success(), "a word", &word)?;
    let number = run("number")?;
    let by = read(&number)?["outputs"]["between_sizes"][0]["numbers_by"].as_f64();
    expect(by.is_some_and(|by| (0.0009..0.0011).contains(&by)), "a number", &number)?;
    let status = run("status")?;
    let end = &read(&status)?["outputs"]["ends"][0];
    let says = end["threads"] == 2 && end["end"] == "exit status 3";
    expect(says && status.status.code() == Some(3), "a status", &status)?;
    // Each run reads a file from its start.
    fs::write(folder.join("input"), "a line\n").map_err(|e| e.to_string())?;
    let mut command = Command::new(paths::omphalos());
    command.args(["scale", "--repeat", "2", "-o", "runs", "--json", "./app", "input", "-t", "1,2"]);
    let input = fs::File::open(folder.join("input")).map_err(|e| e.to_string())?;
    command.stdin(input).current_dir(&folder);
    let outcome = exec::run_within(&mut command, LIMIT)?;
    let outputs = &read(&outcome)?["outputs"];
    let is_same = outputs["between_sizes"].as_array().is_some_and(Vec::is_empty)
        && outputs["at_one_size"].as_array().is_some_and(Vec::is_empty);
    expect(is_same, "the input", &outcome)?;
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

/// Tests that the profiles of each size are kept for the other verbs.
fn keeps_profiles() -> Result<(), String> {
    let folder = other("scale-keeps")?;
    let outcome = scale(&folder, &["--repeat", "2", "-o", "runs", "-t", "1,2", "./app", "word"])?;
    let text = &outcome.stdout;
    let has = ["another one than with 1", "Factors of the efficiency", "Speedup: * measured"];
    if !outcome.success() || has.iter().any(|part| !text.contains(part)) {
        return Err(outcome.describe());
    }
    // The program's own output is not shown.
    if text.lines().any(|line| line == "begins") {
        return Err(format!("the program's own output is shown: {text}"));
    }
    for words in [&["report", "runs/threads-2"][..], &["diff", "runs/threads-1", "runs/threads-2"]]
    {
        let mut command = Command::new(paths::omphalos());
        let outcome = exec::run_within(command.args(words).current_dir(&folder), LIMIT)?;
        if !outcome.success() {
            return Err(outcome.describe());
        }
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

fn refuses() -> Result<(), String> {
    let folder = other("scale-refuses")?;
    fs::create_dir_all(folder.join("mine")).map_err(|e| e.to_string())?;
    fs::write(folder.join("mine/notes.txt"), "x").map_err(|e| e.to_string())?;
    fs::write(folder.join("plain.c"), "int main(void) { return 0; }\n")
        .map_err(|e| e.to_string())?;
    let plain = Compiler::Gcc.compile_with(&folder.join("plain.c"), &["-O1"])?;
    fs::copy(plain, folder.join("plain")).map_err(|e| e.to_string())?;
    let cases: [(&[&str], &str); 5] = [
        (&["-t", "1,0", "./app"], "say numbers of threads"),
        (&["./app", "-t", "1,2", "--repeat", "2"], "before the program"),
        (&["-o", "mine", "./app"], "other files than runs"),
        (&["-t", "1", "-o", "new", "./plain"], "no OpenMP was used"),
        (&["-t", "1", "--json=mine/notes.txt", "./app"], "mine/notes.txt"),
    ];
    for (words, says) in cases {
        let outcome = scale(&folder, words)?;
        if outcome.success() || !outcome.stderr.contains(says) {
            return Err(format!("{words:?} does not say {says}: {}", outcome.describe()));
        }
    }
    if folder.join("new").exists() {
        return Err("a folder without a profile is left".to_owned());
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}
