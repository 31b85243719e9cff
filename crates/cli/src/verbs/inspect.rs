//! `omphalos inspect`: what the threads of a running, hung or dead program do, and why they make no progress.

use std::path::PathBuf;

use omphalos_inspect::{Look, Way, look, text};

use crate::failure::Failure;

/// Look into a running or dead program: what each thread does, and why nothing goes on
#[derive(clap::Args)]
pub struct Arguments {
    /// The process; with --core the program that died, if it is not at its place
    #[arg(value_name = "PID")]
    subject: Option<String>,

    /// Look at a core file
    #[arg(long, value_name = "CORE")]
    core: Option<PathBuf>,

    /// Say why the program makes no progress
    #[arg(long)]
    why: bool,

    /// Write all that was seen as JSON
    #[arg(long)]
    json: bool,

    /// Look at every process of this user's that uses OpenMP
    #[arg(long, conflicts_with_all = ["core", "subject"])]
    all: bool,

    /// Show the runtime's and the system's frames too, each stack as it is
    #[arg(long)]
    raw: bool,

    /// Stop nothing: only threads that sleep in the kernel have a stack
    #[arg(long)]
    no_stop: bool,

    /// Seconds between the two looks of --why
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    apart: f64,
}

/// Looks and prints.
pub fn run(arguments: &Arguments) -> Result<i32, Failure> {
    let seen = match (&arguments.core, &arguments.subject) {
        (Some(core), program) => {
            let program = program.as_ref().map(PathBuf::from);
            look::core(core, program.as_deref())
        }
        (None, Some(pid)) => {
            let pid: u32 = pid.parse().map_err(|_| {
                Failure::ours(format!(
                    "'{pid}' is not the number of a process (for a core file say --core {pid})"
                ))
            })?;
            look::live(pid, way(arguments))
        }
        (None, None) => {
            return Err(Failure::ours("say which process: its number, --all, or --core FILE"));
        }
    };
    let seen = seen.map_err(|fault| Failure::ours(fault.to_string()))?;
    print!("{}", shown(arguments, &seen));
    Ok(0)
}

fn way(arguments: &Arguments) -> Way {
    if arguments.no_stop { Way::Running } else { Way::Stopping }
}

fn shown(arguments: &Arguments, seen: &Look) -> String {
    text::threads(seen, arguments.raw)
}
