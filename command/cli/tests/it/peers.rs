//! `omphalos inspect` on programs with other runtimes: the answers of their OMPD, the stacks
//! without it, and libraries that crash, hang or lie.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{compile, finish, folder, installed_tree, of_tree, stdout};

/// The third thread of four does not come to the barrier.
const BARRIER: &str = r#"
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
volatile int after;
int main(void) {
    alarm(240);
    puts("ready");
    fflush(stdout);
    #pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() != 2) {
            #pragma omp barrier
            after = 1; // no jump to the runtime, which would leave no frame
        }
    }
    return 0;
}
"#;

/// One thread holds a lock and sleeps; the other waits for it.
const LOCK: &str = r#"
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
omp_lock_t lock;
int main(void) {
    alarm(240);
    omp_init_lock(&lock);
    puts("ready");
    fflush(stdout);
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
            #pragma omp flush
            pause();
        } else {
            usleep(200000);
            omp_set_lock(&lock);
            usleep(1);
        }
    }
    return 0;
}
"#;

/// A program that is ended with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(program: &Path, environment: &[(&str, &str)]) -> Running {
    let mut command = Command::new(program);
    for name in ["LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_DEBUG", "OMP_TOOL_LIBRARIES"] {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied()).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let out = child.stdout.take().unwrap();
    let running = Running(child);
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    running
}

/// Asks until the answer has all of `wanted`: the machine's speed decides nothing.
fn ask(running: &Running, words: &[&str], wanted: &[&str]) -> String {
    let tree = installed_tree();
    let begun = Instant::now();
    loop {
        let mut command = of_tree(&tree);
        command.arg("inspect").args(words).arg(running.0.id().to_string());
        let output = finish(&mut command);
        let text = stdout(&output);
        if wanted.iter().all(|part| text.contains(part)) {
            return text;
        }
        assert!(begun.elapsed() < Duration::from_secs(40), "{words:?}: {wanted:?}\n{text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn built(folder: &Path, compiler: &str, name: &str, source: &str) -> PathBuf {
    let program = folder.join(name);
    compile(compiler, folder, source, &["-fopenmp"], &program);
    program
}

/// A program on any runtime shows its stacks, and why a barrier is not met.
#[test]
fn a_program_on_another_runtime_shows_its_stacks_and_its_barrier() {
    let folder = folder();
    for (compiler, runtime, why) in [
        ("gcc", "on GCC's runtime (libgomp.so.1", "GCC's runtime has no OMPD"),
        ("clang-19", "on LLVM's runtime (libomp.so.5)", "the runtime's own state is not read"),
    ] {
        let program = built(folder.path(), compiler, "barrier", BARRIER);
        let running = start(&program, &[("OMP_WAIT_POLICY", "passive")]);
        let threads = ask(&running, &[], &["waits at a barrier", "#0  main [parallel]", runtime]);
        assert!(threads.contains("omphalos run"), "{threads}");
        // A libomp with its symbols is read instead: then all of this is better known.
        if threads.contains("OpenMP threads") {
            continue;
        }
        assert!(threads.contains(why) && !threads.contains("OpenMP does not know"), "{threads}");
        ask(&running, &["--why"], &["A barrier is not met by all", "in no code of the program's"]);
        ask(
            &running,
            &["--why", "--json"],
            &["\"barrier-not-met\"", runtime.trim_start_matches("on ")],
        );
    }
}

/// A thread waits for the end of its region, and holds a lock that a member wants.
const HOLDS: &str = r#"
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
pthread_mutex_t unit = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    alarm(240);
    pthread_mutex_lock(&unit);
    puts("ready");
    fflush(stdout);
    #pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 2) {
        pthread_mutex_lock(&unit);
        pthread_mutex_unlock(&unit);
    }
    pthread_mutex_unlock(&unit);
    return 0;
}
"#;

/// The stacks tell who is in the region where the runtime tells nothing.
#[test]
fn a_circle_through_the_end_of_a_region_is_closed() {
    let folder = folder();
    for compiler in ["gcc", "clang-19"] {
        let program = built(folder.path(), compiler, "holds", HOLDS);
        let running = start(&program, &[("OMP_WAIT_POLICY", "passive")]);
        ask(&running, &["--why"], &["wait for each other", "waits for the pthread mutex 'unit'"]);
    }
}

/// Any libompd can be asked: here ours, for a program on our runtime, by its answers to any
/// debugger.
#[test]
fn a_library_that_is_named_is_asked() {
    let folder = folder();
    let tree = installed_tree();
    let libraries = tree.join("lib").to_string_lossy().into_owned();
    let library = tree.join("lib/libompd.so").to_string_lossy().into_owned();
    let program = built(folder.path(), "gcc", "barrier", BARRIER);
    let running = start(&program, &[("LD_LIBRARY_PATH", &libraries)]);
    let wanted = [
        "on a runtime in libomphalos.so: 4 OpenMP threads",
        "thread 0, initial (0 of 4",
        "waits at a barrier for member 2",
        "(2 of 4",
        "waits at the end of the region at barrier.c:10 in main for members",
    ];
    ask(&running, &["--ompd", &library], &wanted);
    let found = ask(&running, &["--why", "--ompd", &library], &["A barrier is not met by all"]);
    assert!(found.contains("thread 2 at the end of the region"), "{found}");
    let program = built(folder.path(), "gcc", "lock", LOCK);
    let running = start(&program, &[("LD_LIBRARY_PATH", &libraries)]);
    ask(
        &running,
        &["--ompd", &library],
        &["waits for the lock 'lock'", "in the system call pause"],
    );
}

/// Intel's runtime has its symbols; LLVM's libompd reads them. `OMPHALOS_IOMP5` names its file.
#[test]
fn llvm_s_library_reads_a_runtime_that_has_its_symbols() {
    let library = "/usr/lib/llvm-19/lib/libompd.so";
    let Some(runtime) = std::env::var_os("OMPHALOS_IOMP5").filter(|_| Path::new(library).exists())
    else {
        return;
    };
    let folder = folder();
    std::os::unix::fs::symlink(runtime, folder.path().join("libomp.so.5")).unwrap();
    let path = folder.path().to_string_lossy().into_owned();
    let program = built(folder.path(), "clang-19", "lock", LOCK);
    for (debug, wanted) in [
        ("disabled", &["started with OMP_DEBUG=enabled", "waits for a lock (omp_set_lock)"][..]),
        ("enabled", &["waits for the lock at"]),
    ] {
        let running = start(&program, &[("LD_LIBRARY_PATH", &path), ("OMP_DEBUG", debug)]);
        let text = ask(&running, &["--ompd", library], wanted);
        assert!(text.contains("thread 1 (1 of 2"), "{text}");
        assert!(text.contains("2 OpenMP threads"), "{text}");
    }
}

/// A library does not harm the program that asks it.
#[test]
fn a_library_that_crashes_hangs_or_lies_is_a_note() {
    const LIBRARIES: [(&str, &str, &str); 4] = [
        ("crashes", "*(volatile int *)8 = 1; return 0;", "its process ended (signal: 11"),
        ("hangs", "for (;;) pause();", "no answer of libompd's in time"),
        (
            "lies",
            "write(1, \"garbage garbage\", 15); return 0;",
            "what the process for libompd says",
        ),
        ("refuses", "return 7;", "ompd_rc_incompatible"),
    ];
    let folder = folder();
    let program = built(folder.path(), "gcc", "barrier", BARRIER);
    let running = start(&program, &[]);
    for (name, does, said) in LIBRARIES {
        let source = format!(
            "#include <unistd.h>\nint ompd_initialize(long v, void *t) {{ return 0; }}\n\
             int ompd_process_initialize(void *c, void **h) {{ {does} }}"
        );
        let library = folder.path().join(name);
        compile("gcc", folder.path(), &source, &["-shared", "-fPIC", "-w"], &library);
        let text = ask(&running, &["--ompd", &library.to_string_lossy()], &["#0  main [parallel]"]);
        assert!(text.contains(said), "{text}");
    }
    for (library, said) in [
        ("/lib/x86_64-linux-gnu/libc.so.6", "it lacks ompd_initialize"),
        ("/nowhere", "cannot open shared object file"),
    ] {
        let text = ask(&running, &["--ompd", library], &["main [parallel]"]);
        assert!(text.contains(said), "{text}");
    }
}
