//! Reads the parts of a shell script that matter here: settings of the loader's and of OpenMP's
//! variables, and the program that it executes in its own place. Wrappers do both; R's puts the
//! system's folders first in `LD_LIBRARY_PATH`. The script is read, not run: plain assignments are
//! followed, conditions are ignored.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::elf;

/// The most levels of files that read further files (`source`).
const DEPTH: usize = 4;
/// The most that is read of a script: a longer one carries data.
const MOST_BYTES_READ: usize = 1 << 20;

/// A place where a script changes one of the loader's or of OpenMP's variables.
#[derive(Debug, PartialEq, Eq)]
pub struct Setting {
    /// The variable.
    pub variable: String,
    /// The script, or a file that it reads.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

/// The result of reading a script.
#[derive(Debug, Default)]
pub struct Script {
    /// The places where the script changes these variables.
    pub settings: Vec<Setting>,
    /// The last program that it becomes (`exec`), if that can be seen.
    pub becomes: Option<PathBuf>,
    variables: HashMap<String, String>,
}

/// Whether an interpreter is a shell.
pub fn is_shell(interpreter: &Path) -> bool {
    let name = interpreter.file_name().unwrap_or_default().to_string_lossy();
    ["sh", "bash", "dash", "ksh", "zsh"].contains(&&*name)
}

/// Reads `path`.
pub fn read(path: &Path) -> Script {
    let mut script = Script::default();
    script.take(path, DEPTH);
    script
}

impl Script {
    fn take(&mut self, path: &Path, depth: usize) {
        let Ok(bytes) = std::fs::read(path) else { return };
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_BYTES_READ)]).into_owned();
        for (at, line) in text.lines().enumerate() {
            let words = words(line);
            // Whether a command's name may come next, and settings before it.
            let mut is_command = true;
            for (place, word) in words.iter().enumerate() {
                let word = word.as_str();
                let rest = &words[place + 1..];
                if SEPARATORS.contains(&word) || word.ends_with(')') {
                    is_command = true;
                    continue;
                }
                if let Some((name, value)) = assignment(word).filter(|_| is_command) {
                    let value = self.expanded(value);
                    self.note(name, path, at);
                    self.variables.insert(name.to_owned(), value);
                    continue;
                }
                match word {
                    "." | "source" if is_command && depth > 0 => {
                        let read = rest.first().map(|file| PathBuf::from(self.expanded(file)));
                        if let Some(file) = read.filter(|file| file.is_file()) {
                            self.take(&file, depth - 1);
                        }
                    }
                    "unset" if is_command => rest.iter().for_each(|name| self.note(name, path, at)),
                    "exec" if is_command => self.becomes(rest),
                    _ => {}
                }
                is_command &= SETTING.contains(&word);
            }
        }
    }

    fn note(&mut self, name: &str, path: &Path, at: usize) {
        let known = ["LD_LIBRARY_PATH", "LD_PRELOAD", "OMP_", "GOMP_", "KMP_"];
        if known.iter().any(|known| name.starts_with(known)) {
            let variable = name.to_owned();
            self.settings.push(Setting { variable, file: path.to_owned(), line: at + 1 });
        }
    }

    /// Notes the program that `exec` starts: the first word that names one. Variables that are
    /// most often empty may stand before it.
    fn becomes(&mut self, words: &[String]) {
        let paths = words.iter().map(|word| PathBuf::from(self.expanded(word)));
        let programs = paths.filter(|path| path.is_absolute() && elf::read(path).is_ok());
        if let Some(program) = programs.into_iter().next() {
            self.becomes = Some(program);
        }
    }

    /// Expands the variables that the script has set so far; others are empty, as are commands'
    /// results.
    fn expanded(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let name = match rest.strip_prefix('{') {
                Some(inner) => {
                    let end = inner.find('}').unwrap_or(inner.len());
                    rest = inner.get(end + 1..).unwrap_or_default();
                    &inner[..end]
                }
                None => {
                    let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
                    let name = &rest[..end];
                    rest = &rest[end..];
                    name
                }
            };
            let (name, otherwise) = name.split_once(":-").unwrap_or((name, ""));
            out.push_str(self.variables.get(name).map_or(otherwise, String::as_str));
        }
        out + rest
    }
}

/// Words after which a command begins.
const SEPARATORS: [&str; 9] = ["&&", "||", ";", "then", "else", "do", "{", "(", "!"];

/// Commands that settings may follow.
const SETTING: [&str; 6] = ["export", "env", "exec", "local", "declare", "readonly"];

/// `NAME=VALUE`.
fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let begins = name.starts_with(|c: char| is_name(c) && !c.is_ascii_digit());
    (begins && name.chars().all(is_name)).then_some((name, value))
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns a line's words without their quotes, up to a comment; `;` is a word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, Some(open)) if c == open => quote = None,
            ('#', None) if word.is_none() => break,
            (';', None) => {
                words.extend(word.take());
                words.push(";".into());
            }
            (_, None) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_as_rs() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let text = "\
            #!/bin/bash\n\
            # LD_PRELOAD=comment\n\
            HOME_DIR=FOLDER; ARCH=\n\
            if test -n \"${SOME}\"; then HOME_DIR=${HOME_DIR}; fi\n\
            . \"${HOME_DIR}/etc${ARCH}/paths\"\n\
            echo \"LD_PRELOAD=$x\"\n\
            exec ${debugger} \"${HOME_DIR}/program\" ${args} \"${@}\"\n";
        let text = text.replace("FOLDER", folder.path().to_str().unwrap());
        std::fs::write(path("wrapper"), text).unwrap();
        std::fs::create_dir(path("etc")).unwrap();
        std::fs::write(path("etc/paths"), ": x\nexport LD_LIBRARY_PATH=/usr/lib:$y\n").unwrap();
        std::fs::copy(std::env::current_exe().unwrap(), path("program")).unwrap();
        let found = read(&path("wrapper"));
        let paths = path("etc/paths");
        let variable = "LD_LIBRARY_PATH".to_owned();
        assert_eq!(found.settings, [Setting { variable, file: paths, line: 2 }]);
        assert_eq!(found.becomes, Some(path("program")));
    }

    #[test]
    fn variables_that_are_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script");
        std::fs::write(&path, "true && unset A LD_PRELOAD\nexec true\n").unwrap();
        let found = read(&path);
        assert_eq!(found.settings.len(), 1);
        assert_eq!((&*found.settings[0].variable, found.settings[0].line), ("LD_PRELOAD", 1));
        assert_eq!(found.becomes, None);
    }
}
