//! Decides the place of each member of a team, by the policies primary, close and spread.
//!
//! Pure arithmetic on place numbers (OpenMP 5.2, section 10.1.3). Places of a partition are
//! consecutive; "next" wraps around inside it.

use omphalos_settings::places::SPREAD;

/// A member's place and its place partition (first and last place).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The place.
    pub place: i32,
    /// First and last place of the member's partition.
    pub partition: (i32, i32),
}

/// `omp_proc_bind_true`: the members take the places in turn, as `GOMP_CPU_AFFINITY` and the lists
/// of `KMP_AFFINITY` promise; the standard leaves it open.
const IN_TURN: u32 = 1;
/// `omp_proc_bind_primary`.
const PRIMARY: u32 = 2;

/// Returns the place of member `num` of a team of `threads`, whose primary sits on `home` in
/// `partition`.
pub fn assign(policy: u32, num: u32, threads: u32, home: i32, partition: (i32, i32)) -> Assigned {
    let (first, last) = partition;
    let places = i64::from(last - first + 1).max(1);
    let (threads, num) = (i64::from(threads), i64::from(num));
    let home_at = i64::from(home - first).clamp(0, places - 1);
    let at = |offset: i64| first + (offset.rem_euclid(places)) as i32;
    match policy {
        PRIMARY => Assigned { place: home, partition },
        IN_TURN => Assigned { place: at(home_at + num), partition },
        SPREAD if threads <= places => {
            // As many subpartitions as threads; the first ones are one place longer if need be.
            let start = |sub: i64| sub * (places / threads) + sub.min(places % threads);
            let mine = (0..threads).rev().find(|&sub| start(sub) <= home_at).unwrap_or(0);
            let sub = (mine + num) % threads;
            let part = (at(start(sub)), first + (start(sub + 1) - 1) as i32);
            Assigned { place: if num == 0 { home } else { part.0 }, partition: part }
        }
        SPREAD => {
            let place = at(home_at + share(num, threads, places));
            Assigned { place, partition: (place, place) }
        }
        _ if threads <= places => Assigned { place: at(home_at + num), partition },
        _ => Assigned { place: at(home_at + share(num, threads, places)), partition },
    }
}

/// Returns the number of the run of consecutive threads that `num` belongs to, where there are more
/// threads than places: one run for each place. The first runs are one thread longer if need be.
fn share(num: i64, threads: i64, places: i64) -> i64 {
    let (short, longer) = (threads / places, threads % places);
    let in_longer = longer * (short + 1);
    if num < in_longer { num / (short + 1) } else { longer + (num - in_longer) / short }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(policy: u32, threads: u32, home: i32, partition: (i32, i32)) -> Vec<i32> {
        (0..threads).map(|num| assign(policy, num, threads, home, partition).place).collect()
    }

    #[test]
    fn the_examples_of_the_specification() {
        // Eight places, primary on the third.
        assert_eq!(places(PRIMARY, 3, 2, (0, 7)), [2, 2, 2]);
        assert_eq!(places(3, 4, 6, (0, 7)), [6, 7, 0, 1]);
        assert_eq!(places(IN_TURN, 5, 1, (0, 1)), [1, 0, 1, 0, 1]);
        assert_eq!(places(3, 8, 2, (0, 3)), [2, 2, 3, 3, 0, 0, 1, 1]);
        assert_eq!(places(SPREAD, 4, 0, (0, 7)), [0, 2, 4, 6]);
        assert_eq!(places(SPREAD, 4, 3, (0, 7)), [3, 4, 6, 0]);
        assert_eq!(places(SPREAD, 4, 0, (0, 1)), [0, 0, 1, 1]);
    }

    #[test]
    fn subpartitions() {
        let part = |num| assign(SPREAD, num, 3, 0, (0, 7)).partition;
        assert_eq!([part(0), part(1), part(2)], [(0, 2), (3, 5), (6, 7)]);
        assert_eq!(assign(SPREAD, 1, 5, 0, (2, 3)).partition, (2, 2));
        assert_eq!(assign(3, 1, 2, 2, (2, 5)).partition, (2, 5));
    }

    proptest! {
        #[test]
        fn always_inside_and_balanced(
            policy in 1u32..5, threads in 1u32..40, first in 0i32..9, length in 1i32..20,
            home in 0i32..20,
        ) {
            let partition = (first, first + length - 1);
            let home = first + home % length;
            let mut load = std::collections::BTreeMap::new();
            for num in 0..threads {
                let it = assign(policy, num, threads, home, partition);
                prop_assert!(it.partition.0 >= partition.0 && it.partition.1 <= partition.1);
                prop_assert!(it.partition.0 <= it.place && it.place <= it.partition.1);
                *load.entry(it.place).or_insert(0u32) += 1;
            }
            prop_assert_eq!(assign(policy, 0, threads, home, partition).place, home);
            if policy != PRIMARY {
                let even = threads.div_ceil(length as u32);
                prop_assert!(load.values().all(|&n| n <= even));
            }
        }
    }
}
