//! The tree of every [`Index`](crate::Index), with numbers for values. Its functions are not
//! generic, so the library has each of them once.

use std::collections::BTreeMap;

/// A map from numbers to numbers, in order.
#[derive(Clone, Debug, Default)]
pub struct Numbers(BTreeMap<usize, usize>);

impl Numbers {
    /// Makes an empty map.
    pub const fn new() -> Numbers {
        Numbers(BTreeMap::new())
    }

    /// Whether the map is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of `key`.
    #[inline(never)]
    pub fn get(&self, key: usize) -> Option<usize> {
        self.0.get(&key).copied()
    }

    /// Gives `key` this value. Returns the one that it had.
    #[inline(never)]
    pub fn insert(&mut self, key: usize, value: usize) -> Option<usize> {
        self.0.insert(key, value)
    }

    /// Takes `key` out. Returns its value.
    #[inline(never)]
    pub fn remove(&mut self, key: usize) -> Option<usize> {
        self.0.remove(&key)
    }

    /// Returns the highest key that is `key` or below, with its value.
    #[inline(never)]
    pub fn at_or_below(&self, key: usize) -> Option<(usize, usize)> {
        self.0.range(..=key).next_back().map(|(&key, &value)| (key, value))
    }

    /// Returns the lowest key that is `key` or above, with its value.
    #[inline(never)]
    pub fn at_or_above(&self, key: usize) -> Option<(usize, usize)> {
        self.0.range(key..).next().map(|(&key, &value)| (key, value))
    }
}

// Dropping a tree takes much code, and this function is the one copy of it for all crates.
impl Drop for Numbers {
    #[inline(never)]
    fn drop(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_found() {
        let mut numbers = Numbers::new();
        assert!(numbers.is_empty());
        for key in [10, 20, 30] {
            assert_eq!(numbers.insert(key, key + 1), None);
        }
        assert_eq!(numbers.at_or_below(9), None);
        assert_eq!(numbers.at_or_below(10), Some((10, 11)));
        assert_eq!(numbers.at_or_below(29), Some((20, 21)));
        assert_eq!(numbers.at_or_above(21), Some((30, 31)));
        assert_eq!(numbers.at_or_above(31), None);
        assert_eq!(numbers.remove(20), Some(21));
        assert_eq!(numbers.get(20), None);
        assert!(!numbers.is_empty());
    }
}
