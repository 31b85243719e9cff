//! Tools: attached late, with fork and exit, at first calls and at the end.

use super::*;

/// Tests a tool that is loaded late. Either the program links with the runtime, or (`brings`) only
/// the tool's library does.
pub fn late_tool(compiler: Compiler, brings: bool) -> Result<(), String> {
    let openmp = |wanted: bool| if wanted { "-fopenmp" } else { "-O2" };
    let flags = ["-DTOOL", "-fPIC", "-shared", openmp(brings)];
    let tool = compiler.compile_with(&source("late_tool"), &flags)?;
    let program = compiler.compile_with(&source("late_tool"), &[openmp(!brings), "-ldl"])?;
    on_ours(|| fine(Command::new(&program).arg(&tool), &Runtime::Omphalos).map(drop))
}

/// Tests a program with a tool of its own.
pub fn with_tool(compiler: Compiler, name: &str, how: Option<&str>) -> Result<(), String> {
    let headers = format!("-I{}", paths::repository().join("runtime/abi/include").display());
    let program = compiler.compile(&source(name), &["-rdynamic", &headers])?;
    on_ours(|| fine(Command::new(&program).args(how), &Runtime::Omphalos).map(drop))
}

/// Tests a tool that asks for a thread's place, in a signal handler, before anything has bound the
/// thread.
pub fn place_tool(compiler: Compiler) -> Result<(), String> {
    let headers = format!("-I{}", paths::repository().join("runtime/abi/include").display());
    let program = compiler.compile(&source("place_tool"), &["-rdynamic", &headers])?;
    on_ours(|| {
        let mut command = Command::new(&program);
        command.env("OMP_PROC_BIND", "close").env("OMP_PLACES", "threads");
        fine(command.env("OMP_DISPLAY_AFFINITY", "true"), &Runtime::Omphalos).map(drop)
    })
}

/// Tests that the process ends with the program's last thread when the main thread leaves.
pub fn leaves(compiler: Compiler, how: &str, tool: &str) -> Result<(), String> {
    let headers = format!("-I{}", paths::repository().join("runtime/abi/include").display());
    let program = compiler.compile(&source("leaves"), &["-rdynamic", &headers])?;
    on_ours(|| {
        let mut command = Command::new(&program);
        fine(command.arg(how).env("OMP_TOOL", tool), &Runtime::Omphalos).map(drop)
    })
}

/// Tests signal handlers that ask OpenMP while threads make their first calls.
pub fn first_calls(compiler: Compiler, how: &str) -> Result<(), String> {
    let program = compiler.compile(&source("first_calls"), &[])?;
    on_ours(|| {
        let mut command = Command::new(&program);
        command.args((how == "main_first").then_some(how));
        fine(&mut command, &Runtime::Omphalos).map(drop)
    })
}
