//! What a profile says of programs that load libraries, or that never end by themselves.

use std::path::Path;

use crate::common::{compile, finish, folder, installed_tree, of_tree, stderr, stdout};

const COMPILERS: [&str; 2] = ["gcc", "clang-19"];

/// A library of the current folder, which the program leaves; both regions have their line.
#[test]
fn a_library_loaded_by_a_relative_path_has_lines() {
    let (folder, tree) = (folder(), installed_tree());
    let library = r"
        static volatile double sink;
        int run(void) {
            int sum = 0;
            #pragma omp parallel num_threads(2) reduction(+ : sum)
            for (int i = 0; i < 1000000; i++) sink += 1.0, sum += i & 1;
            return sum > 0;
        }";
    let main = r#"
        #include <dlfcn.h>
        #include <unistd.h>
        int main(int count, char **names) {
            void *library = dlopen(names[1], RTLD_NOW);
            int (*run)(void) = (int (*)(void))dlsym(library, "run");
            int good = run();
            return chdir("/") == 0 && good && run() ? 5 : 1;
        }"#;
    for compiler in COMPILERS {
        let flags = ["-shared", "-fPIC", "-fopenmp"];
        compile(compiler, folder.path(), library, &flags, &folder.path().join("librun.so"));
        let program = folder.path().join("program");
        compile(compiler, folder.path(), main, &["-ldl"], &program);
        let mut command = of_tree(&tree);
        command.current_dir(folder.path()).args(["profile", "-o"]);
        command.arg(folder.path().join(format!("{compiler}.omph")));
        let output = finish(command.arg(program).arg("./librun.so"));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(5), "{compiler}: {said}");
        assert!(said.contains("librun.so.c:5 in run"), "{compiler}: {said}");
    }
}

/// A thread that waits for a lock for ever when the program is killed: the wait is in every table,
/// and is no work.
#[test]
fn a_wait_that_never_ends_is_a_wait() {
    let (folder, tree) = (folder(), installed_tree());
    let source = r"
        #include <omp.h>
        #include <unistd.h>
        int main(void) {
            omp_lock_t lock;
            omp_init_lock(&lock);
            omp_set_lock(&lock);
            alarm(2);
            #pragma omp parallel num_threads(2)
            {
                if (omp_get_thread_num() == 0) for (;;) pause();
                omp_set_lock(&lock);
                omp_unset_lock(&lock);
            }
        }";
    for compiler in COMPILERS {
        let program = folder.path().join(format!("hung-{compiler}"));
        compile(compiler, folder.path(), source, &["-fopenmp"], &program);
        let profile = folder.path().join(format!("{compiler}.omph"));
        let mut command = of_tree(&tree);
        let output = finish(command.args(["profile", "-o"]).arg(&profile).arg(program));
        assert!(stderr(&output).contains("signal 14"), "{}", stderr(&output));
        holds(&tree, &profile);
    }
}

fn holds(tree: &Path, profile: &Path) {
    let output = finish(of_tree(tree).arg("report").arg(profile).arg("--json"));
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let (region, mutex) = (&report["regions"][0], &report["mutexes"][0]);
    let time = |value: &serde_json::Value| value.as_u64().unwrap_or(0);
    let waited = time(&region["mutex_wait_ns"]);
    assert!(waited > 100_000_000, "{region:#}");
    assert!(time(&region["work_ns"]) < waited / 2, "{region:#}");
    assert!(time(&mutex["wait_ns"]) >= waited / 2, "{mutex:#}");
    assert!(time(&mutex["contended"]) <= time(&mutex["acquisitions"]), "{mutex:#}");
}
