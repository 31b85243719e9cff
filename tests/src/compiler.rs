//! The compilers whose programs Omphalos runs, and a cache of what they compiled.
//!
//! What must hold: a cached program is used only for the same source text, headers, flags and
//! compiler; two processes that want the same program compile it once.

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::paths;

/// A compiler of the test matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compiler {
    /// GCC's for C, the version of the machine.
    Gcc,
    /// GCC's for C++.
    Gxx,
    /// GCC's for Fortran.
    Gfortran,
    /// LLVM 19's for C, or that of the version in `OMPHALOS_TEST_LLVM`.
    Clang,
    /// LLVM 19's for C++.
    Clangxx,
    /// LLVM 19's for Fortran.
    Flang,
    /// LLVM 22's for C, as OpenMP 6.0.
    Clang22,
    /// LLVM 22's for C++, as OpenMP 6.0.
    Clangxx22,
    /// LLVM 22's for Fortran, as OpenMP 6.0.
    Flang22,
}

impl Compiler {
    /// Returns the compilers of a source file's language, by its ending.
    pub fn of_source(source: &Path) -> &'static [Compiler] {
        match source.extension().and_then(|e| e.to_str()) {
            Some("c") => &[Compiler::Gcc, Compiler::Clang],
            Some("cpp") => &[Compiler::Gxx, Compiler::Clangxx],
            Some("f90") => &[Compiler::Gfortran, Compiler::Flang],
            _ => &[],
        }
    }

    /// As [`Compiler::of_source`], in all versions that the machine has.
    pub fn matrix(source: &Path) -> Vec<Compiler> {
        let mut all = Compiler::in_all_versions(source);
        all.retain(|compiler| !compiler.is_newest() || knows_six());
        all
    }

    /// The same, also with the versions that need a newer LLVM than `OMPHALOS_TEST_LLVM` names.
    pub fn in_all_versions(source: &Path) -> Vec<Compiler> {
        let newest = |family: &Compiler| match family {
            Compiler::Clang => Some(Compiler::Clang22),
            Compiler::Clangxx => Some(Compiler::Clangxx22),
            Compiler::Flang => Some(Compiler::Flang22),
            _ => None,
        };
        let families = Compiler::of_source(source);
        families.iter().copied().chain(families.iter().filter_map(newest)).collect()
    }

    /// The name in test names; in `@compilers:` it means this version alone.
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Gcc => "gcc",
            Compiler::Gxx => "g++",
            Compiler::Gfortran => "gfortran",
            Compiler::Clang => "clang",
            Compiler::Clangxx => "clang++",
            Compiler::Flang => "flang",
            Compiler::Clang22 => "clang-22",
            Compiler::Clangxx22 => "clang++-22",
            Compiler::Flang22 => "flang-22",
        }
    }

    /// The name that means every version in `@compilers:`.
    pub fn family(self) -> &'static str {
        let name = self.name();
        name.strip_suffix("-22").unwrap_or(name)
    }

    /// The compiler's command.
    pub fn command(self) -> String {
        let version = match (self.is_gnu(), paths::only_llvm()) {
            (true, _) => return self.name().into(),
            (false, Some(only)) => only,
            (false, None) if self.is_newest() => 22,
            (false, None) => 19,
        };
        match self.family() {
            "flang" if version < 20 => format!("flang-new-{version}"),
            family => format!("{family}-{version}"),
        }
    }

    /// Whether this is the newest version, which compiles for the newest OpenMP that it knows.
    fn is_newest(self) -> bool {
        matches!(self, Compiler::Clang22 | Compiler::Clangxx22 | Compiler::Flang22)
    }

    /// Returns the flags that a compiler needs besides. Debian 12's LLVM 22 comes without a runtime
    /// of its own, and its headers exclude those of 19: it takes the runtime, and C the header, of
    /// 19.
    fn own_flags(self) -> &'static [&'static str] {
        const LIBRARY: &str = "-L/usr/lib/llvm-19/lib";
        const HEADER: &str = "-idirafter/usr/lib/llvm-19/lib/clang/19/include";
        const SIX: &str = "-fopenmp-version=60";
        match (self.is_newest() && knows_six(), paths::only_llvm()) {
            (false, _) => &[],
            (true, Some(_)) => &[SIX],
            (true, None) if self == Compiler::Flang22 => &[SIX, LIBRARY],
            (true, None) => &[SIX, HEADER, LIBRARY],
        }
    }

    /// Whether its programs call GCC's entry points (`GOMP_*`) and not LLVM's (`__kmpc_*`).
    pub fn is_gnu(self) -> bool {
        matches!(self, Compiler::Gcc | Compiler::Gxx | Compiler::Gfortran)
    }

    /// Compiles and links `source` with `-O2 -g -fopenmp` and `flags`, and returns the program's
    /// path; an error is the compiler's own message. An unchanged program comes from the cache.
    pub fn compile(self, source: &Path, flags: &[&str]) -> Result<PathBuf, String> {
        let mut all = vec!["-O2", "-g", "-fopenmp"];
        if self.family() != "flang" {
            all.push("-pthread");
        }
        all.extend_from_slice(self.own_flags());
        all.extend_from_slice(flags);
        self.compile_with(source, &all)
    }

    /// As [`Compiler::compile`], with exactly these flags.
    pub fn compile_with(self, source: &Path, flags: &[&str]) -> Result<PathBuf, String> {
        let name = source.file_stem().and_then(|s| s.to_str()).unwrap_or("program");
        self.compile_all(name, &[source.to_owned()], flags)
    }

    /// As [`Compiler::compile_with`], for one program of several sources.
    pub fn compile_all(
        self,
        name: &str,
        sources: &[PathBuf],
        flags: &[&str],
    ) -> Result<PathBuf, String> {
        let key = self.key(sources, flags)?;
        let output = paths::cache().join(format!("{name}-{}-{key:016x}", self.name()));
        let lock_path = output.with_extension("lock");
        let lock = File::create(&lock_path).map_err(|e| format!("{}: {e}", lock_path.display()))?;
        lock.lock().map_err(|e| format!("{}: {e}", lock_path.display()))?;
        if output.exists() {
            let _ = renew(&output, sources);
            return Ok(output);
        }
        // Fortran compilers write .mod files into the current directory; a separate folder keeps
        // two compilers' modules apart.
        let work = output.with_extension("work");
        fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
        let partial = work.join("program");
        let result = Command::new(self.command())
            .current_dir(&work)
            .args(sources)
            .arg("-o")
            .arg(&partial)
            .args(flags)
            .output()
            .map_err(|e| format!("{}: {e}: run `cargo xtask setup` as root", self.command()))?;
        if !result.status.success() {
            return Err(format!(
                "{} {name} {}: {}\n{}",
                self.command(),
                flags.join(" "),
                result.status,
                String::from_utf8_lossy(&result.stderr)
            ));
        }
        fs::rename(&partial, &output).map_err(|e| format!("{}: {e}", output.display()))?;
        // Split debug information must stay in the folder that the program names.
        if !flags.contains(&"-gsplit-dwarf") {
            let _ = fs::remove_dir_all(&work);
        }
        let _ = fs::remove_file(&lock_path);
        Ok(output)
    }

    fn key(self, sources: &[PathBuf], flags: &[&str]) -> Result<u64, String> {
        let mut hasher = DefaultHasher::new();
        self.identity().hash(&mut hasher);
        flags.hash(&mut hasher);
        let folders: Vec<&Path> =
            flags.iter().filter_map(|flag| flag.strip_prefix("-I")).map(Path::new).collect();
        // The key covers each source, and each of our files that it includes, found in the places
        // where the compiler looks.
        let mut files = sources.to_vec();
        let mut next = 0;
        while let Some(file) = files.get(next).cloned() {
            next += 1;
            let text = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            text.hash(&mut hasher);
            for name in included(&String::from_utf8_lossy(&text)) {
                let places = file.parent().into_iter().chain(folders.iter().copied());
                let found = places.map(|folder| folder.join(name)).find(|path| path.is_file());
                files.extend(found.filter(|path| !files.contains(path)));
            }
        }
        Ok(hasher.finish())
    }

    /// Returns the compiler's file, its size and its time of change. A reinstalled package changes
    /// them, and they cost microseconds, where `clang --version` takes 20 ms.
    fn identity(self) -> Option<(PathBuf, u64, SystemTime)> {
        let folders = std::env::var_os("PATH")?;
        let found = std::env::split_paths(&folders).map(|folder| folder.join(self.command()));
        let file = found.filter_map(|path| path.canonicalize().ok()).find(|path| path.is_file())?;
        let about = file.metadata().ok()?;
        let written = about.modified().ok()?;
        Some((file, about.len(), written))
    }
}

/// Whether the newest LLVM of the machine compiles OpenMP 6.0.
fn knows_six() -> bool {
    paths::only_llvm().is_none_or(|version| version >= 22)
}

/// Finds the names in the include lines of C and Fortran.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix('#').map_or(line, str::trim_start);
        let rest = line.strip_prefix("include")?.trim_start();
        let end = match rest.chars().next()? {
            '<' => '>',
            quote @ ('"' | '\'') => quote,
            _ => return None,
        };
        rest[1..].split(end).next()
    })
}

/// Makes a cached program at least as new as its sources, which a checkout may have written again
/// with the same text: a debugger does not believe a source that is newer than its program.
fn renew(program: &Path, sources: &[PathBuf]) -> std::io::Result<()> {
    let built = fs::metadata(program)?.modified()?;
    let is_newer = |source: &PathBuf| {
        fs::metadata(source).and_then(|it| it.modified()).is_ok_and(|written| written > built)
    };
    if sources.iter().any(is_newer) {
        File::open(program)?.set_modified(std::time::SystemTime::now())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn include_lines() {
        let text =
            "#include \"a.h\"\n  # include <b/c.h> // d\n  include 'e.inc'\nincluded\nint include;";
        assert_eq!(included(text).collect::<Vec<_>>(), ["a.h", "b/c.h", "e.inc"]);
    }
}
