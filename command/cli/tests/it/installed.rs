//! The installed tree with real programs: run and profiled on Omphalos, reported again.

use std::path::Path;
use std::process::Command;

use crate::common::{compile, finish, folder, installed_tree, of_tree, stderr, stdout};

/// Prints the number of threads and which OpenMP runtimes are mapped; then works a little.
const PROGRAM: &str = r#"
#include <omp.h>
#include <stdio.h>
#include <string.h>
static volatile double sink;
static void work(void) {
    double end = omp_get_wtime() + 0.2;
    while (omp_get_wtime() < end) sink += 1.0;
}
int main(void) {
    int threads = 0;
    #pragma omp parallel num_threads(2)
    {
        #pragma omp atomic
        threads++;
        work();
    }
    int ours = 0, others = 0;
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps)) {
        ours |= strstr(line, "libomphalos.so") != NULL;
        // Names in that folder are Omphalos's own, without code.
        if (strstr(line, "/lib/ldconfig/")) continue;
        others |= strstr(line, "libgomp") || strstr(line, "libomp.so") || strstr(line, "libiomp5");
    }
    printf("threads %d, ours %d, others %d\n", threads, ours, others);
    return threads == 2 ? 5 : 1;
}
"#;

const COMPILERS: [&str; 2] = ["gcc", "clang-19"];

fn program(compiler: &str, folder: &Path) -> std::path::PathBuf {
    let path = folder.join(format!("program-{compiler}"));
    compile(compiler, folder, PROGRAM, &["-fopenmp"], &path);
    path
}

#[test]
fn run_replaces_the_runtime_of_both_compilers() {
    let (folder, tree) = (folder(), installed_tree());
    for compiler in COMPILERS {
        let output = finish(of_tree(&tree).arg("run").arg(program(compiler, folder.path())));
        assert_eq!(stdout(&output), "threads 2, ours 1, others 0\n", "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(5));
    }
}

/// Prints whether the name is loaded before anybody asks for it, and which runtime executes the
/// function that it then gives.
const ASKS: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads(void) { return 2; }
#endif
int main(int count, char **names) {
    int threads = omp_get_max_threads();
    for (int i = 1; i < count; i++) {
        void *there = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
        void *opened = dlopen(names[i], RTLD_LAZY);
        int (*most)(void) = (int (*)(void))dlsym(opened, "omp_get_max_threads");
        Dl_info info = {0};
        dladdr((void *)most, &info);
        printf("%s%s %d %s\n", i > 1 ? " " : "", there ? "there" : "not there",
               most && most() == threads, info.dli_fname);
    }
}
"#;

/// As in a process on the stock runtimes, a name is loaded only where something needs it: MKL
/// chooses its layer by that.
#[test]
fn a_name_is_loaded_where_something_needs_it() {
    let (folder, tree) = (folder(), installed_tree());
    let ours = tree.join("lib/libomphalos.so");
    let names = ["libgomp.so.1", "libomp.so.5", "libiomp5.so"];
    for (compiler, openmp, needs) in [
        ("gcc", "-O2", None),
        ("gcc", "-fopenmp", Some("libgomp.so.1")),
        ("clang-19", "-fopenmp", Some("libomp.so.5")),
    ] {
        let program = folder.path().join(format!("asks-{compiler}{openmp}"));
        compile(compiler, folder.path(), ASKS, &[openmp, "-ldl"], &program);
        for name in names {
            let output = finish(of_tree(&tree).arg("run").arg(&program).arg(name));
            let there = if needs == Some(name) { "there" } else { "not there" };
            let wanted = format!("{there} 1 {}\n", ours.display());
            assert_eq!(stdout(&output), wanted, "{compiler} {name}: {}", stderr(&output));
        }
    }
}

/// A runtime that is loaded beside ours, like a wheel's, does not show its settings.
#[test]
fn settings_are_shown_once() {
    let (folder, tree) = (folder(), installed_tree());
    let bundled = folder.path().join("libgomp-a34b3233.so.1.0.0");
    std::fs::copy("/usr/lib/x86_64-linux-gnu/libgomp.so.1", &bundled).unwrap();
    let program = folder.path().join("asks");
    compile("gcc", folder.path(), ASKS, &["-fopenmp", "-ldl"], &program);
    for (variable, value, blocks) in [
        ("OMP_DISPLAY_ENV", "true", 1),
        ("OMP_DISPLAY_ENV", "false", 0),
        ("OMP_PLACES", "cores", 0),
    ] {
        let mut command = of_tree(&tree);
        command.env(variable, value).arg("run").arg(&program).arg(&bundled);
        let output = finish(&mut command);
        assert_eq!(output.status.code(), Some(0));
        let said = stderr(&output);
        assert_eq!(said.matches("DISPLAY ENVIRONMENT BEGIN").count(), blocks, "{said}");
    }
    // A message about a bad value names the variable that was set.
    let mut command = of_tree(&tree);
    let output = finish(command.env("OMP_DISPLAY_ENV", "loud").arg("run").arg(&program));
    assert!(stderr(&output).contains("OMP_DISPLAY_ENV=\"loud\" is ignored"), "{}", stderr(&output));
}

#[test]
fn profile_reports_and_the_profile_can_be_seen_again() {
    let (folder, tree) = (folder(), installed_tree());
    for compiler in COMPILERS {
        let profile = folder.path().join(format!("{compiler}.omph"));
        let mut command = of_tree(&tree);
        command.arg("profile").arg("-o").arg(&profile).arg(program(compiler, folder.path()));
        let output = finish(&mut command);
        assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
        assert_eq!(stdout(&output), "threads 2, ours 1, others 0\n");
        let said = stderr(&output);
        assert!(said.contains("Parallel regions"), "{said}");
        assert!(said.contains(".c:12"), "the region's line is missing: {said}");

        let again = finish(of_tree(&tree).arg("report").arg(&profile));
        assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
        assert!(stdout(&again).contains("Parallel regions"));
        exports(&tree, &profile);
        cut_off(&tree, &profile);
    }
}

fn exports(tree: &Path, profile: &Path) {
    let svg = profile.with_extension("svg");
    let firefox = profile.with_extension("firefox.json");
    let mut command = of_tree(tree);
    command.arg("report").arg(profile).arg("--json").arg("--flamegraph").arg(&svg);
    let output = finish(command.arg("--firefox").arg(&firefox));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with('{'), "{}", stdout(&output));
    assert!(std::fs::read_to_string(&svg).unwrap().contains("<svg"));
    assert!(std::fs::read_to_string(&firefox).unwrap().starts_with('{'));
    let folded = finish(of_tree(tree).arg("report").arg(profile).arg("--folded"));
    assert!(stdout(&folded).lines().any(|line| line.contains("work")), "{}", stdout(&folded));
}

/// A profile whose end is missing is shown all the same, with a warning.
fn cut_off(tree: &Path, profile: &Path) {
    let bytes = std::fs::read(profile).unwrap();
    let cut = profile.with_extension("cut.omph");
    // The cut is within a record: an end between two records would leave no part of one.
    std::fs::write(&cut, &bytes[..bytes.len() - 5]).unwrap();
    let output = finish(of_tree(tree).arg("report").arg(&cut));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("cut off"), "{}", stdout(&output));
}

/// The constructor of a library uses OpenMP, and is called before the runtime's: the library needs
/// a stock runtime, which does not mention ours.
#[test]
fn profile_of_what_a_constructor_does() {
    let (folder, tree) = (folder(), installed_tree());
    let library = folder.path().join("libconstructed.so");
    let constructed = r"
        #include <omp.h>
        static volatile double sink;
        __attribute__((constructor)) static void in_the_constructor(void) {
            double end = omp_get_wtime() + 0.02;
            #pragma omp parallel num_threads(2)
            while (omp_get_wtime() < end) sink += 1.0;
        }
        int constructed(void) { return sink > 0.0; }";
    compile("gcc", folder.path(), constructed, &["-shared", "-fPIC", "-fopenmp"], &library);
    let program = folder.path().join("program");
    let main = "int constructed(void); int main(void) { return constructed() ? 5 : 1; }";
    let rpath = format!("-Wl,-rpath,{}", folder.path().display());
    let flags = ["-Wl,--no-as-needed", library.to_str().unwrap(), &rpath];
    compile("gcc", folder.path(), main, &flags, &program);
    let profile = folder.path().join("constructed.omph");
    let output = finish(of_tree(&tree).args(["profile", "-o"]).arg(&profile).arg(program));
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(stderr(&output).contains("in_the_constructor"), "{}", stderr(&output));
}

#[test]
fn profile_works_on_llvms_own_runtime() {
    let (folder, tree) = (folder(), installed_tree());
    let profile = folder.path().join("system.omph");
    let mut command = of_tree(&tree);
    command.args(["profile", "--runtime", "system", "-o"]).arg(&profile);
    let output = finish(command.arg(program("clang-19", folder.path())));
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert_eq!(stdout(&output), "threads 2, ours 0, others 1\n");
    assert!(stderr(&output).contains("Parallel regions"), "{}", stderr(&output));
}

#[test]
fn profile_of_a_program_without_openmp_says_so() {
    let (folder, tree) = (folder(), installed_tree());
    let mut command = of_tree(&tree);
    let output = finish(command.current_dir(folder.path()).args(["profile", "sh", "-c", "exit 4"]));
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("no OpenMP was used"), "{}", stderr(&output));
}

#[test]
fn doctor_finds_nothing_missing() {
    let (folder, tree) = (folder(), installed_tree());
    for compiler in COMPILERS {
        let program = program(compiler, folder.path());
        let output = finish(of_tree(&tree).arg("doctor").arg(program));
        assert!(stdout(&output).contains("Omphalos has all of them"), "{}", stdout(&output));
    }
}

#[test]
fn the_tree_has_its_parts() {
    let tree = installed_tree();
    let parts = [
        "lib/omphalos/libomphalos_agent.so",
        "share/man/man1/omphalos.1",
        "share/man/man1/omphalos-profile.1",
        "share/bash-completion/completions/omphalos",
        "share/zsh/site-functions/_omphalos",
        "share/fish/vendor_completions.d/omphalos.fish",
        "share/doc/omphalos/README.md",
        "share/doc/omphalos/LICENSE-MIT",
    ];
    for part in parts {
        assert!(tree.join(part).is_file(), "{part}");
    }
    let runtime = tree.join("lib/libomphalos.so").canonicalize().unwrap();
    for name in ["libgomp.so.1", "libgomp.so.1.0.0", "libomp.so.5", "libomp.so", "libiomp5.so"] {
        assert_eq!(tree.join("lib").join(name).canonicalize().unwrap(), runtime);
    }
    // A copy works as well as the original.
    let folder = folder();
    let copy = folder.path().join("copy");
    assert!(Command::new("cp").arg("-a").arg(&tree).arg(&copy).status().unwrap().success());
    assert!(finish(of_tree(&copy).args(["run", "true"])).status.success());
}
