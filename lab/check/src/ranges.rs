//! Sets of addresses, as ranges that neither touch nor overlap.

use std::collections::BTreeMap;

/// A set of addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(BTreeMap<u64, u64>);

pub const PAGE: u64 = 4096;

impl Ranges {
    /// Adds the addresses from `start` up to `end`, without `end`.
    pub fn add(&mut self, start: u64, end: u64) {
        if start >= end {
            return;
        }
        let (mut start, mut end) = (start, end);
        while let Some((&from, &to)) =
            self.0.range(..=end).next_back().filter(|(_, to)| **to >= start)
        {
            self.0.remove(&from);
            (start, end) = (start.min(from), end.max(to));
        }
        self.0.insert(start, end);
    }

    /// Adds the pages that contain any of these addresses.
    pub fn add_pages(&mut self, start: u64, end: u64) {
        if start < end {
            self.add(start & !(PAGE - 1), end.next_multiple_of(PAGE));
        }
    }

    /// Removes addresses.
    pub fn remove(&mut self, start: u64, end: u64) {
        while let Some((&from, &to)) =
            self.0.range(..end).next_back().filter(|(_, to)| **to > start)
        {
            self.0.remove(&from);
            if from < start {
                self.0.insert(from, start);
            }
            if to > end {
                self.0.insert(end, to);
            }
            if start >= end {
                return;
            }
        }
    }

    /// Returns the range that contains an address.
    pub fn around(&self, address: u64) -> Option<(u64, u64)> {
        let (&from, &to) = self.0.range(..=address).next_back()?;
        (address < to).then_some((from, to))
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().map(|(&from, &to)| (from, to))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the addresses that are here and not in `other`.
    pub fn without(&self, other: &Ranges) -> Ranges {
        let mut left = self.clone();
        other.iter().for_each(|(from, to)| left.remove(from, to));
        left
    }

    /// Returns the addresses in both.
    pub fn common(&self, other: &Ranges) -> Ranges {
        let mut both = Ranges::default();
        for (from, to) in self.iter() {
            for (start, end) in other.iter().skip_while(|(_, end)| *end <= from) {
                if start >= to {
                    break;
                }
                both.add(start.max(from), end.min(to));
            }
        }
        both
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(all: &[(u64, u64)]) -> Ranges {
        let mut made = Ranges::default();
        all.iter().for_each(|&(start, end)| made.add(start, end));
        made
    }

    #[test]
    fn neighbours_are_one() {
        assert_eq!(ranges(&[(0, 4), (8, 12), (4, 8)]), ranges(&[(0, 12)]));
        assert_eq!(ranges(&[(5, 6), (0, 20)]), ranges(&[(0, 20)]));
        assert_eq!(ranges(&[(4, 4)]), Ranges::default());
    }

    #[test]
    fn what_is_taken_away_leaves_two() {
        let all = ranges(&[(0, 10), (20, 30)]);
        assert_eq!(all.without(&ranges(&[(5, 25)])), ranges(&[(0, 5), (25, 30)]));
        assert_eq!(all.without(&ranges(&[(2, 3)])), ranges(&[(0, 2), (3, 10), (20, 30)]));
        assert_eq!(all.common(&ranges(&[(5, 25)])), ranges(&[(5, 10), (20, 25)]));
        assert_eq!(all.around(9), Some((0, 10)));
        assert_eq!(all.around(10), None);
    }
}
