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

#[test]
fn a_lock_of_the_allocator_is_contention_where_it_is_called() {
    let libc = build("gcc", "libc.c", LIBC, &["-shared", "-fPIC"]);
    let library = libc.folder().join("libc.so.6");
    std::fs::copy(&libc.program, &library).unwrap();
    let app = build("gcc", "churn.c", CHURN, &["-pie"]);
    let call = |built: &support::Built, base: u64, from: &str, to: &str| {
        let calls = built.calls(from, to);
        base + calls.first().unwrap_or_else(|| panic!("{from} calls {to}"))
    };
    let waiting = [
        LIBRARY + libc.function("__lll_lock_wait_private").0 + 4,
        call(&libc, LIBRARY, "_int_free", "__lll_lock_wait_private"),
        call(&libc, LIBRARY, "free", "_int_free"),
        call(&app, APP, "churn", "free"),
        call(&app, APP, "main", "churn"),
    ];
    let found = |waits: u64| {
        let modules =
            [(APP, 0x5000, app.path(), 0), (LIBRARY, 0x5000, library.to_str().unwrap(), 0)];
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
    let place = "a lock of the C library in free at churn.c:3 in churn".to_owned();
    assert_eq!(found(400), Some((place, 3, 400 * MS)));
    assert_eq!(found(40), None);
}
