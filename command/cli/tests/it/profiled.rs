//! The profiles of programs that load libraries, or that never end by themselves.

use std::path::Path;

use serde_json::Value;

use crate::common::{bare, compile, finish, folder, installed_tree, of_tree, stderr, stdout};

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

/// Threads that have left a barrier work in regions inside one that never ends: that is its work,
/// and no wait at a barrier.
#[test]
fn a_region_that_never_ends_works() {
    let (folder, tree) = (folder(), installed_tree());
    let source = r"
        #include <omp.h>
        #include <unistd.h>
        volatile double sink[64];
        __attribute__((noinline)) void inner(int n) {
            double sum = 0;
            #pragma omp parallel for reduction(+ : sum) if (n > 1000000)
            for (int i = 0; i < n; i++) sum += i * 0.5;
            sink[omp_get_thread_num() * 8] += sum;
        }
        int main(void) {
            alarm(1);
            #pragma omp parallel num_threads(2)
            {
                double begin = omp_get_wtime();
                while (omp_get_wtime() - begin < 0.001) continue;
                #pragma omp barrier
                for (;;) inner(2000);
            }
        }";
    for compiler in COMPILERS {
        let program = folder.path().join(format!("open-{compiler}"));
        compile(compiler, folder.path(), source, &["-O2", "-fopenmp"], &program);
        let profile = folder.path().join(format!("open-{compiler}.omph"));
        let mut command = of_tree(&tree);
        let output = finish(command.args(["profile", "-o"]).arg(&profile).arg(program));
        assert!(stderr(&output).contains("signal 14"), "{}", stderr(&output));
        let output = finish(of_tree(&tree).arg("report").arg(&profile).arg("--json"));
        let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let regions = report["regions"].as_array().expect("regions");
        let outer = regions.iter().find(|row| row["level"] == 1).expect("the outer region");
        let time = |field: &str| outer[field].as_u64().expect("a time");
        let (work, wait) = (time("work_ns"), time("barrier_wait_ns"));
        assert!(wait * 4 < work, "{compiler}: {outer}");
        let diagnosis = report["diagnosis"].to_string();
        assert!(!diagnosis.contains("imbalance"), "{compiler}: {diagnosis}");
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

/// Compilers leave by a jump for a body's last call, so that the runtime is told a place inside
/// itself: for a region's body, for a function that it leaves for, for one with two such jumps.
#[test]
fn a_lock_that_a_body_asks_for_last_has_its_line() {
    let (folder, tree) = (folder(), installed_tree());
    let source = r"
        #include <omp.h>
        static omp_lock_t w, x, y, z;
        static volatile int held;
        static void hold(omp_lock_t *lock) {
            omp_set_lock(lock);
            held = 1;
            for (double end = omp_get_wtime() + 0.1; omp_get_wtime() < end;) { }
            omp_unset_lock(lock);
        }
        void ask(void) { held = 0; omp_set_lock(&y); }
        int main(int argc, char **argv) {
            omp_init_lock(&w); omp_init_lock(&x); omp_init_lock(&y); omp_init_lock(&z);
            #pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 0) hold(&x);
            else {
                while (!held) { }
                omp_set_lock(&x);
            }
            held = 0;
            #pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 0) hold(&y);
            else {
                while (!held) { }
                ask();
            }
            #pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == argc)
                omp_set_lock(&z);
            else
                omp_set_lock(&w);
            return 0;
        }
    ";
    for compiler in ["gcc", "clang-19"] {
        let (app, out) = (folder.path().join(compiler), folder.path().join("out.omph"));
        compile(compiler, folder.path(), source, &["-fopenmp"], &app);
        let mut command = of_tree(&tree);
        command.args(["profile", "--no-report", "--output"]).arg(&out).arg(&app);
        let output = finish(command.env("OMP_DYNAMIC", "false"));
        assert!(output.status.success(), "{compiler}: {}", stderr(&output));
        let shown = stdout(&finish(bare().args(["report", "--json"]).arg(&out)));
        let shown: Value = serde_json::from_str(&shown).unwrap();
        let labels = |name: &str| {
            let rows = shown["mutexes"].as_array().unwrap().iter();
            let row = rows.clone().find(|row| row["name"] == name).expect(name);
            let sites = row["sites"].as_array().unwrap().iter();
            let labels = sites.map(|site| site["construct"]["label"].as_str().unwrap().to_owned());
            let mut labels: Vec<_> = labels.collect();
            labels.sort();
            labels
        };
        let file = format!("{compiler}.c");
        let has = |name: &str, place: &str| {
            assert!(
                labels(name).contains(&format!("{file}:{place}")),
                "{name}: {:?}",
                labels(name)
            );
        };
        has("lock x", "18 in main");
        has("lock y", "11 in ask");
        // One jump for both, which has one of the two lines, or both.
        let either = ["29 in main", "31 in main"].map(|place| format!("{file}:{place}"));
        let last = format!("a last call in region at {file}:27 in main");
        for lock in ["lock w", "lock z"] {
            let [label] = &labels(lock)[..] else { panic!("{lock}: {:?}", labels(lock)) };
            assert!(*label == last || either.contains(label), "{lock}: {label}");
        }
    }
}

/// A process that waits for another one in a call of MPI has no serial work.
#[test]
fn waiting_in_mpi_is_not_called_serial_work() {
    let (folder, tree) = (folder(), installed_tree());
    // It waits as MPI's libraries do: with the processor kept busy.
    let source = r"
        #include <time.h>
        static double now(void) {
            struct timespec time;
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
            return time.tv_sec + time.tv_nsec * 1e-9;
        }
        __attribute__((noinline)) static void progress(double until) {
            while (now() < until) continue;
        }
        __attribute__((noinline)) void MPI_Barrier(double until) {
            progress(until);
            __asm__ volatile(``);
        }
        int main(void) {
            volatile int n = 0;
            #pragma omp parallel num_threads(2)
            n = 1;
            MPI_Barrier(now() + 0.4);
            return n;
        }"
    .replace("``", "\"\"");
    let program = folder.path().join("ranks");
    compile("gcc", folder.path(), &source, &["-fopenmp", "-fno-inline"], &program);
    let profile = folder.path().join("ranks.omph");
    let mut command = of_tree(&tree);
    let output = finish(command.args(["profile", "--no-report", "-o"]).arg(&profile).arg(program));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let output = finish(bare().arg("report").arg(&profile).arg("--json"));
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let finding = &report["diagnosis"][0];
    assert_eq!(finding["place"], "MPI_Barrier", "{report:#}");
    let text = |field: &str| finding[field].as_str().expect("a text").to_owned();
    assert!(text("evidence").contains("waiting for other processes"), "{finding:#}");
    assert!(!text("evidence").contains("speedup"), "{finding:#}");
    assert!(text("advice").contains("the same work"), "{finding:#}");
}

/// A program that crashes soon leaves the figures up to then.
#[test]
fn an_early_crash_leaves_figures() {
    let (folder, tree) = (folder(), installed_tree());
    let source = r"
        #include <omp.h>
        #include <signal.h>
        int main(void) {
            double begin = omp_get_wtime();
            for (;;) {
                #pragma omp parallel num_threads(2)
                for (double now = omp_get_wtime(); omp_get_wtime() < now + 0.002;) continue;
                if (omp_get_wtime() > begin + 0.18) raise(SIGSEGV);
            }
        }";
    let program = folder.path().join("crash");
    compile("gcc", folder.path(), source, &["-fopenmp"], &program);
    let profile = folder.path().join("crash.omph");
    let mut command = of_tree(&tree);
    let output = finish(command.args(["profile", "--no-report", "-o"]).arg(&profile).arg(program));
    assert!(stderr(&output).contains("signal 11"), "{}", stderr(&output));
    let output = finish(bare().arg("report").arg(&profile).arg("--json"));
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(report["summary"]["complete"], false, "{report:#}");
    let row = &report["regions"][0];
    assert!(row["instances"].as_u64() > Some(3), "{report:#}");
    assert!(row["construct"]["line"] == 7, "{report:#}");
}

/// More samples than the kernel's ticks are not taken, and a user who asks for more is told.
#[test]
fn a_rate_above_the_tick_is_said_to_be_one() {
    let (folder, tree) = (folder(), installed_tree());
    let source = "int main(void) { return 0; }";
    let program = folder.path().join("nothing");
    compile("gcc", folder.path(), source, &["-fopenmp"], &program);
    for (rate, is_said) in [("20000", true), ("50", false)] {
        let mut command = of_tree(&tree);
        command.args(["profile", "--no-report", "--hz", rate, "-o"]);
        let output = finish(command.arg(folder.path().join("nothing.omph")).arg(&program));
        let said = stderr(&output);
        assert_eq!(said.contains("and takes no more samples"), is_said, "{said}");
    }
}
