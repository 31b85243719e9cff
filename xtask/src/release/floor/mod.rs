//! The oldest C library that a released file runs on, and how it is linked for it.
//!
//! A linker binds each function to the newest version that the C library beside it has. So the
//! release is linked against stand-ins for this machine's: libraries without code that have each of
//! its names at the newest version up to the floor, and no name that is younger. They are made of
//! the C library's own table of names. Nothing is fetched, and compiler and linker are those that
//! the tests use. (Zig's linker would bring such stand-ins along, but knows neither the addition
//! to the linker's own script nor the exchange of functions that `link` needs; and of the trees of
//! Debian that can be had, the oldest has glibc 2.31.)
//!
//! Two things are not a matter of names. Before 2.34, threads, timers and the loader's functions
//! were in libraries of their own, so the stand-ins give them there: a newer system has these
//! libraries without code. And what each program once linked statically (`stat` and its like, the
//! call of constructors) is in `packaging/floor`.

pub mod asked;
mod stand_ins;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::tools::{cargo_home, make_dir, output, root, sorted, target_dir};

/// The version of glibc that RHEL 8 and wheels for `manylinux_2_28` have.
pub const GLIBC: (u32, u32, u32) = (2, 28, 0);

/// What cargo calls the processor and system.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// Where the product for that C library is built, apart from the one for this machine.
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
        // Cargo does not know that what it has linked is linked against these.
        if contents(&stand_ins)? != before {
            let _ = std::fs::remove_dir_all(target.join(TRIPLE));
        }
        Ok(Self { target, stand_ins })
    }

    /// The folder of all that is built.
    pub fn target(&self) -> &PathBuf {
        &self.target
    }

    /// Where cargo puts what it has built.
    pub fn built(&self) -> PathBuf {
        self.target.join(TRIPLE).join("release")
    }

    /// For the compiler driver that links: the stand-ins before the system's libraries, and of them
    /// only those that are asked for.
    pub fn for_linking(&self) -> Vec<OsString> {
        let mut folder = OsString::from("-L");
        folder.push(&self.stand_ins);
        vec![folder, "-Wl,--as-needed".into()]
    }

    /// The arguments for cargo.
    pub fn for_cargo(&self) -> Vec<OsString> {
        vec!["--target".into(), TRIPLE.into(), "--target-dir".into(), self.target.clone().into()]
    }

    /// The flags for rustc, as cargo wants them in `CARGO_ENCODED_RUSTFLAGS`. Folders of this
    /// machine are not named in what is released, so that it is the same from any of them.
    pub fn for_rustc(&self) -> Outcome<OsString> {
        let mut flags: Vec<OsString> = Vec::new();
        // libgcc_s is this machine's, and asks this machine's C library for more.
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

/// All that is in the files of a folder.
fn contents(folder: &Path) -> Outcome<Vec<(PathBuf, Vec<u8>)>> {
    let files = sorted(folder)?.into_iter();
    Ok(files.map(|path| (path.clone(), std::fs::read(&path).unwrap_or_default())).collect())
}
