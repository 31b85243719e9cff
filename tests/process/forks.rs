//! Children of `fork`: the state that they find, and waits that they must not have.

use super::*;

/// Tests forks while other threads use everything that the process's locks guard, with tools of
/// three interfaces attached. `OMPHALOS_TEST_FORKS` is the number of forks.
pub fn fork_storm(compiler: Compiler) -> Result<(), String> {
    let headers = format!("-I{}", paths::repository().join("runtime/abi/include").display());
    let program = compiler.compile(&source("fork_storm"), &["-rdynamic", &headers, "-latomic"])?;
    let flags = ["-DOLDER", "-O2", "-fPIC", "-shared", &headers];
    let older = compiler.compile_with(&source("fork_storm"), &flags)?;
    let forks = std::env::var("OMPHALOS_TEST_FORKS").unwrap_or_else(|_| String::from("30"));
    on_ours(|| {
        let mut command = Command::new(&program);
        command.arg(&forks).env("OMPHALOS_TOOL_LIBRARIES", &older);
        fine(&mut command, &Runtime::Omphalos).map(drop)
    })
}

/// Tests that a child that is forked inside a region has none of the region's other threads, and
/// that none of them counts for its thread limit.
pub fn fork_under_limit(compiler: Compiler) -> Result<(), String> {
    let headers = format!("-I{}", paths::repository().join("runtime/abi/include").display());
    let program = compiler.compile(&source("fork_storm"), &["-rdynamic", &headers, "-latomic"])?;
    on_ours(|| {
        let mut command = Command::new(&program);
        command.args(["0", "limit"]).env("OMP_THREAD_LIMIT", "4").env("OMP_MAX_ACTIVE_LEVELS", "3");
        fine(&mut command, &Runtime::Omphalos).map(drop)
    })
}

/// Tests that a child waits for no task that only a thread of its parent can complete.
pub fn fork_lost(compiler: Compiler) -> Result<(), String> {
    let program = compiler.compile(&source("fork_lost"), &[])?;
    on_ours(|| {
        let mut command = Command::new(&program);
        command.env("OMP_THREADS_RESERVE", "structured(1),free_agent(1)");
        fine(&mut command, &Runtime::Omphalos).map(drop)
    })
}

/// Tests that a child leaves alone the tasks that other threads have queued for one helper, or for
/// one free agent.
pub fn fork_others_tasks(whose: &str) -> Result<(), String> {
    let program = Compiler::Clang.compile(&source("fork_others_tasks"), &[])?;
    on_ours(|| {
        let mut command = Command::new(&program);
        command.arg(whose).env("LIBOMP_NUM_HIDDEN_HELPER_THREADS", "1");
        command.env("OMP_THREADS_RESERVE", "structured(1),free_agent(1)");
        fine(&mut command, &Runtime::Omphalos).map(drop)
    })
}
