//! Looks at real processes and cores, also at those that end, become other programs, or are
//! damaged.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use omphalos_inspect::space::Space;
use omphalos_inspect::space::live::Live;
use omphalos_inspect::{Ompd, Way, look, text};

/// A program without OpenMP: a thread with an ugly name waits for a mutex. The first thread holds
/// it, and sleeps.
const SLEEPER: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *wait_for_it(void *unused) {
    prctl(PR_SET_NAME, "a\033[2Jb");
    puts("ready");
    fflush(stdout);
    pthread_mutex_lock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    alarm(240);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, wait_for_it, NULL);
    pause();
    return 0;
}
"#;

/// Becomes itself again and again, with a thread each time.
const CHANGER: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *rest(void *unused) { usleep(500); return unused; }
int main(int count, char **words) {
    pthread_t thread[6];
    char number[16];
    int left = count > 1 ? atoi(words[1]) : 3000;
    if (count < 2) { puts("ready"); fflush(stdout); }
    for (int i = 0; i < 6; i++) pthread_create(&thread[i], NULL, rest, NULL);
    usleep(100);
    if (left == 0) return 0;
    sprintf(number, "%d", left - 1);
    execl(words[0], words[0], number, (char *)NULL);
    return 1;
}
"#;

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn compiled(folder: &Path, name: &str, source: &str) -> PathBuf {
    let file = folder.join(name).with_extension("c");
    std::fs::write(&file, source).unwrap();
    let program = folder.join(name);
    let output = Command::new("gcc")
        .args(["-O1", "-g", "-pthread", "-o"])
        .arg(&program)
        .arg(&file)
        .output()
        .expect("gcc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

fn started(program: &Path) -> Running {
    let mut child = Command::new(program).stdout(Stdio::piped()).spawn().unwrap();
    let out = child.stdout.take().unwrap();
    let running = Running(child);
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    running
}

/// A look at the process as soon as the second thread waits for the mutex and the first one has
/// left `pthread_create`: while that returns from the kernel, glibc's unwind information ends
/// inside it.
fn seen(pid: u32, way: Way) -> look::Look {
    for _ in 0..2000 {
        let seen = look::live(pid, way).unwrap();
        let text = text::threads(&seen, false);
        if text.contains("waits for the pthread mutex 'mutex'") && text.contains("main at") {
            return seen;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{}", text::threads(&look::live(pid, way).unwrap(), false));
}

#[test]
fn a_program_without_openmp_shows_its_stacks_and_its_mutex() {
    let folder = tempfile::tempdir().unwrap();
    let running = started(&compiled(folder.path(), "sleeper", SLEEPER));
    let pid = running.0.id();
    let look = seen(pid, Way::Stopping);
    assert!(look.stood_still.is_some());
    let text = text::threads(&look, false);
    assert!(text.contains(&format!("which LWP {pid} holds")), "{text}");
    assert!(text.contains("wait_for_it at sleeper.c:11"), "{text}");
    assert!(text.contains("main at sleeper.c:19"), "{text}");
    // The name would clear the screen.
    assert!(text.contains(r"a\u{1b}[2Jb") && !text.contains('\u{1b}'), "{text:?}");
    // The look leaves no trace: the process can be looked at again, and without stopping it too.
    let text = text::threads(&seen(pid, Way::Running), false);
    assert!(text.contains("wait_for_it at sleeper.c:11"), "{text}");
}

#[test]
fn a_program_that_becomes_another_or_ends_is_an_answer_or_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = started(&compiled(folder.path(), "changer", CHANGER));
    let pid = running.0.id();
    for _ in 0..60 {
        if let Err(fault) = look::live(pid, Way::Stopping) {
            assert!(!fault.to_string().is_empty());
        }
    }
    running.0.kill().unwrap();
    // The process is not waited for yet, so no other process gets its number.
    let kept = libc::WEXITED | libc::WNOWAIT;
    // SAFETY: all zeros are valid, and the kernel writes one such structure.
    let ended = unsafe { libc::waitid(libc::P_PID, pid, &mut std::mem::zeroed(), kept) };
    assert_eq!(ended, 0);
    assert!(look::live(pid, Way::Stopping).is_err());
}

/// Only the tracer of a thread can wait for it if it dies while it is stopped. Until the tracer
/// does, nobody is told that the process has ended, and a program that executes another one waits.
#[test]
fn a_program_that_is_killed_while_it_stands_ends() {
    let folder = tempfile::tempdir().unwrap();
    let running = started(&compiled(folder.path(), "sleeper", SLEEPER));
    let pid = running.0.id();
    let killed = Live::look(pid, Way::Stopping, |_| {
        // SAFETY: a signal to our own child.
        assert_eq!(unsafe { libc::kill(pid as i32, libc::SIGKILL) }, 0);
        // Dead: its state is Z, which both threads show.
        for _ in 0..2000 {
            // While it ends, a thread or the whole folder may be gone for a moment.
            let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten();
            let states = tasks.flatten().map(|task| task.path().join("stat"));
            let states: Vec<String> = states.flat_map(std::fs::read_to_string).collect();
            if !states.is_empty() && states.iter().all(|state| state.contains(") Z ")) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    });
    assert!(killed.is_err() || killed.is_ok_and(|(live, ())| live.pid() == Some(pid)));
    // Waits for the process.
    drop(running);
}

/// The handler of a signal that interrupted a system call has returned, and the call is to begin
/// again: the thread is in front of the call, and is shown in it. Also, a core is refused if the
/// program that is named with it is another one.
#[test]
fn a_core_after_a_handler_is_in_its_call() {
    let folder = tempfile::tempdir().unwrap();
    let running = started(&compiled(folder.path(), "sleeper", SLEEPER));
    let pid = running.0.id();
    seen(pid, Way::Stopping);
    let Some(core) = gcore(folder.path(), pid) else { return };
    let mut bytes = std::fs::read(&core).unwrap();
    // NT_PRSTATUS, its name, and the registers in it.
    let head = *b"\x05\0\0\0\x50\x01\0\0\x01\0\0\0CORE\0\0\0\0";
    let notes: Vec<usize> =
        (0..bytes.len() - 512).filter(|at| bytes[*at..].starts_with(&head)).collect();
    assert_eq!(notes.len(), 2);
    for note in notes {
        let registers = note + head.len() + 112;
        let word = |number: usize| registers + number * 8..registers + number * 8 + 8;
        let value = |number: usize| u64::from_le_bytes(bytes[word(number)].try_into().unwrap());
        let (call, next) = (value(15), value(16));
        assert!(call < 1 << 16, "{call:#x}");
        for (number, value) in [(10, call), (15, u64::MAX), (16, next - 2)] {
            bytes[word(number)].copy_from_slice(&value.to_le_bytes());
        }
    }
    let again = folder.path().join("again");
    std::fs::write(&again, &bytes).unwrap();
    let look = look::core(&again, None, &Ompd::default()).unwrap();
    let text = text::threads(&look, false);
    assert!(text.contains("waits for the pthread mutex 'mutex'"), "{text}");
    assert!(text.contains("in the system call pause"), "{text}");
    let other = compiled(folder.path(), "changer", CHANGER);
    let fault = look::core(&again, Some(&other), &Ompd::default()).err().unwrap().to_string();
    assert!(fault.contains("is not the program that died"), "{fault}");
}

/// A core of the process that gdb writes, if gdb is installed and may look.
fn gcore(folder: &Path, pid: u32) -> Option<PathBuf> {
    let name = folder.join("core");
    let made = Command::new("gcore").arg("-o").arg(&name).arg(pid.to_string()).output();
    let core = folder.join(format!("core.{pid}"));
    let is_made = made.is_ok() && core.is_file();
    if !is_made {
        eprintln!("gcore (of gdb) is not here, or may not look: nothing is tried");
    }
    is_made.then_some(core)
}

#[test]
fn a_damaged_core_is_an_answer_or_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let running = started(&compiled(folder.path(), "sleeper", SLEEPER));
    let pid = running.0.id();
    seen(pid, Way::Stopping);
    let Some(core) = gcore(folder.path(), pid) else { return };
    let live = look::live(pid, Way::Stopping).unwrap();
    let dead = look::core(&core, None, &Ompd::default()).unwrap();
    let places = |look: &look::Look| -> Vec<Vec<(String, Option<u32>)>> {
        let threads = look.snapshot.threads.iter();
        let stack = |frames: &[omphalos_ompd_view::snapshot::Frame]| {
            frames.iter().map(|frame| (frame.function.clone(), frame.line)).collect()
        };
        threads.map(|thread| stack(&thread.stack)).collect()
    };
    assert_eq!(places(&live), places(&dead));
    let whole = std::fs::read(&core).unwrap();
    let damaged = folder.path().join("damaged");
    let mut random: u64 = 1;
    let mut next = |most: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % most
    };
    for round in 0..40 {
        let mut bytes = whole.clone();
        if round % 4 == 0 {
            bytes.truncate(next(whole.len()));
        } else {
            // The headers and notes are at the beginning.
            let reach = if round % 2 == 0 { whole.len() } else { whole.len().min(1 << 14) };
            for _ in 0..1 + next(64) {
                let at = next(reach);
                bytes[at] = next(256) as u8;
            }
        }
        std::fs::write(&damaged, &bytes).unwrap();
        match look::core(&damaged, None, &Ompd::default()) {
            Ok(look) => assert!(!text::threads(&look, true).contains('\u{1b}')),
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
    }
}

#[test]
fn what_is_no_core_and_no_process_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text");
    std::fs::write(&file, "no core").unwrap();
    assert!(
        look::core(&file, None, &Ompd::default())
            .unwrap_err()
            .to_string()
            .contains("is not a core file")
    );
    assert!(look::core(Path::new("/dev/zero"), None, &Ompd::default()).is_err());
    assert!(look::live(u32::MAX >> 1, Way::Stopping).is_err());
}

/// A core that `omphalos` saved shows the same threads and calls as the process.
#[test]
fn a_core_that_was_saved_reads_as_the_process() {
    use omphalos_inspect::space::{live::Live, save};
    let folder = tempfile::tempdir().unwrap();
    let running = started(&compiled(folder.path(), "sleeper", SLEEPER));
    let pid = running.0.id();
    let live = text::threads(&seen(pid, Way::Stopping), false);
    let path = folder.path().join("core");
    Live::look(pid, Way::Stopping, |live| save::save(live, &path)).unwrap().1.unwrap();
    let core = text::threads(&look::core(&path, None, &Ompd::default()).unwrap(), false);
    for line in
        ["wait_for_it at sleeper.c:11", "main at sleeper.c:19", "waits for the pthread mutex"]
    {
        assert!(live.contains(line) && core.contains(line), "{line}:\n{live}\n{core}");
    }
}
