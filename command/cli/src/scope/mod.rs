//! The sets of programs that `omphalos install` can make run on Omphalos: a user's, a virtual
//! environment's, the machine's. Each scope knows its changes, and which of them are there.

pub mod machine;
pub mod user;
pub mod venv;

use std::path::PathBuf;

use crate::failure::Failure;
use crate::terminal;

/// The scopes, of which one is asked for.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct Asked {
    /// Your programs, by lines in your shell's file
    #[arg(long)]
    for_user: bool,

    /// The Python of a virtual or conda environment; DIR is the active one unless it is given
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    for_venv: Option<Option<PathBuf>>,

    /// All programs of the machine that ask for this runtime, by ldconfig (as root)
    #[arg(long = "as", value_name = "NAME", value_delimiter = ',')]
    of_machine: Vec<machine::Runtime>,
}

/// A scope.
pub enum Scope {
    /// The user's programs.
    User,
    /// This environment's Python.
    Venv(PathBuf),
    /// The machine's programs that ask for one of these.
    Machine(Vec<machine::Runtime>),
}

impl Scope {
    /// Prints the changes of a verb, piece by piece, and asks for consent; with `yes` it does not
    /// ask. Returns whether to make the changes.
    pub fn confirm_changes(&self, verb: &str, pieces: &str, yes: bool) -> Result<bool, Failure> {
        let last = if let Scope::Machine(_) = self { "  calls ldconfig\n" } else { "" };
        terminal::print(&format!("omphalos {verb}\n{pieces}{last}"))?;
        Ok(yes || terminal::agrees()?)
    }
}

impl Asked {
    /// Returns the scope that is asked for.
    pub fn scope(&self) -> Result<Scope, Failure> {
        if self.for_user {
            return Ok(Scope::User);
        }
        match &self.for_venv {
            Some(folder) => venv::folder(folder.as_deref()).map(Scope::Venv),
            None => Ok(Scope::Machine(self.of_machine.clone())),
        }
    }
}
