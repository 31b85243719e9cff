//! `bench --pack`: one folder that measures our runtime and the peers on any Linux of x86-64,
//! without a compiler. `bench/pack/run.sh` runs there.
//!
//! What must hold: nothing in the folder is a link, or needs a file outside of it. So the programs
//! start by a loader, and with a C library, that are packed with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::compiler::Compiler;
use crate::peers::contenders;
use crate::{exec, micro, paths, uneven};

/// The largest size of the folder, bytes.
const SIZE_LIMIT: u64 = 60_000_000;

/// Makes the folder again from nothing, with the programs of these compilers.
///
/// # Errors
/// When a program does not compile, a file cannot be copied, or the folder becomes too large.
pub fn make(folder: &Path, compilers: &[Compiler]) -> Result<(), String> {
    let _ = fs::remove_dir_all(folder);
    let sources = paths::repository().join("bench/pack");
    let within =
        Compiler::Gcc.compile_with(&sources.join("within.c"), &["-O2", "-static", "-pthread"])?;
    let mut pack = Pack { folder: folder.into(), needed: BTreeMap::new(), bytes: 0 };
    pack.add(&within, "programs/within")?;
    pack.add(&sources.join("run.sh"), "run.sh")?;
    for &compiler in compilers {
        pack.compiler(compiler)?;
    }
    let names: Vec<&str> = compilers.iter().map(|compiler| compiler.name()).collect();
    pack.write("programs/compilers", &names)?;
    for (name, file) in std::mem::take(&mut pack.needed) {
        pack.add(&file, &format!("system/{name}"))?;
    }
    println!("{}: {:.1} MB; run.sh in it prints the table", folder.display(), pack.megabytes());
    if pack.bytes > SIZE_LIMIT { Err("the folder is larger than 60 MB".into()) } else { Ok(()) }
}

struct Pack {
    folder: PathBuf,
    /// The files of the system that the programs and runtimes need: name, and path.
    needed: BTreeMap<String, PathBuf>,
    bytes: u64,
}

impl Pack {
    /// Adds this compiler's programs, their rows, and each runtime by the name that the programs
    /// ask for.
    fn compiler(&mut self, compiler: Compiler) -> Result<(), String> {
        let (micro, (uneven, listed)) = (micro::compile(compiler)?, uneven::compiled(compiler)?);
        let rows = micro::rows(&micro, &[])?;
        self.write("programs/micro.rows", &rows)?;
        self.write("programs/uneven.rows", &listed.lines().collect::<Vec<_>>())?;
        for (program, name) in [(micro, "micro"), (uneven, "uneven")] {
            self.add(&program, &format!("programs/{name}-{}", compiler.name()))?;
            self.need(&program)?;
        }
        let all = contenders(compiler.is_gnu())?;
        let soname = if compiler.is_gnu() { "libgomp.so.1" } else { "libomp.so.5" };
        let runtimes = format!("runtimes/{}", compiler.name());
        for each in &all {
            let Some(from) = each.runtime.library_path() else {
                return Err(format!("{} was not found", each.name));
            };
            let library = from.join(soname);
            self.add(&library, &format!("{runtimes}/{}/{soname}", each.name))?;
            self.need(&library)?;
        }
        let names: Vec<&str> = all.iter().map(|each| each.name).collect();
        self.write(&format!("{runtimes}/names"), &names)
    }

    /// Notes the loader and the libraries that it finds for `file`, except OpenMP runtimes.
    fn need(&mut self, file: &Path) -> Result<(), String> {
        let outcome = exec::run(Command::new("ldd").arg(file))?;
        for line in outcome.stdout.lines() {
            let mut words = line.split_whitespace();
            let (Some(name), second) = (words.next(), words.next()) else { continue };
            let path = if second == Some("=>") { words.next().unwrap_or_default() } else { name };
            let name = name.rsplit('/').next().unwrap_or(name);
            let is_runtime = ["libgomp", "libomp", "libiomp5"].iter().any(|r| name.starts_with(r));
            if path.starts_with('/') && !is_runtime {
                self.needed.insert(name.into(), path.into());
            }
        }
        Ok(())
    }

    fn write(&mut self, name: &str, lines: &[impl AsRef<str>]) -> Result<(), String> {
        let text: String = lines.iter().flat_map(|line| [line.as_ref(), "\n"]).collect();
        let to = self.place(name)?;
        self.bytes += text.len() as u64;
        fs::write(&to, text).map_err(|e| format!("{}: {e}", to.display()))
    }

    fn add(&mut self, from: &Path, name: &str) -> Result<(), String> {
        let to = self.place(name)?;
        let copied = fs::copy(from, &to);
        self.bytes += copied.map_err(|e| format!("{} to {name}: {e}", from.display()))?;
        Ok(())
    }

    fn place(&self, name: &str) -> Result<PathBuf, String> {
        let to = self.folder.join(name);
        let above = to.parent().unwrap_or(&self.folder);
        fs::create_dir_all(above).map_err(|e| format!("{}: {e}", above.display()))?;
        Ok(to)
    }

    fn megabytes(&self) -> f64 {
        self.bytes as f64 / 1e6
    }
}
