//! The compilers of one maker, from the name of the C compiler.

use std::path::Path;
use std::process::Command;

/// A C compiler and the compilers that belong to it.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The command for C.
    pub c: String,
    /// The command for C++.
    pub cxx: String,
    /// The command for Fortran.
    pub fortran: String,
    /// Whether the compilers are GCC's; if not, they are LLVM's.
    pub gnu: bool,
    /// The major version, as text.
    pub version: String,
}

impl Toolchain {
    /// Finds the compilers from the name of the C compiler: `gcc`, `clang-19`,
    /// `/somewhere/clang-22`.
    pub fn of(c: &str) -> Result<Toolchain, String> {
        let output = Command::new(c)
            .arg("-dumpversion")
            .output()
            .map_err(|e| format!("--cc {c}: {e}; it should be a gcc or a clang"))?;
        let version = String::from_utf8_lossy(&output.stdout);
        let version = version.trim().split('.').next().unwrap_or_default().to_string();
        let (folder, name) = match c.rsplit_once('/') {
            Some((folder, name)) => (format!("{folder}/"), name),
            None => (String::new(), c),
        };
        let gnu = !name.contains("clang");
        let (cxx, fortran) = if gnu {
            (name.replacen("gcc", "g++", 1), name.replacen("gcc", "gfortran", 1))
        } else {
            (name.replacen("clang", "clang++", 1), flang(&folder, name))
        };
        let (cxx, fortran) = (format!("{folder}{cxx}"), format!("{folder}{fortran}"));
        Ok(Toolchain { c: c.to_string(), cxx, fortran, gnu, version })
    }

    /// Returns the compiler of a source file, by its ending.
    pub fn of_source(&self, source: &Path) -> Option<&str> {
        Some(match source.extension()?.to_str()? {
            "c" => &self.c,
            "cpp" | "cc" | "C" => &self.cxx,
            "f" | "f90" | "f95" | "f03" | "f08" | "F" | "F90" => &self.fortran,
            _ => return None,
        })
    }

    /// The part that stands for these compilers in the names of files.
    pub fn label(&self) -> String {
        format!("{}-{}", if self.gnu { "gcc" } else { "clang" }, self.version)
    }
}

/// LLVM's Fortran compiler was `flang-new` up to version 19.
fn flang(folder: &str, clang: &str) -> String {
    let plain = clang.replacen("clang", "flang", 1);
    let new = clang.replacen("clang", "flang-new", 1);
    let there =
        |name: &str| Command::new(format!("{folder}{name}")).arg("--version").output().is_ok();
    if !there(&plain) && there(&new) { new } else { plain }
}
