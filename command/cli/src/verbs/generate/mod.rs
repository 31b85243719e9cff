//! `omphalos generate`: writes the man page and the shell completions out of the command line's
//! own description. For packaging; hidden from the help.

mod man;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::StyledStr;
use clap_complete::Shell;

use crate::failure::Failure;

/// What can be written.
#[derive(Clone, Copy, ValueEnum)]
enum What {
    Man,
    Bash,
    Zsh,
    Fish,
}

/// Write the man pages or a shell's completions
#[derive(clap::Args)]
pub struct Arguments {
    what: What,
    /// The folder to write into
    folder: PathBuf,
}

/// Writes the files that `arguments` ask for.
pub fn run(arguments: &Arguments, command: clap::Command) -> Result<i32, Failure> {
    let folder = &arguments.folder;
    let mut command = without_hidden(&command);
    let written = match arguments.what {
        What::Man => man::write(command, folder),
        What::Bash => complete(Shell::Bash, &mut command, folder),
        What::Zsh => complete(Shell::Zsh, &mut command, folder),
        What::Fish => complete(Shell::Fish, &mut command, folder),
    };
    written
        .map(|()| 0)
        .map_err(|error| Failure::ours(format!("cannot write into {}: {error}", folder.display())))
}

/// Returns the command line without the verbs that the help hides: a shell's script would offer
/// them.
fn without_hidden(command: &clap::Command) -> clap::Command {
    let shown = command.get_subcommands().filter(|verb| !verb.is_hide_set()).cloned();
    let text = |text: Option<&StyledStr>| text.cloned().unwrap_or_default();
    clap::Command::new("omphalos")
        .version(env!("CARGO_PKG_VERSION"))
        .about(text(command.get_about()))
        .long_about(text(command.get_long_about()))
        .after_help(text(command.get_after_help()))
        .subcommand_required(true)
        .args(command.get_arguments().cloned())
        .subcommands(shown)
}

fn complete(shell: Shell, command: &mut clap::Command, folder: &Path) -> std::io::Result<()> {
    let folder = folder.as_os_str();
    // bash-completion looks for a file with the program's name.
    let written = clap_complete::generate_to(shell, command, "omphalos", folder)?;
    if matches!(shell, Shell::Bash) {
        let script = offering_files(&std::fs::read_to_string(&written)?);
        std::fs::write(written.with_file_name("omphalos"), script)?;
        std::fs::remove_file(&written)?;
    }
    Ok(())
}

/// Makes Bash's script offer files. `clap`'s script offers a verb's options where a file is wanted
/// and nothing is typed yet. The returned script offers options only for words that begin with a
/// dash. For other words it offers nothing, and bash then offers files by itself.
fn offering_files(script: &str) -> String {
    let verbs = "[[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]]";
    let last = "\n            COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )\n";
    script.replace(verbs, "[[ ${cur} == -* ]]").replace(last, "\n            COMPREPLY=()\n")
}
