//! Lists the Debian packages that the tests need, and installs them.

use std::process::Command;

use crate::Outcome;
use crate::tools::{self, step};

/// The packages that `cargo xtask setup` installs: the compilers and runtimes with which the test
/// programs are built and compared, the Debian programs that are profiled, and the tools that tests
/// call. apt leaves recommended packages out, so those that the tests need are in the list:
/// `clang-tools-19` has the programs that `-fopenmp-targets=` calls, `libclang-rt-19-dev` has
/// ThreadSanitizer, and `chromium` opens the book.
pub const FOR_TESTS: &[&str] = &[
    "chromium", "clang-19", "clang-22", "clang-tools-19", "flang-19", "flang-22", "g++", "gcc",
    "gdb", "gfortran", "git", "golang-go", "imagemagick", "libc6-dev", "libclang-rt-19-dev",
    "libomp-19-dev", "libmpich-dev", "libopenblas0-openmp", "libopenmpi-dev", "lldb-19", "mpich",
    "openmpi-bin", "python3-numpy", "python3-venv", "r-base-core", "r-cran-data.table", "sqlite3",
    "valgrind",
];

/// Installs those of `packages` that are missing; it is quick if none is.
pub fn ensure(packages: &[&str]) -> Outcome {
    let missing = missing(packages)?;
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    if !is_root() {
        return Err(format!(
            "the tests need Debian packages that are missing: {list}; install them with \
             `apt-get install {list}`, or run this as root, which does it"
        ));
    }
    step(&format!("installing {list}"));
    if install(&missing).is_ok() {
        return Ok(());
    }
    // The lists of a fresh machine are empty or old: fetch them and try once more.
    tools::run(Command::new("apt-get").args(["update", "-qq"]))?;
    install(&missing)
}

fn missing<'a>(packages: &[&'a str]) -> Outcome<Vec<&'a str>> {
    if !tools::have("dpkg-query") {
        return Err("dpkg-query was not found: the tests install what they need as Debian \
                    packages, so run them on Debian 12"
            .into());
    }
    Ok(packages.iter().copied().filter(|package| !installed(package)).collect())
}

fn installed(package: &str) -> bool {
    let mut query = Command::new("dpkg-query");
    query.args(["--show", "--showformat=${db:Status-Status}", package]);
    tools::output(&mut query).is_ok_and(|status| status == "installed")
}

fn install(packages: &[&str]) -> Outcome {
    let mut apt = Command::new("apt-get");
    apt.args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages);
    // Another apt may be at work on a machine that has just started.
    apt.args(["-o", "DPkg::Lock::Timeout=600"]).env("DEBIAN_FRONTEND", "noninteractive");
    apt.stdin(std::process::Stdio::null());
    tools::run(&mut apt)
}

/// Whether this process may install packages.
pub fn is_root() -> bool {
    tools::output(Command::new("id").arg("-u")).is_ok_and(|uid| uid.trim() == "0")
}
