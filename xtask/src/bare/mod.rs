//! `bare`: tries what the README promises, on a machine that has nothing yet.
//!
//! debootstrap makes the smallest Debian 12 in `target/bare/root`, each time from nothing. apt
//! installs gcc with the packages that gcc recommends, as a person would do it. The Rust toolchain
//! of this machine is mounted, and the work tree is copied. Both commands of the README run inside.
//!
//! Packages come from where this machine's apt gets them, through its proxies. All mounts are made
//! in a mount namespace of their own and vanish with it, however the command ends: nothing of this
//! machine is ever below the folder when the folder is removed.

mod apt;
mod names;
mod suite;
mod tests;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Outcome;
use crate::packages::is_root;
use crate::tools::{self, cargo, copy, have, make_dir, root, step, target_dir};

/// The commands of the README's section "Try it".
const COMMANDS: [&[&str]; 2] = [&["demo"], &["test"]];

/// The folder that the work tree is copied to, as seen from inside.
const TREE: &str = "omphalos";

/// The file inside with the certificates that pip trusts, if this machine's `PIP_CERT` names others
/// than pip's own.
const CERTIFICATES: &str = "etc/ssl/brought.crt";

/// Mounts the file systems of a machine, and runs a command inside. `$1` is the folder; then come
/// pairs of a folder to bring along and its place inside, then `--` and the command.
const ENTER: &str = r#"
    folder=$1; shift
    mount -t proc proc "$folder/proc"
    mount --rbind /sys "$folder/sys"
    mount --rbind /dev "$folder/dev"
    while [ "$1" != -- ]; do
        mkdir -p "$folder/$2"
        mount --bind -o ro "$1" "$folder/$2"
        shift 2
    done
    shift
    exec chroot "$folder" "$@"
"#;

/// Runs both commands, or the one that `arguments` give, and says how each went.
pub fn run(arguments: &[String]) -> Outcome {
    let missing: Vec<_> = ["debootstrap", "unshare", "chroot"]
        .into_iter()
        .filter(|program| !have(program) && !Path::new("/usr/sbin").join(program).exists())
        .collect();
    if !missing.is_empty() {
        return Err(format!(
            "`bare` needs {}, which is not here; `apt-get install debootstrap util-linux \
             coreutils` \
             brings all that it needs",
            missing.join(" and ")
        ));
    }
    if !is_root() {
        return Err(
            "`bare` makes a system in a folder and enters it, which only root may: run it \
                    as root"
                .into(),
        );
    }
    if let [option, suite, rest @ ..] = arguments
        && option == "--suite"
    {
        return suite::run(suite, rest);
    }
    let machine = Machine::make()?;
    let one: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let commands = if one.is_empty() { COMMANDS.to_vec() } else { vec![&one[..]] };
    let mut failed = Vec::new();
    let mut said = Vec::new();
    for command in commands {
        let shown = format!("cargo xtask {}", command.join(" "));
        step(&format!("on the bare machine: {shown}"));
        let start = Instant::now();
        let outcome = machine.xtask(command);
        let seconds = start.elapsed().as_secs();
        said.push(match &outcome {
            Ok(()) => format!("{shown}: works, {seconds} s"),
            Err(_) => format!("{shown}: fails, {seconds} s"),
        });
        if let Err(message) = outcome {
            failed.push(message);
        }
    }
    for line in said {
        println!("{line}");
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// The system in the folder.
struct Machine {
    folder: PathBuf,
    /// The folders of this machine that are visible inside, each with its place there.
    brought: Vec<(PathBuf, PathBuf)>,
}

impl Machine {
    /// Makes it from nothing: the system, gcc, a copy of the work tree, and the crates that the
    /// tree is built of.
    fn make() -> Outcome<Self> {
        let place = target_dir().join("bare");
        let folder = place.join("root");
        let sysroot = tools::output(Command::new("rustc").args(["--print", "sysroot"]))?;
        if sysroot.trim() == "/usr" {
            return Err("`bare` brings this machine's Rust along, which it cannot where a \
                        distribution's packages are spread over /usr: use rustup's"
                .into());
        }
        remove(&folder)?;
        let packages = place.join("packages");
        make_dir(&packages)?;
        apt::bootstrap(&folder, &packages)?;
        bring_names(&folder);
        let brought = vec![(sysroot.trim().into(), "opt/rust".into())];
        let machine = Self { folder, brought };
        step("installing gcc");
        for arguments in [&["update", "-qq"][..], &["install", "-y", "-qq", "gcc"]] {
            tools::run(machine.command("apt-get", arguments).stdout(Stdio::null()))?;
        }
        machine.bring_tree()?;
        machine.bring_crates()?;
        Ok(machine)
    }

    /// Copies the files that git knows and new files, but no build output.
    fn bring_tree(&self) -> Outcome {
        let mut git = Command::new("git");
        git.current_dir(root()).args(["ls-files", "-z", "-co", "--exclude-standard"]);
        for name in tools::output(&mut git)?.split_terminator('\0') {
            let from = root().join(name);
            if from.is_file() {
                copy(&from, &self.folder.join(TREE).join(name))?;
            }
        }
        Ok(())
    }

    /// Copies the crates' sources that this machine's cargo has, so that the trial is about the
    /// build and not about the network.
    fn bring_crates(&self) -> Outcome {
        tools::run(cargo().args(["fetch", "--locked", "--quiet"]))?;
        let registry = tools::cargo_home()?.join("registry");
        let to = self.folder.join("root/.cargo");
        make_dir(&to)?;
        tools::run(Command::new("cp").arg("-a").arg(registry).arg(to))
    }

    fn xtask(&self, arguments: &[&str]) -> Outcome {
        let command = format!("cd /{TREE} && exec cargo xtask \"$@\"");
        let mut all = vec!["-c", &command, "sh"];
        all.extend(arguments);
        tools::run(&mut self.command("sh", &all))
    }

    /// Returns a command that runs inside, with the environment of a fresh login.
    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", ENTER, "sh"]);
        command.arg(&self.folder).args(self.brought.iter().flat_map(|(from, to)| [from, to]));
        command.arg("--").arg(program).args(arguments);
        command.stdin(Stdio::null()).env_clear().envs(apt::proxies());
        command.env(
            "PATH",
            "/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        );
        command.env("HOME", "/root").env("CARGO_NET_OFFLINE", "true");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        if self.folder.join(CERTIFICATES).exists() {
            command.env("PIP_CERT", Path::new("/").join(CERTIFICATES));
        }
        command
    }
}

/// Removes a system that was made earlier.
fn remove(folder: &Path) -> Outcome {
    match folder.exists() {
        true => tools::run(Command::new("rm").args(["-rf", "--one-file-system"]).arg(folder)),
        false => Ok(()),
    }
}

/// Copies the files by which names are looked up, and pip's certificates. A failure is ignored: a
/// machine that goes through a proxy may do without.
fn bring_names(folder: &Path) {
    for file in ["etc/resolv.conf", "etc/hosts"] {
        let _ = copy(&Path::new("/").join(file), &folder.join(file));
    }
    if let Some(file) = std::env::var_os("PIP_CERT") {
        let _ = copy(Path::new(&file), &folder.join(CERTIFICATES));
    }
}
