use super::*;
use loom::sync::Arc;
use loom::thread;

struct Loop {
    parts: Parts,
    ranges: [Range; 2],
    /// For each unit of each loop, four bits that count how often it was executed.
    executed: AtomicU64,
}

impl Loop {
    fn new() -> Arc<Loop> {
        Arc::new(Loop {
            parts: Parts::new(),
            ranges: [Range::new(), Range::new()],
            executed: AtomicU64::new(0),
        })
    }

    fn execute(&self, unit: u64) {
        self.executed.fetch_add(1 << (4 * unit), Ordering::Relaxed);
    }

    /// Does all of a member's work in loop `number`, which has `units` units.
    fn work(&self, me: u32, number: u64, units: u32) {
        let own = &self.ranges[me as usize];
        let parts = &self.parts;
        own.announce(number);
        let mut mine =
            (parts.claim(number, me, || true) == Claim::Mine).then(|| units_of_part(units, me, 2));
        if mine.is_none() {
            own.set_spent(number);
        }
        while let Some((begin, end)) = mine {
            own.set(number, begin, end);
            while let Some(unit) = own.take() {
                self.execute(unit);
            }
            own.set_spent(number);
            mine = parts.claim_any(number, 2).map(|part| units_of_part(units, part, 2));
            if mine.is_none()
                && let Found::Units(begin, end) =
                    self.ranges[1 - me as usize].steal(number, 0, &mut Seen::default())
            {
                mine = Some((begin, end));
            }
        }
    }
}

/// Lets each member take its part, take the other's part before that one comes, or steal.
#[test]
fn each_unit_is_executed_once() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let shared = Loop::new();
        let other = shared.clone();
        // An older loop's word is there first.
        assert_eq!(shared.parts.claim(9, 1, || true), Claim::Mine);
        let late = thread::spawn(move || other.work(1, 1, 3));
        shared.work(0, 1, 3);
        late.join().unwrap();
        assert_eq!(shared.executed.load(Ordering::Relaxed), 0x111);
    });
}

/// The owner leaves a cancelled loop with units in its range. The thief's loop happens to have the
/// same tag; it has seen that the owner is past the cancelled one, but not how far.
#[test]
fn an_earlier_loop_is_not_stolen_from() {
    loom::model(|| {
        let shared = Loop::new();
        let number = 1 + (1 << 12);
        let passed = Arc::new(AtomicU64::new(0));
        shared.ranges[0].set(1, 7, 8);
        let (other, seen) = (shared.clone(), passed.clone());
        let thief = thread::spawn(move || {
            if seen.load(Ordering::Acquire) == 1
                && let Found::Units(begin, end) =
                    other.ranges[0].steal(number, 0, &mut Seen::default())
            {
                assert!(end <= 2);
                (begin..end).for_each(|unit| other.execute(unit));
            }
        });
        let own = &shared.ranges[0];
        own.set_spent(1);
        passed.store(1, Ordering::Release);
        own.announce(number);
        assert_eq!(shared.parts.claim(number, 0, || true), Claim::Mine);
        own.set(number, 0, 2);
        while let Some(unit) = own.take() {
            shared.execute(unit);
        }
        thief.join().unwrap();
        assert_eq!(shared.executed.load(Ordering::Relaxed), 0x11);
    });
}

/// Runs a thief of the earlier loop beside an owner that is in the next one already.
#[test]
fn a_later_loop_is_not_stolen_from() {
    loom::model(|| {
        let shared = Loop::new();
        shared.ranges[0].set(1, 0, 1);
        let other = shared.clone();
        let thief =
            thread::spawn(move || match other.ranges[0].steal(1, 0, &mut Seen::default()) {
                Found::Units(begin, end) => (begin..end).for_each(|unit| other.execute(unit)),
                _ => (),
            });
        let own = &shared.ranges[0];
        while let Some(unit) = own.take() {
            shared.execute(unit);
        }
        own.announce(2);
        own.set(2, 2, 3);
        while let Some(unit) = own.take() {
            shared.execute(unit);
        }
        thief.join().unwrap();
        assert_eq!(shared.executed.load(Ordering::Relaxed), 0x101);
    });
}
