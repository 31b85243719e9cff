use super::*;
use loom::sync::Arc;
use loom::thread;

/// A task with two predecessors, which finish while it registers: it becomes ready once.
#[test]
fn the_last_predecessor_releases_the_task() {
    loom::model(|| {
        struct Shared {
            first: Dependents,
            second: Dependents,
            missing: AtomicU32,
            ready: AtomicU32,
            data: AtomicU32,
        }
        let shared = Arc::new(Shared {
            first: Dependents::new(),
            second: Dependents::new(),
            missing: AtomicU32::new(1),
            ready: AtomicU32::new(0),
            data: AtomicU32::new(0),
        });
        let met = |s: &Shared| {
            if s.missing.fetch_sub(1, Ordering::AcqRel) == 1 {
                s.ready.fetch_add(1, Ordering::Relaxed);
                assert_eq!(s.data.load(Ordering::Relaxed), 2);
            }
        };
        let one = shared.clone();
        let finisher = thread::spawn(move || {
            one.data.fetch_add(1, Ordering::Relaxed);
            one.first.close(|_| met(&one));
            one.data.fetch_add(1, Ordering::Relaxed);
            one.second.close(|_| met(&one));
        });
        let links = [Link::new(), Link::new()];
        for (list, link) in [&shared.first, &shared.second].into_iter().zip(&links) {
            shared.missing.fetch_add(1, Ordering::Relaxed);
            // SAFETY: the links live until the finisher has ended.
            if !unsafe { list.join(link, 1) } {
                shared.missing.fetch_sub(1, Ordering::Relaxed);
            }
        }
        met(&shared);
        finisher.join().unwrap();
        assert_eq!(shared.ready.load(Ordering::Relaxed), 1);
    });
}

/// A later sibling of a transparent task is made while that task's body ends, and while a child of
/// that task ends, on which the sibling depends. The sibling waits at the exit, and then for the
/// child, or finds the exit closed and waits for the child at once. It goes on once, after both.
#[test]
fn who_waits_at_an_exit_then_waits_for_a_child() {
    struct Shared {
        exit: Dependents,
        /// The state that the closed exit shows: whether there is a child.
        exported: loom::cell::UnsafeCell<bool>,
        child: Dependents,
        missing: Missing,
        data: AtomicU32,
        went_on: AtomicU32,
    }
    // SAFETY: the cell is written before the exit closes, and read by threads that saw it closed.
    unsafe impl Sync for Shared {}
    // SAFETY: as above.
    unsafe impl Send for Shared {}
    impl Shared {
        fn has_child(&self) -> bool {
            // SAFETY: loom checks the claim above.
            self.exported.with(|exported| unsafe { *exported })
        }
        fn let_go(&self) {
            if self.missing.let_go() {
                self.go_on();
            }
        }
        fn go_on(&self) {
            assert_eq!(self.data.load(Ordering::Relaxed), 2);
            self.went_on.fetch_add(1, Ordering::Relaxed);
        }
    }
    loom::model(|| {
        let shared = Arc::new(Shared {
            exit: Dependents::new(),
            exported: loom::cell::UnsafeCell::new(false),
            child: Dependents::new(),
            missing: Missing::new(),
            data: AtomicU32::new(0),
            went_on: AtomicU32::new(0),
        });
        let child = shared.clone();
        let child = thread::spawn(move || {
            child.data.fetch_add(1, Ordering::Relaxed);
            child.child.close(|_| child.let_go());
        });
        let body = shared.clone();
        let body = thread::spawn(move || {
            let further = Link::new();
            body.data.fetch_add(1, Ordering::Relaxed);
            // SAFETY: loom checks the claim above.
            body.exported.with_mut(|exported| unsafe { *exported = true });
            body.exit.close(|_| {
                assert!(body.has_child());
                body.missing.hold();
                // SAFETY: the link lives until all have ended.
                if !unsafe { body.child.join(&further, 1) } {
                    assert!(!body.missing.let_go());
                }
                body.let_go();
            });
            further
        });
        let links = [Link::new(), Link::new()];
        // SAFETY: the links live until all have ended.
        let mut edges = u32::from(unsafe { shared.exit.join(&links[0], 1) });
        if edges == 0 && shared.has_child() {
            // SAFETY: as above.
            edges = u32::from(unsafe { shared.child.join(&links[1], 1) });
        }
        if shared.missing.settle(edges) {
            shared.go_on();
        }
        let further = body.join().unwrap();
        child.join().unwrap();
        drop(further);
        assert_eq!(shared.went_on.load(Ordering::Relaxed), 1);
    });
}

/// A thread that follows the list while others join meets all links that joined before.
#[test]
fn a_list_that_grows_can_be_followed() {
    loom::model(|| {
        let list = Arc::new(Dependents::new());
        let first = Link::new();
        // SAFETY: the links live until no thread follows the list any more.
        assert!(unsafe { list.join(&first, 10) });
        let other = list.clone();
        let joiner = thread::spawn(move || {
            let second = Link::new();
            // SAFETY: as above.
            assert!(unsafe { other.join(&second, 20) });
            second
        });
        let mut seen = Vec::new();
        // SAFETY: no thread closes the list.
        unsafe { list.for_each(|word| seen.push(word)) };
        assert!(seen == [10] || seen == [20, 10]);
        drop(joiner.join().unwrap());
    });
}
