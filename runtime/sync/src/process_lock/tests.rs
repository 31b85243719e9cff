use super::{ProcessLock, after_fork, before_fork, rank};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// The process has one table, so one test runs at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

static OUTER: ProcessLock<u32, { rank::START }> = ProcessLock::new(0);
static INNER: ProcessLock<u32, { rank::THREADS }> = ProcessLock::new(0);

#[test]
fn threads_exclude_each_other() {
    let _alone = alone();
    let add = || {
        for _ in 0..10_000 {
            OUTER.with(|outer| {
                *outer += 1;
                INNER.with(|inner| *inner += 1);
            });
        }
    };
    let before = (*OUTER.lock(), *INNER.lock());
    thread::scope(|scope| (0..3).for_each(|_| _ = scope.spawn(add)));
    assert_eq!((*OUTER.lock(), *INNER.lock()), (before.0 + 30_000, before.1 + 30_000));
}

#[test]
fn who_forks_has_them_all_and_may_come_again() {
    let _alone = alone();
    // This does what a signal handler does that forks while the thread holds a lock.
    let held = INNER.lock();
    before_fork();
    after_fork();
    thread::scope(|scope| {
        let taken = scope.spawn(|| INNER.try_lock().is_some());
        assert!(!taken.join().unwrap(), "it is still held");
    });
    drop(held);
    before_fork();
    // This does what another library's handler of `fork` does.
    OUTER.with(|outer| *outer += 1);
    thread::scope(|scope| {
        let taken = scope.spawn(|| OUTER.try_lock().is_some() || INNER.try_lock().is_some());
        assert!(!taken.join().unwrap(), "all are held");
    });
    after_fork();
    thread::scope(|scope| {
        assert!(scope.spawn(|| INNER.try_lock().is_some()).join().unwrap());
    });
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "is taken inside")]
fn a_wrong_order_is_found() {
    let _alone = alone();
    let _inner = INNER.lock();
    let _outer = OUTER.lock();
}
