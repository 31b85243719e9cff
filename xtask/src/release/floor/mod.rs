//! Links the product for the oldest C library that a released file runs on.
//!
//! A linker binds each function to the newest version that the C library beside it has. So the
//! release is not linked against this machine's C library, but against stand-ins for it: libraries
//! without code. They have each of its names at the newest version up to the floor, and no younger
//! name; they are made from the C library's own table of names. So nothing is fetched, and the
//! compiler and the linker are those of the tests. Two other ways fail:
//! - Zig's linker has such stand-ins, but knows neither the addition to the linker's own script nor
//!   the exchange of functions that `link` needs.
//! - The oldest Debian tree that can be had has glibc 2.31.
//!
//! Names alone do not settle two things. Before 2.34, threads, timers and the loader's functions
//! were in libraries of their own. So the stand-ins have them there: a newer system still has these
//! libraries, without code. And some functions were linked statically into each program (`stat` and
//! its like, the call of constructors); these are in `packaging/floor`.

pub mod asked;
mod stand_ins;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::tools::{cargo_home, make_dir, output, root, sorted, target_dir};

/// The version of glibc that RHEL 8 and wheels for `manylinux_2_28` have.
pub const GLIBC: (u32, u32, u32) = (2, 28, 0);

/// Cargo's name for the processor and the system.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// The folders of the build for that C library, apart from the build for this machine.
pub struct Floor {
    target: PathBuf,
    stand_ins: PathBuf,
}

impl Floor {
    /// Makes the stand-ins.
    pub fn make() -> Outcome<Self> {
        let target = target_dir().join("portable");
        let stand_ins = target.join("stand-ins");
        make_dir(&stand_ins)?;
        let before = contents(&stand_ins)?;
        stand_ins::make(&stand_ins)?;
        // Cargo does not know that its results depend on the stand-ins, so they are removed if
        // these have changed.
        if contents(&stand_ins)? != before {
            let _ = std::fs::remove_dir_all(target.join(TRIPLE));
        }
        Ok(Self { target, stand_ins })
    }

    /// The folder of all files that are built.
    pub fn target(&self) -> &PathBuf {
        &self.target
    }

    /// The folder in which cargo puts its results.
    pub fn built(&self) -> PathBuf {
        self.target.join(TRIPLE).join("release")
    }

    /// Returns the arguments for the compiler driver that links: the stand-ins come before the
    /// system's libraries, and only those that are asked for are linked.
    pub fn for_linking(&self) -> Vec<OsString> {
        let mut folder = OsString::from("-L");
        folder.push(&self.stand_ins);
        vec![folder, "-Wl,--as-needed".into()]
    }

    /// Returns the arguments for cargo.
    pub fn for_cargo(&self) -> Vec<OsString> {
        vec!["--target".into(), TRIPLE.into(), "--target-dir".into(), self.target.clone().into()]
    }

    /// Returns the flags for rustc, as cargo wants them in `CARGO_ENCODED_RUSTFLAGS`. They replace
    /// the names of this machine's folders in the files, so that a release is the same from any
    /// folder.
    pub fn for_rustc(&self) -> Outcome<OsString> {
        let mut flags: Vec<OsString> = Vec::new();
        // libgcc_s is this machine's, and asks for names of this machine's C library that the
        // stand-ins lack.
        for option in ["-Wl,--allow-shlib-undefined", "-Wl,--build-id=sha1"] {
            flags.push(format!("-Clink-arg={option}").into());
        }
        let mut folder = OsString::from("-Clink-arg=-L");
        folder.push(&self.stand_ins);
        flags.push(folder);
        let rust = output(std::process::Command::new("rustc").args(["--print", "sysroot"]))?;
        let sources = PathBuf::from(rust.trim()).join("lib/rustlib/src/rust");
        let named = [(root(), "/omphalos"), (sources, "/rust"), (cargo_home()?, "/cargo")];
        for (from, to) in named {
            let mut flag = OsString::from("--remap-path-prefix=");
            flag.push(from);
            flag.push("=");
            flag.push(to);
            flags.push(flag);
        }
        Ok(flags.join("\x1f".as_ref()))
    }
}

/// Returns the paths and contents of all files in a folder.
fn contents(folder: &Path) -> Outcome<Vec<(PathBuf, Vec<u8>)>> {
    let files = sorted(folder)?.into_iter();
    Ok(files.map(|path| (path.clone(), std::fs::read(&path).unwrap_or_default())).collect())
}
