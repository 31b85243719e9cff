//! The library installed as copies instead of links, as in containers and after `cp -L`: the file
//! then has the name of the runtime that it replaces.

use std::fs;
use std::path::{Path, PathBuf};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;

use super::{build, expected, start_in, until_right};

pub fn library_by_another_name() -> Result<(), String> {
    let source = paths::tests().join("hangs/lock_cycle.c");
    let expected = expected(&source)?;
    for (compiler, name) in [(Compiler::Gcc, "libgomp.so.1"), (Compiler::Clang, "libomp.so.5")] {
        let program = build(compiler, &source, "")?;
        let folder = paths::scratch(&format!("copied-{name}"));
        fs::copy(paths::lib().join("libomphalos.so"), folder.join(name))
            .map_err(|error| format!("{name}: {error}"))?;
        // This path replaces the one of the installed library.
        let path = format!("LD_LIBRARY_PATH={}", folder.display());
        let words = [PathBuf::from(path), program];
        let running = start_in(Path::new("."), "env", &words)?;
        until_right(&source, &expected, &running).map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(())
}
