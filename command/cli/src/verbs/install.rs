//! `omphalos install`: makes programs run on Omphalos without `omphalos run`. It shows its changes
//! and asks before it makes them.

use crate::change::Change;
use crate::failure::Failure;
use crate::install::Installation;
use crate::scope::{Asked, Scope, machine, user, venv};
use crate::terminal;

/// Have programs run on Omphalos without `omphalos run`
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    asked: Asked,

    /// Do it without asking
    #[arg(long, short)]
    yes: bool,
}

/// Shows, asks, does.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let installation = Installation::find()?;
    installation.runtime()?;
    let scope = arguments.asked.scope()?;
    let mut changes = match &scope {
        Scope::User => user::changes(&installation)?,
        Scope::Venv(folder) => venv::changes(folder, &installation)?,
        Scope::Machine(chosen) => machine::changes(chosen, &installation)?,
    };
    changes.retain(|change| !change.is_made());
    if changes.is_empty() {
        terminal::print("all of it is there already\n")?;
        return Ok(0);
    }
    let pieces: String = changes.iter().map(Change::shown).collect();
    if !scope.confirm_changes("install", &pieces, arguments.yes)? {
        return Ok(1);
    }
    for change in &changes {
        change.make()?;
    }
    let said = match scope {
        Scope::User => "done: it counts in each new shell",
        Scope::Venv(_) => "done: it counts for each Python of the environment that starts now",
        Scope::Machine(_) => {
            machine::refresh()?;
            "done: it counts for each program that starts now"
        }
    };
    terminal::print(&format!("{said}; `omphalos uninstall` undoes it\n"))?;
    Ok(0)
}
