//! The deque under loom: each value is taken exactly once, and a taker sees everything that the
//! pusher wrote.

use super::*;
use loom::sync::Arc;
use loom::thread;

fn steal_one(deque: &Deque) -> Option<usize> {
    match deque.steal(|_| true) {
        Steal::Value(value, _) => Some(value),
        _ => None,
    }
}

/// The owner and a thief both try to take the last value.
#[test]
fn the_last_value_goes_to_one() {
    loom::model(|| {
        let deque = Arc::new(Deque::new());
        deque.push(1);
        let other = deque.clone();
        let thief = thread::spawn(move || steal_one(&other));
        let own = deque.pop();
        let stolen = thief.join().unwrap();
        assert!(own.is_some() ^ stolen.is_some());
        assert_eq!(deque.pop(), None);
    });
}

/// The owner pops two values while a thief steals: none is lost, and none is taken twice.
#[test]
fn pops_and_a_steal_share_two_values() {
    loom::model(|| {
        let deque = Arc::new(Deque::new());
        deque.push(1);
        deque.push(2);
        let other = deque.clone();
        let thief = thread::spawn(move || steal_one(&other));
        let mut sum = deque.pop().unwrap_or(0);
        sum += deque.pop().unwrap_or(0);
        sum += thief.join().unwrap().unwrap_or(0);
        // A thief that lost left its value to the owner or took it.
        sum += deque.pop().unwrap_or(0);
        assert_eq!(sum, 3);
    });
}

/// A thief steals while the owner pushes into a new buffer (the first holds two).
#[test]
fn growing_loses_nothing() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let deque = Arc::new(Deque::new());
        deque.push(1);
        deque.push(2);
        let other = deque.clone();
        let thief = thread::spawn(move || steal_one(&other));
        deque.push(4);
        let mut sum = 0;
        while let Some(value) = deque.pop() {
            sum += value;
        }
        assert_eq!(sum + thief.join().unwrap().unwrap_or(0), 7);
    });
}

/// The thief sees everything that was written before the push.
#[test]
fn a_stolen_value_is_published() {
    loom::model(|| {
        let shared = Arc::new((Deque::new(), AtomicU64::new(0)));
        let other = shared.clone();
        let thief = thread::spawn(move || {
            if steal_one(&other.0).is_some() {
                assert_eq!(other.1.load(Ordering::Relaxed), 7);
            }
        });
        shared.1.store(7, Ordering::Relaxed);
        shared.0.push(1);
        thief.join().unwrap();
    });
}
