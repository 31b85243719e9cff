//! Libraries that a program loads, and that hang in the last call of a function: no frame mixes a
//! line of the one with a function of the other.

use std::path::Path;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;

use super::{expected, start, until_right};

/// Tests a library: builds it, lets the host program load it, and asks.
pub fn hang(compiler: Compiler, source: &Path) -> Result<(), String> {
    let expected = expected(source)?;
    let library = compiler.compile(source, &["-shared", "-fPIC"])?;
    let host = paths::tests().join("hangs/plugins/host/load.c");
    let program = Compiler::Gcc.compile(&host, &["-ldl"])?;
    let running = start(&program, &[library])?;
    let seen = until_right(source, &expected, &running)?;
    let threads = seen["snapshot"]["threads"].as_array().cloned().unwrap_or_default();
    for frame in threads.iter().filter_map(|thread| thread["stack"].as_array()).flatten() {
        let is_main = frame["function"] == "main";
        let is_host = frame["file"].as_str().is_some_and(|file| file.ends_with("load.c"));
        if is_main != is_host {
            return Err(format!("a line and a name that do not belong together: {frame}"));
        }
    }
    let teams = seen["snapshot"]["teams"].as_array().cloned().unwrap_or_default();
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for team in teams.iter().filter(|team| !team["parent"].is_null()) {
        if !team["location"].as_str().unwrap_or_default().contains(&name) {
            return Err(format!("the region is not found: {team}"));
        }
    }
    Ok(())
}
