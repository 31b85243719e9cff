//! Names what `omphalos doctor --placement` cannot know, because it decides about places only when
//! the program starts: a command in front of the program (`taskset -c 0 ./app`), or settings in its
//! script.

use std::ffi::OsString;
use std::path::Path;

use super::own_runtimes;
use crate::{program, script};

/// Returns the problem, if there is one. `program` was found by the first of `words`.
pub fn problem(words: &[OsString], program: &Path) -> Option<String> {
    behind_command(words, program).or_else(|| by_script(program))
}

/// Returns the problem if the first word is a command without an OpenMP runtime, and a later word
/// is the name of a program with one.
fn behind_command(words: &[OsString], program: &Path) -> Option<String> {
    if !own_runtimes(program).is_empty() {
        return None;
    }
    let uses_openmp =
        |word: &OsString| program::find_any(word).is_ok_and(|path| !own_runtimes(&path).is_empty());
    let at = 1 + words.iter().skip(1).position(uses_openmp)?;
    let (before, behind) = words.split_at(at);
    Some(format!(
        "{} starts {}, and what it sets for that is not in this answer: {} omphalos doctor \
         --placement {}",
        before[0].display(),
        behind[0].display(),
        shown(before),
        shown(behind)
    ))
}

fn shown(words: &[OsString]) -> String {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

fn by_script(program: &Path) -> Option<String> {
    let interpreters = program::interpreters(program);
    if !interpreters.last().is_some_and(|last| script::is_shell(last)) {
        return None;
    }
    let settings = script::read(program).settings;
    let set = settings.iter().filter(|setting| !setting.variable.starts_with("LD_"));
    let set: Vec<_> = set
        .map(|set| format!("{} ({}, line {})", set.variable, set.file.display(), set.line))
        .collect();
    (!set.is_empty()).then(|| {
        format!(
            "{} sets {}, which is not in this answer: set these variables in front of omphalos \
             doctor too",
            program.display(),
            set.join(", ")
        )
    })
}
