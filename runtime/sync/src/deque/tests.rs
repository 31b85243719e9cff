//! The deque with real threads.

use super::*;
use std::sync::atomic::{AtomicU64 as Count, Ordering::SeqCst};

#[test]
fn the_owner_takes_the_newest_and_a_thief_the_oldest() {
    let deque = Deque::new();
    for value in 1..=3 {
        deque.push(value);
    }
    assert_eq!(deque.len(), 3);
    assert_eq!(deque.steal(|_| true), Steal::Value(1, 0));
    assert_eq!(deque.pop(), Some(3));
    assert_eq!(deque.steal(|value| value != 2), Steal::Nothing);
    assert_eq!(deque.pop(), Some(2));
    assert_eq!(deque.pop(), None);
    assert!(deque.looks_empty());
}

#[test]
fn a_floor_keeps_what_is_below() {
    let deque = Deque::new();
    deque.push(1);
    let floor = deque.bottom();
    deque.push(2);
    assert_eq!(deque.pop_above(floor), Some(2));
    assert_eq!(deque.pop_above(floor), None);
    assert_eq!(deque.pop(), Some(1));
}

#[test]
fn all_values_can_be_looked_at() {
    let deque = Deque::new();
    assert!(!deque.has_any(|_| true));
    for value in 1..=600 {
        deque.push(value);
    }
    assert_eq!(deque.steal(|_| true), Steal::Value(1, 0));
    assert!(!deque.has_any(|value| value == 1));
    assert!((2..=600).all(|value| deque.has_any(|other| other == value)));
}

#[test]
fn every_value_is_taken_once() {
    // Interpreted, each takes a millisecond.
    const VALUES: usize = if cfg!(miri) { 300 } else { 200_000 };
    let deque = Deque::new();
    let (sum, taken) = (Count::new(0), Count::new(0));
    let take = |value: usize| {
        sum.fetch_add(value as u64, SeqCst);
        taken.fetch_add(1, SeqCst);
    };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while taken.load(SeqCst) < VALUES as u64 {
                    if let Steal::Value(value, _) = deque.steal(|_| true) {
                        take(value);
                    }
                }
            });
        }
        for value in 1..=VALUES {
            deque.push(value);
            if value % 3 == 0
                && let Some(value) = deque.pop()
            {
                take(value);
            }
        }
        while let Some(value) = deque.pop() {
            take(value);
        }
    });
    assert_eq!(sum.into_inner(), (VALUES as u64) * (VALUES as u64 + 1) / 2);
}
