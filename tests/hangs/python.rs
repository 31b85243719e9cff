//! Libraries that Python programs load, whose threads want the interpreter.

use std::path::{Path, PathBuf};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;

use super::{expected, findings, is_right, start, until_right};

/// Debian's: the machine may have another first in its PATH.
const PYTHON: &str = "/usr/bin/python3";

/// Builds the library, has Python call its function `work`, and asks.
pub fn hang(compiler: Compiler, source: &Path) -> Result<(), String> {
    let expected = expected(source)?;
    let library = compiler.compile(source, &["-shared", "-fPIC"])?;
    let host = paths::tests().join("hangs/python/host/call.py");
    let how = PathBuf::from(match &*expected.kind {
        "none" => "releases",
        "waits-for-ever" => "locks",
        _ => "keeps",
    });
    let running = start(Path::new(PYTHON), &[host, how, library])?;
    if expected.kind != "none" {
        until_right(source, &expected, &running)?;
        // Who wants the interpreter is awake for moments: each look finds the cause nevertheless.
        let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return (0..super::EACH_LOOKS).try_for_each(|_| {
            let (seen, text) = super::ask(running.subject)?;
            match is_right(findings(&seen), &expected, &name) {
                true => Ok(()),
                false => Err(format!("not each look finds it:\n{text}")),
            }
        });
    }
    (0..super::EACH_LOOKS).try_for_each(|_| super::claims_nothing(&running))
}
