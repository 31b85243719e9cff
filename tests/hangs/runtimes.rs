//! Several OpenMP runtimes in one process, as when a program loads a library of another compiler:
//! `omphalos inspect` names them and says which threads belong to which.

use std::process::Command;
use std::time::Instant;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;
use omphalos_tests::runtime::Runtime;

use super::{LIMIT, start_on};

pub fn several() -> Result<(), String> {
    let source = paths::tests().join("hangs/runtimes/several.c");
    let library = Compiler::Clang.compile(&source, &["-shared", "-fPIC", "-DLIBRARY"])?;
    let path = library.to_str().ok_or("a strange path")?;
    let program = Compiler::Gcc.compile(&source, &[path])?;
    let running = start_on(&Runtime::Stock, &program, &[])?;
    let begun = Instant::now();
    loop {
        let mut inspect = Command::new(paths::omphalos());
        inspect.arg("inspect").arg(running.subject.to_string());
        let output = inspect.output().map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let head = text.lines().next().unwrap_or_default();
        let both = ["GCC's runtime (libgomp.so.1", " and ", "LLVM's runtime (libomp"];
        let has_both = both.iter().all(|part| head.contains(part));
        if has_both && text.contains("several OpenMP runtimes") {
            return Ok(());
        }
        if begun.elapsed() > LIMIT {
            return Err(format!("both runtimes are not said:\n{text}"));
        }
    }
}
