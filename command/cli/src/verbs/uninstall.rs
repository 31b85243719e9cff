//! `omphalos uninstall`: takes back the changes of `omphalos install`. It shows them and asks.

use crate::change::Made;
use crate::failure::Failure;
use crate::scope::{Asked, Scope, machine, user, venv};
use crate::terminal;

/// Take back what `omphalos install` has done
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
    let scope = arguments.asked.scope()?;
    let made = match &scope {
        Scope::User => user::made(),
        Scope::Venv(folder) => venv::made(folder),
        Scope::Machine(chosen) => machine::made(chosen),
    };
    if made.is_empty() {
        terminal::print("nothing of it is there\n")?;
        return Ok(0);
    }
    let pieces: String = made.iter().map(Made::shown).collect();
    if !scope.confirm_changes("uninstall", &pieces, arguments.yes)? {
        return Ok(1);
    }
    for one in &made {
        one.undo()?;
    }
    if let Scope::Machine(_) = scope {
        machine::refresh()?;
    }
    terminal::print("done\n")?;
    Ok(0)
}
