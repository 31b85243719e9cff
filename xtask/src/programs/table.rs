//! Reads the table of programs, `tests/programs/others.txt`: a line `NAME COMPARISON PACKAGE…`, and
//! below it, indented by four spaces, the script that runs the program and prints the result to
//! compare.

use std::path::Path;

use super::compare::Comparison;
use crate::Outcome;
use crate::tools::read;

/// A program of others.
pub struct Program {
    /// Its name in the table.
    pub name: String,
    /// The rule by which two results are the same.
    pub comparison: Comparison,
    /// The packages that it needs from Debian.
    pub debian: Vec<String>,
    /// The packages that it needs from PyPI, by pip.
    pub pip: Vec<String>,
    /// A script of bash.
    pub script: String,
}

/// Reads the table.
pub fn read_table(path: &Path) -> Outcome<Vec<Program>> {
    let mut programs: Vec<Program> = Vec::new();
    for line in read(path)?.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if line.starts_with(' ') {
            let program = programs.last_mut().ok_or("a script stands before any program")?;
            program.script += line.strip_prefix("    ").unwrap_or(line);
            program.script.push('\n');
        } else {
            programs.push(head(line)?);
        }
    }
    Ok(programs)
}

fn head(line: &str) -> Outcome<Program> {
    let mut words = line.split_whitespace();
    let (Some(name), Some(comparison)) = (words.next(), words.next()) else {
        return Err(format!("`{line}`: a program has a name and a comparison"));
    };
    let comparison = Comparison::parse(comparison)
        .ok_or_else(|| format!("`{line}`: compare by `exact` or by a number such as 1e-6"))?;
    let (mut debian, mut pip) = (Vec::new(), Vec::new());
    for package in words {
        match package.strip_prefix("pip:") {
            Some(package) => pip.push(package.to_owned()),
            None => debian.push(package.to_owned()),
        }
    }
    Ok(Program { name: name.into(), comparison, debian, pip, script: String::new() })
}
