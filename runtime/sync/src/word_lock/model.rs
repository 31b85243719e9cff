//! Models of the mutex in one word, which loom runs in all orders (`cargo xtask test`): threads
//! exclude each other, and none sleeps on when the lock is free. The first models release by an
//! exchange, the others by a plain store: there a sleeper has to warn the holder.

use super::*;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

type Shared = Arc<(AtomicU32, UnsafeCell<i32>)>;

/// Takes the lock as thread `number`, spinning for `budget`, and counts.
fn add(shared: &Shared, number: i32, budget: u64) {
    if !try_acquire_as(&shared.0, owner_word(number)) {
        acquire_contended_as(&shared.0, owner_word(number), budget);
    }
    // SAFETY: the lock is held.
    shared.1.with_mut(|p| unsafe { *p += 1 });
    release(&shared.0);
}

/// Lets `others` threads and this one count once each, under the lock.
fn model(others: i32) {
    let mut builder = loom::model::Builder::new();
    // Three threads with all their preemptions are too many schedules to try.
    builder.preemption_bound = (others > 1).then_some(3);
    builder.check(move || {
        let shared: Shared = Arc::new((AtomicU32::new(0), UnsafeCell::new(0)));
        let threads: Vec<_> = (1..=others)
            .map(|number| {
                let shared = shared.clone();
                thread::spawn(move || add(&shared, number, 0))
            })
            .collect();
        add(&shared, 0, 0);
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(shared.0.load(Ordering::Relaxed), 0);
        // SAFETY: the other threads have ended.
        assert_eq!(shared.1.with(|p| unsafe { *p }), others + 1);
    });
}

#[test]
fn two_threads_exclude_each_other() {
    model(1);
}

/// Lets each thread count `rounds` times and release by a plain store. A thread that will sleep
/// marks the holder that the word names, which then releases with care.
fn plain_model(threads: usize, rounds: usize, preemptions: Option<usize>) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.check(move || {
        let holders = (0..threads).map(|number| Holder::new(number as i32, true));
        let holders: Vec<_> = holders.collect();
        let shared = Arc::new((AtomicU32::new(0), UnsafeCell::new(0), holders));
        let run = move |shared: &(AtomicU32, UnsafeCell<usize>, Vec<Holder>), own: usize| {
            let (word, count, holders) = shared;
            for _ in 0..rounds {
                if !try_acquire_by(word, &holders[own]) {
                    acquire_contended_by(word, &holders[own], 0, |seen| {
                        let owner = &holders[owner_of(seen).unwrap() as usize];
                        !owner.mark() || crate::shim::barrier_of_all()
                    });
                }
                // SAFETY: the lock is held.
                count.with_mut(|p| unsafe { *p += 1 });
                release_by(word, &holders[own]);
            }
        };
        let others: Vec<_> = (1..threads)
            .map(|own| {
                let shared = shared.clone();
                thread::spawn(move || run(&shared, own))
            })
            .collect();
        run(&shared, 0);
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(shared.0.load(Ordering::Relaxed), 0);
        // SAFETY: the other threads have ended.
        assert_eq!(shared.1.with(|p| unsafe { *p }), threads * rounds);
    });
}

#[test]
fn a_plain_release_leaves_nobody_asleep() {
    plain_model(2, 1, None);
}

#[test]
fn a_plain_release_leaves_nobody_asleep_the_second_time() {
    plain_model(2, 2, Some(3));
}

/// A holder releases by a plain store, finds a mark, releases once by an exchange, and then by a
/// plain store again. A sleeper may have seen it in either state.
#[test]
fn caution_that_ends_leaves_nobody_asleep() {
    plain_model(2, 3, Some(4));
}

#[test]
fn plain_releases_of_three_leave_nobody_asleep() {
    plain_model(3, 1, Some(3));
}

#[test]
fn three_threads_exclude_each_other_and_none_sleeps_on() {
    model(2);
}
