//! Looks from outside at a Python program that runs: the frames of Python and those of the machine
//! are of one moment. Where the region's function is on the stack, the line that calls it is, too.

use std::path::Path;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;
use omphalos_tests::runtime::Runtime;

use super::marked;
use super::standing::{stack_of, started};

const SCRIPT: &str = "running.py";
const LOOKS: usize = 16;

pub fn is_of_one_moment(python: &Path, runtime: &Runtime) -> Result<(), String> {
    let source = paths::tests().join("python").join(SCRIPT);
    let library = paths::tests().join("python/library.c");
    let library = Compiler::Gcc.compile(&library, &["-O2", "-g", "-shared", "-fPIC"])?;
    let text = std::fs::read_to_string(&source).map_err(|error| error.to_string())?;
    let line = marked(&text, "# compiled").next().ok_or("no mark")?.0;
    let running = started(python, runtime, &source, &library)?;
    let mut in_region = 0;
    for _ in 0..LOOKS {
        let stack = stack_of(running.pid())?;
        let has = |begin: &str| stack.iter().any(|frame| frame.starts_with(begin));
        let is_in_region = has("library.c:");
        let is_called = has(&format!("{SCRIPT}:{line} compiled"));
        let is_pure = stack.iter().any(|frame| frame.ends_with(" pure"));
        if is_in_region && (!is_called || is_pure) {
            return Err(format!("of two moments:\n{}", stack.join("\n")));
        }
        in_region += usize::from(is_in_region);
    }
    match in_region {
        0 => Err(format!("none of {LOOKS} looks found the thread in its region")),
        _ => Ok(()),
    }
}
