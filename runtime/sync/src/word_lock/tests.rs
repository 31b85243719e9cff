use super::*;

#[test]
fn the_word_names_its_owner() {
    let word = AtomicU32::new(0);
    assert!(try_acquire_as(&word, owner_word(0)));
    assert_eq!(owner_of(word.load(Ordering::Relaxed)), Some(0));
    assert!(!try_acquire_as(&word, owner_word(7)));
    release(&word);
    assert_eq!(owner_of(word.load(Ordering::Relaxed)), None);
    assert!(try_acquire(&word));
    assert_eq!(owner_of(word.load(Ordering::Relaxed)), None);
}

/// Threads add to a number under the lock, each twice, and then all for themselves.
fn add_with(plain: bool, mark: impl Fn(&[Holder], u32) -> bool + Sync) {
    let holders: Vec<_> = (0..4).map(|number| Holder::new(number, plain)).collect();
    let (words, count) = ([const { AtomicU32::new(0) }; 2], AtomicU32::new(0));
    std::thread::scope(|scope| {
        for holder in &holders {
            let (words, count, holders, mark) = (&words, &count, &holders, &mark);
            scope.spawn(move || {
                for round in 0..20_000 {
                    // One inside the other now and then: a mark may belong to either.
                    let inner = (round % 3 == 0).then_some(&words[1]);
                    for word in [Some(&words[0]), inner].into_iter().flatten() {
                        if !try_acquire_by(word, holder) {
                            acquire_contended_by(word, holder, 0, |seen| mark(holders, seen));
                        }
                    }
                    let seen = count.load(Ordering::Relaxed);
                    count.store(seen + 1, Ordering::Relaxed);
                    for word in [inner, Some(&words[0])].into_iter().flatten() {
                        release_by(word, holder);
                    }
                }
            });
        }
    });
    assert_eq!(count.load(Ordering::Relaxed), 80_000);
    assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
}

fn holder_of(holders: &[Holder], word: u32) -> &Holder {
    &holders[owner_of(word).expect("a thread has it") as usize]
}

#[test]
fn a_plain_release_loses_no_sleeper() {
    if omphalos_sys::barrier::register() {
        add_with(true, |holders, word| {
            !holder_of(holders, word).mark() || crate::shim::barrier_of_all()
        });
    }
}

#[test]
fn nor_does_it_where_threads_have_to_look_themselves() {
    add_with(true, |_, _| false);
}

#[test]
fn nor_does_the_exchange() {
    add_with(false, |_, _| true);
}

#[test]
fn a_lock_may_be_given_back_by_another_thread() {
    let (word, one, two) = (AtomicU32::new(0), Holder::new(0, true), Holder::new(1, true));
    assert!(try_acquire_by(&word, &one));
    release_by(&word, &two);
    assert!(try_acquire_by(&word, &two));
}

#[test]
fn sleepers_get_the_lock_one_after_the_other() {
    let shared = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for number in 0..4 {
            let (word, count) = &shared;
            scope.spawn(move || {
                for _ in 0..2000 {
                    if !try_acquire_as(word, owner_word(number)) {
                        acquire_contended_as(word, owner_word(number), 0);
                    }
                    let seen = count.load(Ordering::Relaxed);
                    std::hint::spin_loop();
                    count.store(seen + 1, Ordering::Relaxed);
                    release(word);
                }
            });
        }
    });
    assert_eq!(shared.1.load(Ordering::Relaxed), 8000);
    assert_eq!(shared.0.load(Ordering::Relaxed), 0);
}
