//! Kills the programs that a runner started when the runner itself ends, however it ends.
//!
//! Each program under test leads a process group of its own, so that the runner can kill a hung one
//! with its children. A signal to the runner, or from its terminal, therefore does not reach them.
//! The guard is a process beside the runner. It learns each group through a pipe whose other end
//! the runner alone has: when the runner is gone the pipe ends, and the guard kills the remaining
//! groups. The runner in turn ends with the process that started it.
//!
//! What must hold: nothing but the runner inherits the pipe's end (the standard library opens it so
//! that `exec` closes it); the guard outlives any signal that ends the runner.

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

/// Starts the guard, and lets this process end with its parent. A runner's `main` calls this.
pub fn start() -> Result<(), String> {
    // SAFETY: a plain system call about this process alone.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    let mut command = Command::new("bash");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).process_group(0);
    // The guard must not keep the runner's output open for a reader.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut guard = command.spawn().map_err(|e| format!("bash: {e}"))?;
    if let Some(pipe) = guard.stdin.take() {
        let _ = GUARD.set(Mutex::new(pipe));
    }
    Ok(())
}

/// Tells the guard that the group is alive.
pub fn begin(group: u32) {
    tell('+', group);
}

/// Tells the guard that the group has ended.
pub fn end(group: u32) {
    tell('-', group);
}

fn tell(what: char, group: u32) {
    let Some(pipe) = GUARD.get() else { return };
    // A failure to tell the guard does not stop the runner: only its sudden end would then leave
    // programs behind.
    let mut pipe = pipe.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let _ = pipe.write_all(format!("{what} {group}\n").as_bytes());
}
