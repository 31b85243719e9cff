//! `bare --suite NAME`: what is released, on a machine of another Debian that has nothing yet.
//!
//! A stranger's script installs it in each form, runs and profiles programs of that system's
//! compilers, removes it, and looks for files that are left.

use std::process::Stdio;
use std::time::Instant;

use super::{Machine, apt, bring_names, remove};
use crate::Outcome;
use crate::tools::{make_dir, run as start, step, target_dir};

/// What a stranger does; runs inside.
const STRANGER: &str = include_str!("stranger.sh");

/// The compilers whose programs are tried, and what the wheel needs.
const PACKAGES: [&str; 7] =
    ["gcc", "libc6-dev", "clang", "libomp-dev", "python3-venv", "zstd", "gdb"];

/// Where what is released is seen.
const AT: &str = "mnt";

/// Makes the system anew, tries everything, and says how it went.
pub fn run(suite: &str) -> Outcome {
    let released = target_dir().join("released");
    if !released.join("SHA256SUMS").is_file() {
        return Err("nothing is released yet: run `cargo xtask release` first".into());
    }
    let place = target_dir().join("bare");
    let folder = place.join(suite);
    let packages = place.join("packages");
    make_dir(&packages)?;
    remove(&folder)?;
    apt::bootstrap_suite(&folder, &packages, suite)?;
    bring_names(&folder);
    let machine = Machine { folder, brought: released, at: AT };
    step(&format!("installing {}", PACKAGES.join(" ")));
    let install =
        [&["install", "-y", "-qq", "--no-install-recommends"][..], &PACKAGES[..]].concat();
    for arguments in [&["update", "-qq"][..], &install] {
        start(machine.command("apt-get", arguments).stdout(Stdio::null()))?;
    }
    let begin = Instant::now();
    let script = machine.folder.join("root/stranger.sh");
    std::fs::write(&script, STRANGER).map_err(|e| format!("{}: {e}", script.display()))?;
    start(&mut machine.command("bash", &["-eu", "/root/stranger.sh"]))?;
    println!("{suite}: all of it works, {} s", begin.elapsed().as_secs());
    remove(&machine.folder)
}
