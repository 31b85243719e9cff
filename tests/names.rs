//! Compilers give their own names to the code of constructs. Reports have the author's names alone,
//! whatever the compiler, its version and its level of optimisation.

use std::collections::BTreeSet;
use std::process::ExitCode;

use omphalos_tests::program::Program;
use omphalos_tests::truth::sweep::{Build, builds, profile};
use omphalos_tests::{paths, suite};
use serde_json::Value;

/// Programs of `truth` that together have all constructs and functions whose names matter.
const PROGRAMS: [&str; 14] = [
    "combiner.cpp", "constructs_each.c", "contained.f90", "copyprivate.c", "functor_inline.cpp",
    "generic_lambda.cpp", "modules_generic.f90", "nested_three.c", "task_diamond.c",
    "task_tree.cpp", "taskloop_regions.c", "templates.cpp", "teams_host.c", "workshare.f90",
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for name in PROGRAMS {
        let program = match Program::read(&paths::tests().join("truth").join(name)) {
            Ok(program) => program,
            Err(error) => {
                trials.push(suite::test(format!("names::{name}"), || Err(error)));
                continue;
            }
        };
        for build in builds(&program) {
            let title = format!("names::{}::{}", program.name, build.name().replace(' ', ""));
            let program = program.clone();
            trials.push(suite::test(title, move || has_written_names(&program, build)));
        }
    }
    suite::main(trials)
}

fn has_written_names(program: &Program, build: Build) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let source = &program.source;
    let mut text = String::new();
    for path in
        [source.clone(), source.with_file_name("truth.h"), source.with_file_name("truth.inc")]
    {
        let part = std::fs::read_to_string(&path);
        text += &part.map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let (_, report) = profile(program, build, &[])?;
    let mut names = Vec::new();
    functions(&report, &mut names);
    if !names.iter().any(|(_, file)| file.is_some_and(|file| source.ends_with(file))) {
        return Err(format!("no function of {} is in the report", source.display()));
    }
    let mut libraries = BTreeSet::new();
    of_libraries(&report["call_tree"], false, &mut libraries);
    let is_of_program = |file: Option<&str>| file.is_none_or(|file| source.ends_with(file));
    names.retain(|(name, file)| is_of_program(*file) && !is_of_library(name));
    names.retain(|(name, file)| file.is_some() || !libraries.contains(name));
    names.retain(|(name, _)| !is_written(name, &text));
    names.dedup();
    if names.is_empty() { Ok(()) } else { Err(format!("nobody wrote these: {names:?}")) }
}

/// Collects the functions that a report names, each with its file if the report says one.
fn functions<'a>(value: &'a Value, found: &mut Vec<(&'a str, Option<&'a str>)>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| functions(value, found)),
        Value::Object(fields) => {
            if let Some(name) = value["function"].as_str() {
                found.push((name, value["file"].as_str()));
            }
            if value["kind"] == "function" {
                found.extend(value["name"].as_str().map(|name| (name, None)));
            }
            fields.values().for_each(|value| functions(value, found));
        }
        _ => {}
    }
}

/// Collects the functions of the system's libraries, and of a language's library that is linked
/// into the program, with everything that the latter calls.
fn of_libraries<'a>(node: &'a Value, within: bool, found: &mut BTreeSet<&'a str>) {
    let name = node["name"].as_str().unwrap_or_default();
    let is_of_language = ["_FortranA", "_gfortran_"].iter().any(|begin| name.starts_with(begin));
    let within = within || is_of_language;
    if within || node["kind"] == "system" {
        found.insert(name);
    }
    let children = node["children"].as_array();
    children.into_iter().flatten().for_each(|child| of_libraries(child, within, found));
}

/// Whether a name is a place in a library without symbols: `libgfortran.so.5+0x26bea0`.
fn is_of_library(name: &str) -> bool {
    name.split_once("+0x").is_some_and(|(file, _)| file.contains(".so"))
}

/// Code that compilers link into each program: it runs before `main` and after it.
const OF_START_AND_END: [&str; 4] = ["_init", "_fini", "frame_dummy", "__do_global_dtors_aux"];

/// Whether a name is made of words of the source; C++'s library has words of its own.
fn is_written(name: &str, text: &str) -> bool {
    let is_known = ["", "main program"].contains(&name) || OF_START_AND_END.contains(&name);
    if is_known || name.starts_with("std::") {
        return true;
    }
    // The arguments of templates stand in angle brackets: leave them out.
    let mut depth = 0_u32;
    let mut plain = String::new();
    for letter in name.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    plain.split("::").all(|part| {
        let is_lambda = part.starts_with("{lambda#") && part.ends_with('}');
        let is_operator = part.starts_with("operator") && text.contains(part);
        // A lambda's own operator has no name in the source.
        let is_called = is_lambda || part == "operator()";
        is_called || is_operator || words(text).any(|word| word.eq_ignore_ascii_case(part))
    })
}

/// Splits a text of a programming language into its words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter != '_' && !letter.is_ascii_alphanumeric())
}
