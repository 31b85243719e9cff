use super::*;

/// An owner that never waits, while others finish the things that it makes: more than the word has
/// room for.
#[test]
fn an_owner_that_never_waits_stays_in_balance() {
    let (owner, other) = (0_u8, 1_u8);
    let count = Count::new();
    count.first_child(&owner, false);
    for _ in 0..8 {
        // As after that many tasks that the owner made and others finished.
        count.local.set(count.local.get() + MOST_DRIFT_TASKS);
        count.net.fetch_sub(MOST_DRIFT_TASKS, Ordering::Relaxed);
        count.add_own();
        assert!(matches!(count.finish(&other), Last::No));
        count.balance(&owner);
        assert_eq!(count.outstanding(&owner), 1);
        assert_eq!(count.net.load(Ordering::Relaxed) & COUNT, BIAS);
    }
    count.hold();
    count.net.fetch_sub(MOST_DRIFT_TASKS + 1, Ordering::Relaxed);
    count.local.set(count.local.get() + MOST_DRIFT_TASKS + 1);
    count.balance(&owner);
    assert_eq!(count.net.load(Ordering::Relaxed), BIAS + HOLD);
    assert!(matches!(count.finish(&owner), Last::No));
    assert!(!count.end(&owner));
    assert!(count.release_hold());
}
