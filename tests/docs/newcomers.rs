//! Messages on a system that cannot run Omphalos, or about a place that cannot be written: one line
//! that says what to do. The script that starts an archive's program checks the system, and so does
//! the wheel's command.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::{exec, paths, suite};

pub fn tests() -> Vec<Trial> {
    vec![
        suite::test("docs::newcomers::starts", starts),
        suite::test("docs::newcomers::no_glibc", || {
            says("Linux x86_64", None, &["C library is not glibc", "use a container"])
        }),
        suite::test("docs::newcomers::other_processor", || {
            says("Linux aarch64", None, &["this is Linux aarch64", "use such a machine"])
        }),
        suite::test("docs::newcomers::old_glibc", || {
            says("Linux x86_64", Some("libc-2.17.so"), &["has glibc 2.17", "use a newer system"])
        }),
        suite::test("docs::newcomers::glibc_of_the_floor", || {
            says("Linux x86_64", Some("libc-2.28.so"), &["libexec/omphalos"])
        }),
        suite::test("docs::newcomers::wheel_on_other_processor", || {
            let fakes = "platform.machine = lambda: 'aarch64'";
            wheel_says(fakes, &["this is Linux aarch64", "use such a machine"])
        }),
        suite::test("docs::newcomers::wheel_without_glibc", || {
            let fakes = "os.confstr = lambda name: None";
            wheel_says(fakes, &["C library is not glibc", "use a container"])
        }),
        suite::test("docs::newcomers::wheel_on_old_glibc", || {
            let fakes = "os.confstr = lambda name: 'glibc 2.17'";
            wheel_says(fakes, &["has glibc 2.17", "use a newer system"])
        }),
        suite::test("docs::newcomers::no_leave_to_write", no_leave),
    ]
}

fn script() -> PathBuf {
    paths::repository().join("packaging/archive/omphalos")
}

/// Tests that the script finds the program beside it, also by a link, and passes on its arguments.
fn starts() -> Result<(), String> {
    let tree = paths::scratch("newcomers").join("a folder");
    let fault = |e: std::io::Error| e.to_string();
    for folder in ["bin", "libexec"] {
        fs::create_dir_all(tree.join(folder)).map_err(fault)?;
    }
    fs::copy(script(), tree.join("bin/omphalos")).map_err(fault)?;
    symlink("/bin/echo", tree.join("libexec/omphalos")).map_err(fault)?;
    symlink("a folder/bin/omphalos", tree.with_file_name("link")).map_err(fault)?;
    let by_name = format!("cd '{0}/bin' && sh omphalos 'one word' two", tree.display());
    for line in [
        format!("'{}/bin/omphalos' 'one word' two", tree.display()),
        format!("'{}' 'one word' two", tree.with_file_name("link").display()),
        by_name,
    ] {
        let outcome = exec::run(Command::new("sh").args(["-c", &line]))?;
        if !outcome.success() || outcome.stdout != "one word two\n" {
            return Err(format!("{line}: {}", outcome.describe()));
        }
    }
    Ok(())
}

/// Tests the script's message where `/lib64` is another folder: empty, or with the dynamic loader
/// and the file `libc`. No program starts there, so `uname` is a shell function that prints
/// `machine`.
fn says(machine: &str, libc: Option<&str>, parts: &[&str]) -> Result<(), String> {
    let folder = paths::scratch(&format!("newcomers {machine} {libc:?}"));
    if let Some(libc) = libc {
        fs::copy("/lib64/ld-linux-x86-64.so.2", folder.join("ld-linux-x86-64.so.2"))
            .and_then(|_| fs::write(folder.join(libc), ""))
            .map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let hides = r#"
        mount --bind "$FOLDER" "$(readlink -f /lib64)" || exit 77
        uname() { echo "$MACHINE"; }
        . "$0" --version"#;
    let mut unshare = Command::new("unshare");
    unshare.args(["-rm", "sh", "-c", hides]).arg(script());
    unshare.env("FOLDER", &folder).env("MACHINE", machine);
    let outcome = exec::run(&mut unshare)?;
    if outcome.status.code() == Some(77) || outcome.stderr.starts_with("unshare: ") {
        // This machine does not allow mount namespaces.
        return Ok(());
    }
    one_line(&outcome, parts)
}

/// Tests the message of the wheel's command where a line of Python fakes another system.
fn wheel_says(fakes: &str, parts: &[&str]) -> Result<(), String> {
    let code = format!("import os, platform, sys, omphalos; {fakes}; sys.exit(omphalos.main())");
    let mut python = Command::new("python3");
    python.args(["-B", "-c", &code]);
    python.env("PYTHONPATH", paths::repository().join("packaging/wheel"));
    one_line(&exec::run(&mut python)?, parts)
}

/// Checks that an error is one line with these parts.
fn one_line(outcome: &exec::Outcome, parts: &[&str]) -> Result<(), String> {
    let is_one = outcome.stderr.trim_end().lines().count() == 1 && !outcome.success();
    let has_all = parts.iter().all(|part| outcome.stderr.contains(part));
    if is_one && has_all { Ok(()) } else { Err(format!("{parts:?}: {}", outcome.describe())) }
}

/// Tests that a user who may not write in the current folder learns how to name another place.
fn no_leave() -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let profile = |folder: &Path, options: &[&str]| {
        let mut omphalos = Command::new(paths::omphalos());
        omphalos.current_dir(folder).arg("profile").args(options).arg("/bin/true");
        exec::run(&mut omphalos)
    };
    // Nobody may make files there, not even root.
    one_line(&profile(Path::new("/proc"), &[])?, &["cannot write", "name another place"])?;
    let options = ["--output", "/proc/program.omph"];
    one_line(&profile(Path::new("/"), &options)?, &["/proc/program.omph", "name another place"])
}
