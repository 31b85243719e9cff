//! Ends what a runner started when the runner itself ends, however it ends.
//!
//! Programs under test are leaders of process groups of their own, so that one that hangs can be
//! killed with its children. A signal to the runner, or from its terminal, therefore does not reach
//! them. A guard is a process beside the runner that is told each group and reads from a pipe whose
//! other end the runner alone has: when the runner is gone the pipe ends, and the guard kills the
//! groups that are left. The runner in turn ends with the process that started it.
//!
//! What must hold: nothing but the runner inherits the pipe's end (the standard library opens it to
//! be closed by `exec`); the guard outlives any signal that ends the runner.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// Reads `+ GROUP` and `- GROUP` until the runner is gone.
const SCRIPT: &str = r#"
trap '' INT TERM HUP QUIT
declare -A groups
while read -r what group; do
    if [ "$what" = + ]; then groups[$group]=1; else unset "groups[$group]"; fi
done
for group in "${!groups[@]}"; do kill -KILL -- "-$group" 2>/dev/null; done
"#;

static GUARD: OnceLock<Mutex<ChildStdin>> = OnceLock::new();

/// Starts the guard, and has this process end with its parent. For a runner's `main`.
pub fn start() -> Result<(), String> {
    // SAFETY: a plain system call about this process alone.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    let mut command = Command::new("bash");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).process_group(0);
    // The guard must not hold a reader of the runner's output.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut guard = command.spawn().map_err(|e| format!("bash: {e}"))?;
    if let Some(pipe) = guard.stdin.take() {
        let _ = GUARD.set(Mutex::new(pipe));
    }
    Ok(())
}

/// The group is alive from now on.
pub fn begin(group: u32) {
    tell('+', group);
}

/// The group has ended.
pub fn end(group: u32) {
    tell('-', group);
}

fn tell(what: char, group: u32) {
    let Some(pipe) = GUARD.get() else { return };
    // Without its guard the runner goes on; only its sudden end would then leave something behind.
    let mut pipe = pipe.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let _ = pipe.write_all(format!("{what} {group}\n").as_bytes());
}
