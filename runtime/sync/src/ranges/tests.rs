use super::*;

#[test]
fn parts_cover_the_units_once() {
    for units in [0, 1, 2, 63, 64, 65, 1000, MOST_UNITS as u32] {
        for count in 1..=MOST_PARTS {
            let mut next = 0;
            for part in 0..count {
                let (begin, end) = units_of_part(units, part, count);
                assert_eq!(begin, next);
                next = end;
            }
            assert_eq!(next, u64::from(units));
        }
    }
}

#[test]
fn a_loop_far_ahead_goes_to_one_member() {
    let parts = Parts::new();
    assert_eq!(parts.claim(7, 1, || false), Claim::Whole);
    assert!(parts.is_whole());
    assert_eq!(parts.claim(7, 0, || true), Claim::Taken);
    assert_eq!(parts.claim_any(7, MOST_PARTS), None);
    assert_eq!(parts.claim(8, 0, || true), Claim::Mine);
    assert!(!parts.is_whole());
    assert_eq!(parts.claim(8, 1, || false), Claim::Mine);
}

#[test]
fn a_full_range_is_halved_and_emptied() {
    let (range, seen) = (Range::new(), &mut Seen::default());
    range.set(5, 0, MOST_UNITS);
    assert_eq!(range.take(), Some(0));
    assert_eq!(range.steal(4, 0, seen), Found::Absent);
    let middle = 1 + (MOST_UNITS - 1) / 2;
    assert_eq!(range.steal(5, 0, seen), Found::Units(middle, MOST_UNITS));
    range.set(5, MOST_UNITS - 1, MOST_UNITS);
    assert_eq!(range.take(), Some(MOST_UNITS - 1));
    assert_eq!(range.take(), None);
    assert_eq!(range.take(), None);
    assert_eq!(range.steal(5, 0, seen), Found::Nothing);
}

#[test]
fn who_arrives_is_waited_for() {
    let (range, seen) = (Range::new(), &mut Seen::default());
    range.announce(7);
    assert_eq!(range.steal(7, 0, seen), Found::Soon);
    range.set_spent(7);
    assert_eq!(range.steal(7, 0, seen), Found::Nothing);
    range.set(7, 3, 4);
    assert_eq!(range.steal(7, 0, seen), Found::Units(3, 4));
}

#[test]
fn few_units_are_taken_from_an_owner_that_stands_still() {
    let (range, seen) = (Range::new(), &mut Seen::default());
    range.set(7, 0, 4);
    assert_eq!(range.steal(7, 4, seen), Found::Few);
    assert_eq!(range.take(), Some(0));
    assert_eq!(range.steal(7, 4, seen), Found::Few);
    assert_eq!(range.steal(7, 4, seen), Found::Units(2, 4));
    assert_eq!(range.steal(7, 0, seen), Found::Units(1, 2));
}
