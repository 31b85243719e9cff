//! Ordered maps from numbers (addresses, numbers of devices) to values.
//!
//! Who uses it: the parts of the runtime that keep tables off the hot paths: images, blocks of
//! devices' memory, taskgraphs, traces.
//!
//! The compiler makes a copy of a `BTreeMap` for each type of value, and again for each crate:
//! 6 to 8 kB of code each. Here the tree is one, [`Numbers`], compiled once; [`Index`] keeps its
//! values beside it, in a list.
//!
//! What must hold: `BTreeMap` is not used by a crate of the runtime without a word why.

mod numbers;

pub use numbers::Numbers;

/// A map from numbers to values.
#[derive(Clone, Debug)]
pub struct Index<V> {
    /// Where in `values` each number's value is.
    places: Numbers,
    /// `None`: a place that is free, and in `free`.
    values: Vec<Option<V>>,
    free: Vec<usize>,
}

impl<V> Index<V> {
    /// Makes an empty map.
    pub const fn new() -> Index<V> {
        Index { places: Numbers::new(), values: Vec::new(), free: Vec::new() }
    }

    /// Returns the value of `key`.
    pub fn get(&self, key: usize) -> Option<&V> {
        self.values.get(self.places.get(key)?)?.as_ref()
    }

    /// Returns the value of `key`, to be changed.
    pub fn get_mut(&mut self, key: usize) -> Option<&mut V> {
        self.values.get_mut(self.places.get(key)?)?.as_mut()
    }

    /// Gives `key` this value. Returns the one that it had.
    pub fn insert(&mut self, key: usize, value: V) -> Option<V> {
        let place = self.place(key);
        self.values[place].replace(value)
    }

    /// Takes `key` out, with its value.
    pub fn remove(&mut self, key: usize) -> Option<V> {
        let place = self.places.remove(key)?;
        self.free.push(place);
        self.values[place].take()
    }

    /// Returns the highest key that is `key` or below, with its value.
    pub fn at_or_below(&self, key: usize) -> Option<(usize, &V)> {
        let (key, place) = self.places.at_or_below(key)?;
        self.values[place].as_ref().map(|value| (key, value))
    }

    /// Returns the lowest key that is `key` or above, with its value.
    pub fn at_or_above(&self, key: usize) -> Option<(usize, &V)> {
        let (key, place) = self.places.at_or_above(key)?;
        self.values[place].as_ref().map(|value| (key, value))
    }

    /// Returns how many keys there are.
    pub fn len(&self) -> usize {
        self.values.len() - self.free.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns all values, in no order.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.values.iter().flatten()
    }

    /// Returns all values, to be changed, in no order.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.values.iter_mut().flatten()
    }

    /// Returns the place of `key`, a fresh one if it has none.
    fn place(&mut self, key: usize) -> usize {
        if let Some(place) = self.places.get(key) {
            return place;
        }
        let place = self.free.pop().unwrap_or_else(|| {
            self.values.push(None);
            self.values.len() - 1
        });
        self.places.insert(key, place);
        place
    }
}

impl<V: Default> Index<V> {
    /// Returns the value of `key`, the default if it has none yet.
    pub fn or_default(&mut self, key: usize) -> &mut V {
        let place = self.place(key);
        self.values[place].get_or_insert_with(V::default)
    }
}

impl<V> Default for Index<V> {
    fn default() -> Index<V> {
        Index::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn each_number_has_its_own_value() {
        let mut index = Index::new();
        assert_eq!(index.insert(7, "seven"), None);
        assert_eq!(index.insert(usize::MAX, "last"), None);
        assert_eq!(index.insert(7, "again"), Some("seven"));
        assert_eq!(index.get(7), Some(&"again"));
        assert_eq!(index.get(8), None);
        assert_eq!(index.remove(8), None);
        assert_eq!(index.remove(7), Some("again"));
        assert_eq!(index.get(7), None);
        assert_eq!(index.values().collect::<Vec<_>>(), [&"last"]);
    }

    #[test]
    fn a_free_place_is_taken_again() {
        let mut index = Index::new();
        for round in 0..100usize {
            *index.or_default(round) += round;
            *index.or_default(round) += 1;
            assert_eq!(index.remove(round), Some(round + 1));
        }
        assert_eq!(index.values.len(), 1);
    }

    /// Takes random steps, and compares each with a map of the standard library.
    #[test]
    fn it_is_what_a_tree_is() {
        let (mut index, mut tree) = (Index::new(), BTreeMap::new());
        let mut drawn = 88172645463325252u64;
        for step in 0..5000usize {
            drawn ^= drawn << 13;
            drawn ^= drawn >> 7;
            drawn ^= drawn << 17;
            let key = (drawn >> 20) as usize % 64;
            match drawn % 3 {
                0 => assert_eq!(index.remove(key), tree.remove(&key)),
                1 => assert_eq!(index.insert(key, step), tree.insert(key, step)),
                _ => {
                    index.get_mut(key).into_iter().for_each(|value| *value += 1);
                    tree.get_mut(&key).into_iter().for_each(|value| *value += 1);
                }
            }
            assert_eq!(index.get(key), tree.get(&key));
            assert_eq!((index.len(), index.is_empty()), (tree.len(), tree.is_empty()));
            let theirs = tree.range(..=key).next_back().map(|(key, value)| (*key, value));
            assert_eq!(index.at_or_below(key), theirs);
            let theirs = tree.range(key..).next().map(|(key, value)| (*key, value));
            assert_eq!(index.at_or_above(key), theirs);
            let (mut ours, theirs) = (index.values().collect::<Vec<_>>(), tree.values());
            ours.sort_unstable();
            let mut theirs = theirs.collect::<Vec<_>>();
            theirs.sort_unstable();
            assert_eq!(ours, theirs);
        }
    }
}
