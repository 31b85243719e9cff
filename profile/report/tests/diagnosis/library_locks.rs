//! Threads that wait for a lock inside the C library, by samples.

use super::support::build;
use super::*;

const LIBRARY: u64 = 0x7f00_0000_0000;

/// A file with the functions that matter here, under glibc's name.
const LIBC: &str = "
void __lll_lock_wait_private(void) {}
void _int_free(void) { __lll_lock_wait_private(); }
void give_back(void) __asm__(\"free\");
void give_back(void) { _int_free(); }
";
const CHURN: &str = "
extern void free(void *); void *seat;
void churn(void) { free(seat); }
int main(void) { churn(); return 0; }
";

/// Returns the program, the library with its path, and the stack of a thread that waits for its
/// lock.
fn waiting() -> (support::Built, support::Built, String, [u64; 5]) {
    let libc = build("gcc", "libc.c", LIBC, &["-shared", "-fPIC"]);
    let library = libc.folder().join("libc.so.6");
    std::fs::copy(&libc.program, &library).unwrap();
    let app = build("gcc", "churn.c", CHURN, &["-pie"]);
    let call = |built: &support::Built, base: u64, from: &str, to: &str| {
        let calls = built.calls(from, to);
        base + calls.first().unwrap_or_else(|| panic!("{from} calls {to}"))
    };
    let stack = [
        LIBRARY + libc.function("__lll_lock_wait_private").0 + 4,
        call(&libc, LIBRARY, "_int_free", "__lll_lock_wait_private"),
        call(&libc, LIBRARY, "free", "_int_free"),
        call(&app, APP, "churn", "free"),
        call(&app, APP, "main", "churn"),
    ];
    (app, libc, library.to_str().unwrap().to_owned(), stack)
}

const PLACE: &str = "a lock of the C library in free at churn.c:3 in churn";

#[test]
fn a_lock_of_the_allocator_is_contention_where_it_is_called() {
    let (app, _libc, library, waiting) = waiting();
    let found = |waits: u64| {
        let modules = [(APP, 0x5000, app.path(), 0), (LIBRARY, 0x5000, &*library, 0)];
        let mut recorder = Recorder::new(&modules);
        for thread in 0..2 {
            recorder.thread(thread, 1 + thread);
            let total = thread_total(thread, 1000 * MS, 0);
            recorder.push(thread, ThreadTotal { work: 0, serial_work: 1000 * MS, ..total });
            for at in 0..1000 {
                let stack = if at < waits { &waiting[..] } else { &waiting[3..] };
                recorder.sample(thread, state::SERIAL, 0, stack);
            }
        }
        recorder.end(1000 * MS);
        let analysis = recorder.analyse();
        let lock = analysis.findings().iter().find(|found| found.disease == Disease::HotMutex);
        lock.map(|lock| (lock.place.to_string(), lock.line, lock.cost))
    };
    assert_eq!(found(400), Some((PLACE.to_owned(), 3, 400 * MS)));
    assert_eq!(found(40), None);
}

/// The sleep in the library's wait is no second finding.
#[test]
fn a_region_that_sleeps_for_such_a_lock_only_is_not_blocked() {
    let (app, _libc, library, waiting) = waiting();
    let modules = [(APP, 0x5000, app.path(), 0), (LIBRARY, 0x5000, &*library, 0)];
    let mut recorder = Recorder::new(&modules);
    for thread in 0..2 {
        recorder.thread(thread, 1 + thread);
        recorder.push(thread, thread_total(thread, 1000 * MS, 0));
    }
    recorder.push(0, region(2000 * MS, 0));
    recorder.fork(0, 1, 0, SITE, &[SITE]);
    for thread in 0..2 {
        recorder.push(
            thread,
            ThreadScheduling { blocked_work: 500 * MS, ..scheduling(thread, 500 * MS, 0) },
        );
        for _ in 0..500 {
            recorder.sample(thread, state::PARALLEL, 1, &waiting);
            recorder.push(thread, SampleCall { thread, blocked: PERIOD, call: b"futex" });
            recorder.sample(thread, state::PARALLEL, 1, &waiting[3..]);
        }
    }
    recorder.end(1000 * MS);
    assert_eq!(diseases(&recorder.analyse()), [(Disease::HotMutex, PLACE.to_owned())]);
}
