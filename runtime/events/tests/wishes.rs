//! A tool's wish holds as long as no other tool wants the events in question.

use omphalos_events::wishes::*;
use omphalos_events::*;

fn take(_slot: usize, _event: &Event<'_>) {}

#[test]
fn a_wish_holds_while_nobody_else_wants() {
    start();
    let (first, second) = (attach(take).unwrap(), attach(take).unwrap());
    assert!(become_partner(first) && !become_partner(second));
    let mutexes = Kind::MutexAcquire.bit() | Kind::MutexAcquired.bit() | Kind::MutexReleased.bit();
    let ends = Kind::SyncRegion.bit() | Kind::ImplicitTask.bit();
    subscribe(first, mutexes | ends);
    assert!(!tells_doacross_waits() && !ends_may_be_late());
    assert_eq!(wish(u32::MAX), DOACROSS_WAITS | LATE_ENDS | BODIES);
    assert!(tells_doacross_waits() && ends_may_be_late());
    // Somebody else wants one kind of each.
    subscribe(second, Kind::MutexReleased.bit() | Kind::SyncWait.bit());
    assert!(!tells_doacross_waits() && !ends_may_be_late());
    unsubscribe(second, Kind::MutexReleased.bit() | Kind::SyncWait.bit());
    assert!(tells_doacross_waits() && ends_may_be_late());
    subscribe(first, Kind::SyncWait.bit());
    assert!(ends_may_be_late());
    subscribe(second, Kind::ImplicitTask.bit());
    assert!(tells_doacross_waits() && !ends_may_be_late());
    detach(first);
    assert!(!tells_doacross_waits() && !ends_may_be_late());
    // The next tool in the slot wished nothing.
    wish(0);
    detach(second);
}
