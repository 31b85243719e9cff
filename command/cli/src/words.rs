//! The first word of a command that is no program: a misspelled option, or the file of an option
//! that takes its file after `=`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::CommandFactory;

use crate::failure::Failure;
use crate::program;

/// Names with at least this likeness are taken for each other, as in clap.
const ALIKE: f64 = 0.8;

/// Finds the program that `verb` is to run. `bare`: options that were given without `=FILE`.
pub fn program(verb: &str, command: &[OsString], bare: &[&str]) -> Result<PathBuf, Failure> {
    let word = &command[0];
    program::find(word).map_err(|failure| {
        let word = word.to_string_lossy();
        match bare.first() {
            _ if word.starts_with('-') => no_option(verb, &word),
            Some(option) => {
                let message = format!("{}{}", failure.message, behind_equals(option, &word));
                Failure { message, ..failure }
            }
            None => failure,
        }
    })
}

/// Returns the hint for an option that takes its file after `=`, to follow the complaint about
/// `word`.
pub fn behind_equals(option: &str, word: &str) -> String {
    format!("; if {option} is to write that file, say {option}={word}")
}

fn no_option(verb: &str, word: &str) -> Failure {
    let name = word.split('=').next().unwrap_or(word);
    let all = crate::Arguments::command();
    let options = all.find_subcommand(verb).map(|verb| verb.get_arguments());
    let known: Vec<String> = options
        .into_iter()
        .flatten()
        .filter_map(|option| option.get_long())
        .map(String::from)
        .collect();
    let likeness = |option: &str| strsim::jaro_winkler(option, name.trim_start_matches('-'));
    let nearest = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let hint = match nearest.filter(|option| likeness(option) > ALIKE) {
        Some(option) => format!("did you mean --{option}?"),
        None => format!("`omphalos {verb} --help` lists them"),
    };
    Failure::ours(format!("{name} is no option of `omphalos {verb}`: {hint}"))
}
