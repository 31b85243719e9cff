use super::*;

#[test]
fn the_owner_counts_and_others_fail() {
    let word = AtomicU64::new(0);
    let (one, two) = (0x7fff_ffff_fff8, 0x1000);
    assert_eq!(try_acquire(&word, one), 1);
    assert_eq!(try_acquire(&word, one), 2);
    assert_eq!(try_acquire(&word, two), 0);
    assert_eq!(owner_of(word.load(Ordering::Relaxed)), Some((one, 2)));
    assert_eq!(release(&word), 1);
    assert_eq!(release(&word), 0);
    assert_eq!(owner_of(word.load(Ordering::Relaxed)), None);
    assert_eq!(try_acquire(&word, two), 1);
}

fn take(word: &AtomicU64, owner: usize) -> u32 {
    match try_acquire(word, owner) {
        0 => try_acquire_deep(word, owner),
        count => count,
    }
}

#[test]
fn holds_go_beyond_the_word() {
    let locks = [AtomicU64::new(0), AtomicU64::new(0)];
    let most = 5 * HOLDS_MOVED as u32 + 3;
    for round in 0..2 {
        for count in 1..=most {
            locks.iter().for_each(|word| assert_eq!(take(word, 0x1000), count));
        }
        assert_eq!(take(&locks[0], 0x2000), 0);
        for count in (if round == 0 { 0 } else { 1 }..most).rev() {
            locks.iter().for_each(|word| assert_eq!(release(word), count));
        }
    }
    assert_eq!(locks[0].load(Ordering::Relaxed), holder(0x1000) | ONCE);
}

#[test]
fn a_lock_in_the_place_of_one_that_was_held_begins_anew() {
    let word = AtomicU64::new(0);
    let hold = |holds: u64| (0..holds).for_each(|_| assert_ne!(take(&word, 0x1000), 0));
    hold(3 * HOLDS_MOVED);
    word.store(0, Ordering::Relaxed);
    hold(HOLDS_MOVED + 1);
    assert_eq!((release(&word), release(&word)), (HOLDS_MOVED as u32, HOLDS_MOVED as u32 - 1));
    (0..HOLDS_MOVED - 1)
        .for_each(|left| assert_eq!(u64::from(release(&word)), HOLDS_MOVED - 2 - left));
    assert_eq!(word.load(Ordering::Relaxed), 0);
}

/// Four owners add to a number under the lock, held twice.
fn take_turns(
    take: impl Fn(&AtomicU64, usize) -> u32 + Sync,
    release: impl Fn(&AtomicU64) -> u32 + Sync,
    wait: impl Fn(&AtomicU64, usize) + Sync,
) {
    let shared = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for number in 1..=4 {
            let (word, count) = &shared;
            let (take, release, wait) = (&take, &release, &wait);
            scope.spawn(move || {
                for _ in 0..2000 {
                    if take(word, number * 128) == 0 {
                        wait(word, number * 128);
                    }
                    assert_eq!(take(word, number * 128), 2);
                    let seen = count.load(Ordering::Relaxed);
                    count.store(seen + 1, Ordering::Relaxed);
                    assert_eq!(release(word), 1);
                    assert_eq!(release(word), 0);
                }
            });
        }
    });
    assert_eq!(shared.1.load(Ordering::Relaxed), 8000);
}

#[test]
fn owners_take_turns() {
    take_turns(try_acquire, release, |word, owner| acquire_contended(word, owner, 0));
}

/// Takes the lock as the engine does: the quick way also returns 0 to an owner while another thread
/// sleeps.
fn take_by(word: &AtomicU64, owner: usize, stores: &Stores) -> u32 {
    match try_acquire_by(word, owner, stores) {
        0 => try_acquire_slowly(word, owner),
        count => count,
    }
}

/// The sleepers come while the owners still store, each time with other locks.
#[test]
fn owners_that_store_take_turns() {
    if !omphalos_sys::barrier::register() {
        return;
    }
    for _ in 0..20 {
        let stores = Stores::none();
        stores.allow();
        take_turns(
            |word, owner| take_by(word, owner, &stores),
            |word| release_by(word, &stores),
            |word, owner| acquire_contended_by(word, owner, 0, &stores),
        );
    }
}

#[test]
fn holds_of_an_owner_that_stores_go_beyond_the_word() {
    let (word, stores) = (AtomicU64::new(0), Stores::none());
    stores.allow();
    let most = 2 * HOLDS_MOVED as u32 + 3;
    for count in 1..=most {
        assert_eq!(take_by(&word, 0x1000, &stores), count);
    }
    assert_eq!(take_by(&word, 0x2000, &stores), 0);
    (0..most).rev().for_each(|count| assert_eq!(release_by(&word, &stores), count));
    assert_eq!(word.load(Ordering::Relaxed), 0);
}
