use super::*;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

type Shared = Arc<(AtomicU64, UnsafeCell<i32>)>;

fn add(shared: &Shared, owner: usize) {
    if try_acquire(&shared.0, owner) == 0 {
        acquire_contended(&shared.0, owner, 0);
    }
    assert_eq!(try_acquire(&shared.0, owner), 2);
    // SAFETY: the lock is held.
    shared.1.with_mut(|p| unsafe { *p += 1 });
    assert_eq!(release(&shared.0), 1);
    assert_eq!(release(&shared.0), 0);
}

#[test]
fn a_nested_hold_excludes_and_nobody_sleeps_on() {
    loom::model(|| {
        let shared: Shared = Arc::new((AtomicU64::new(0), UnsafeCell::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || add(&other, 0x1000));
        add(&shared, 0x2000);
        thread.join().unwrap();
        assert_eq!(shared.0.load(Ordering::Relaxed), 0);
        // SAFETY: the other thread has ended.
        assert_eq!(shared.1.with(|p| unsafe { *p }), 2);
    });
}

/// Does what [`add`] does, by owners that store; `nested` holds it twice.
fn add_plainly(shared: &(Arc<Stores>, Shared), owner: usize, nested: bool) {
    let (stores, (word, count)) = (&*shared.0, &*shared.1);
    let acquire = || match try_acquire_by(word, owner, stores) {
        0 => try_acquire_slowly(word, owner),
        count => count,
    };
    if acquire() == 0 {
        acquire_contended_by(word, owner, 0, stores);
    }
    if nested {
        assert_eq!(acquire(), 2);
    }
    // SAFETY: the lock is held.
    count.with_mut(|p| unsafe { *p += 1 });
    if nested {
        assert_eq!(release_by(word, stores), 1);
    }
    assert_eq!(release_by(word, stores), 0);
}

/// Each thread takes the lock so many times.
fn plain_model(threads: usize, rounds: usize, nested: bool, preemptions: Option<usize>) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.check(move || {
        let lock = Arc::new((AtomicU64::new(0), UnsafeCell::new(0)));
        let shared = (Arc::new(Stores::all()), lock);
        let run = move |shared: &(Arc<Stores>, Shared), own: usize| {
            for _ in 0..rounds {
                add_plainly(shared, own * 0x1000, nested);
            }
        };
        let others: Vec<_> = (1..threads)
            .map(|own| {
                let shared = shared.clone();
                thread::spawn(move || run(&shared, own))
            })
            .collect();
        run(&shared, threads);
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(shared.1.0.load(Ordering::Relaxed), 0);
        // SAFETY: the other threads have ended.
        assert_eq!(shared.1.1.with(|p| unsafe { *p }) as usize, threads * rounds);
    });
}

#[test]
fn a_plain_release_leaves_nobody_asleep() {
    plain_model(2, 1, false, None);
}

#[test]
fn nor_do_plain_holds() {
    plain_model(2, 1, true, Some(4));
}

#[test]
fn nor_does_a_second_round() {
    plain_model(2, 2, false, Some(3));
}

#[test]
fn plain_releases_of_three_leave_nobody_asleep() {
    plain_model(3, 1, false, Some(3));
}

/// Two locks with one word that says whether owners store: the sleeper for one of them stops the
/// other's owner, while a thread is about to sleep for that one too.
#[test]
fn a_sleeper_for_another_lock_leaves_nobody_asleep() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(|| {
        let words = || Arc::new((AtomicU64::new(0), UnsafeCell::new(0)));
        let stores = Arc::new(Stores::all());
        let (one, two) = ((stores.clone(), words()), (stores, words()));
        let (first, second) = (one.clone(), two.clone());
        let ones = thread::spawn(move || add_plainly(&first, 0x1000, false));
        let both = thread::spawn(move || add_plainly(&second, 0x2000, false));
        add_plainly(&one, 0x3000, false);
        add_plainly(&two, 0x3000, false);
        ones.join().unwrap();
        both.join().unwrap();
    });
}
