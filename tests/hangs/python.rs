//! Libraries that Python programs load, whose threads want the interpreter.

use std::path::{Path, PathBuf};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;

use super::{expected, start, until_right};

/// Debian's: the machine may have another first in its PATH.
const PYTHON: &str = "/usr/bin/python3";

/// Builds the library, has Python call its function `work`, and asks.
pub fn hang(compiler: Compiler, source: &Path) -> Result<(), String> {
    let expected = expected(source)?;
    let library = compiler.compile(source, &["-shared", "-fPIC"])?;
    let host = paths::tests().join("hangs/python/host/call.py");
    let how = PathBuf::from(if expected.kind == "none" { "releases" } else { "keeps" });
    let running = start(Path::new(PYTHON), &[host, how, library])?;
    if expected.kind != "none" {
        return until_right(source, &expected, &running).map(drop);
    }
    (0..super::HEALTHY_LOOKS).try_for_each(|_| super::claims_nothing(&running))
}
