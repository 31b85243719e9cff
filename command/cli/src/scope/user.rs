//! Makes a user's programs run on Omphalos, by lines in the file that the user's shell reads. The
//! verbs `install`, `uninstall` and `doctor` call it.

use std::path::{Path, PathBuf};

use crate::change::{self, Change, MARK, Made};
use crate::failure::Failure;
use crate::install::Installation;

/// A shell, by its way of reading settings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    /// Any other shell, which reads `.profile`.
    Other,
}

const ALL: [Shell; 4] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Other];

/// Returns the lines for the user's shell: one with the folder of the runtime's names, and one with
/// the folder of `omphalos`, unless the shell finds `omphalos` already.
pub fn changes(installation: &Installation) -> Result<Vec<Change>, Failure> {
    let shell = Shell::of_user()?;
    let file = shell.file(&home()?);
    let program = installation.program();
    let folder = program.parent().unwrap_or(&program);
    let path = shell.line("PATH", folder)? + MARK;
    let mut lines = vec![shell.line("LD_LIBRARY_PATH", &installation.names())? + MARK];
    // If the shell finds it by an earlier line of ours, that line stays.
    if !is_on_path() || change::has_line(&file, &path) {
        lines.push(path);
    }
    Ok(vec![Change::Lines { file, lines }])
}

fn is_on_path() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("omphalos").exists())
}

/// Returns the files that have lines of ours, for any shell.
pub fn made() -> Vec<Made> {
    let Ok(home) = home() else { return Vec::new() };
    let files = ALL.map(|shell| shell.file(&home));
    files.into_iter().filter(|file| change::has_lines(file)).map(Made::Lines).collect()
}

fn home() -> Result<PathBuf, Failure> {
    std::env::home_dir()
        .filter(|home| home.is_dir())
        .ok_or_else(|| Failure::ours("your home folder is not known: set HOME to it"))
}

impl Shell {
    fn of_user() -> Result<Self, Failure> {
        let shell = std::env::var_os("SHELL").map(PathBuf::from).unwrap_or_default();
        Ok(match shell.file_name().and_then(|name| name.to_str()) {
            Some("bash") => Self::Bash,
            Some("zsh") => Self::Zsh,
            Some("fish") => Self::Fish,
            Some("csh" | "tcsh") => {
                return Err(Failure::ours(
                    "the file of a C shell is yours to change: put the folder lib/ldconfig of \
                     Omphalos first in LD_LIBRARY_PATH there",
                ));
            }
            _ => Self::Other,
        })
    }

    /// Returns the file that each new shell reads, even one that runs a command on another machine.
    fn file(self, home: &Path) -> PathBuf {
        let folder = |variable, otherwise: &str| {
            let set = std::env::var_os(variable).filter(|folder| !folder.is_empty());
            set.map_or_else(|| home.join(otherwise), PathBuf::from)
        };
        match self {
            Self::Bash => home.join(".bashrc"),
            Self::Zsh => folder("ZDOTDIR", "").join(".zshenv"),
            Self::Fish => folder("XDG_CONFIG_HOME", ".config").join("fish/config.fish"),
            Self::Other => home.join(".profile"),
        }
    }

    /// Returns a line that puts `folder` first in `variable`, unless the variable has it already.
    fn line(self, variable: &str, folder: &Path) -> Result<String, Failure> {
        let Some(text) = folder.to_str().filter(|text| !text.contains([':', ';', '\n', '\'', '!']))
        else {
            return Err(Failure::ours(format!(
                "a shell cannot be told of {}: install Omphalos under a path without quotes, `:`, \
                 `;` and `!`",
                folder.display()
            )));
        };
        Ok(match self {
            Self::Fish => format!(
                "contains -- '{text}' ${variable}; or set -gx {variable} '{text}' ${variable};"
            ),
            _ => format!(
                "case \":${variable}:\" in *':{text}:'*) ;; *) export \
                 {variable}='{text}'\"${{{variable}:+:${variable}}}\" ;; esac;"
            ),
        })
    }
}
