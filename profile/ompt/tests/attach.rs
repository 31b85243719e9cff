//! The example tool, loaded as runtimes load tools: by LLVM's, and by Omphalos if `OMPHALOS_LIB`
//! names its folder, into programs of GCC and of clang.

use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "
#include <stdio.h>
static double sum;
__attribute__((noinline)) static void region(void) {
#pragma omp parallel num_threads(2) reduction(+:sum)
    sum += 1;
}
int main(void) {
    for (int i = 0; i < 10; i++)
        region();
#pragma omp parallel num_threads(3) reduction(+:sum)
    sum += 1;
    printf(\"%g\\n\", sum);
    return 0;
}
";

/// GCC's header and library have no `omp_control_tool`; the runtime that the program meets has.
const WINDOW: &str = "
#define _GNU_SOURCE
#include <dlfcn.h>
static void regions(int count) {
    for (int i = 0; i < count; i++) {
#pragma omp parallel num_threads(2)
        __asm__ volatile(\"\");
    }
}
int main(void) {
    int (*control)(int, int, void *) = dlsym(RTLD_DEFAULT, \"omp_control_tool\");
    int bad = 0;
    regions(3);
    bad |= control(1, 0, 0) != 0;
    regions(5);
    bad |= control(2, 0, 0) != 0;
    regions(7);
    bad |= control(1, 0, 0) != 0;
    regions(11);
    bad |= control(4, 0, 0) != 0;
    bad |= control(99, 0, 0) != 1;
    regions(13);
    return bad;
}
";

/// A tool as built for this test run.
fn tool(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let profile = test.ancestors().nth(2).expect("a folder");
    let tool = profile.join(format!("examples/lib{name}.so"));
    assert!(tool.exists(), "{}: cargo builds examples along with tests", tool.display());
    tool
}

/// Returns folders with `libomp.so.5` and `libgomp.so.1` of each runtime that has OMPT.
fn runtimes(scratch: &Path) -> Vec<PathBuf> {
    let llvm = ["/usr/lib/llvm-19/lib/libomp.so.5", "/usr/lib/x86_64-linux-gnu/libomp.so.5"];
    let llvm = llvm.iter().map(PathBuf::from).find(|path| path.exists());
    let mut found = vec![llvm.expect("LLVM's runtime; apt-get install libomp-19-dev")];
    if let Some(folder) = std::env::var_os("OMPHALOS_LIB") {
        found.push(PathBuf::from(folder).join("libomphalos.so").canonicalize().expect("ours"));
    }
    let link = |(number, runtime): (usize, &PathBuf)| {
        let folder = scratch.join(format!("runtime{number}"));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        for name in ["libgomp.so.1", "libomp.so.5"] {
            std::os::unix::fs::symlink(runtime, folder.join(name)).expect("a link");
        }
        folder
    };
    found.iter().enumerate().map(link).collect()
}

/// Runs a program under a tool on each runtime, built by each compiler; checks its output and the
/// tool's.
fn everywhere(name: &str, source: &str, check: impl Fn(&str, &str)) {
    let folder = format!("omphalos-ompt-{name}-{}", std::process::id());
    let scratch = std::env::temp_dir().join(folder);
    let _ = std::fs::remove_dir_all(&scratch);
    let runtimes = runtimes(&scratch);
    let file = scratch.join("program.c");
    std::fs::write(&file, source).expect("a temporary file");
    for compiler in ["gcc", "clang-19"] {
        let program = scratch.join(compiler);
        let status = Command::new(compiler)
            .args(["-O1", "-fopenmp", "-o"])
            .args([&program, &file])
            .arg("-ldl")
            .status()
            .unwrap_or_else(|error| panic!("{compiler}: {error}; apt-get install it"));
        assert!(status.success());
        for runtime in &runtimes {
            let output = Command::new(&program)
                .env("LD_LIBRARY_PATH", runtime)
                .env("OMP_TOOL_LIBRARIES", tool(name))
                .env_remove("OMP_TOOL")
                .env_remove("OMP_THREAD_LIMIT")
                .output()
                .expect("a program that starts");
            let said = String::from_utf8_lossy(&output.stderr);
            let from = format!("{compiler}, {}: {said}", runtime.display());
            assert!(output.status.success(), "{}: {from}", output.status);
            println!("{from}");
            check(&String::from_utf8_lossy(&output.stdout), &said);
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
}

#[test]
fn a_tool_of_thirty_lines_sees_every_region() {
    everywhere("regions", PROGRAM, |printed, said| {
        assert_eq!(printed, "23\n");
        let mut times: Vec<u64> = said
            .lines()
            .filter_map(|line| line.strip_prefix("region at ")?.split(' ').nth(1)?.parse().ok())
            .collect();
        times.sort_unstable();
        assert_eq!(times, [1, 10], "{said}");
    });
}

/// Asking for events, and giving them up, while the program runs.
#[test]
fn a_tool_listens_while_it_is_wanted() {
    everywhere("window", WINDOW, |_, said| {
        let end = "regions in the window: 16; at the end Events(CONTROL_TOOL)";
        assert_eq!(said.trim_end(), end);
    });
}
