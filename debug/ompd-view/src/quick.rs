//! Maps for millions of look-ups while a program's state is read.
//!
//! The hash is short and its seed is random: a hostile target cannot make all keys collide.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A map with this hash.
pub type QuickMap<K, V> = HashMap<K, V, Quick>;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct Quick {
    seed: u64,
}

impl Default for Quick {
    fn default() -> Quick {
        Quick { seed: RandomState::new().hash_one(0) }
    }
}

impl BuildHasher for Quick {
    type Hasher = QuickHasher;

    fn build_hasher(&self) -> QuickHasher {
        QuickHasher { state: self.seed }
    }
}

/// See the module.
#[derive(Debug)]
pub struct QuickHasher {
    state: u64,
}

impl QuickHasher {
    fn add(&mut self, word: u64) {
        const ODD: u128 = 0x9e37_79b9_7f4a_7c15;
        let wide = u128::from(self.state ^ word) * ODD;
        self.state = (wide as u64) ^ (wide >> 64) as u64;
    }
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((word, left)) = rest.split_first_chunk() {
            self.add(u64::from_le_bytes(*word));
            rest = left;
        }
        if !rest.is_empty() {
            // The length tells keys apart that end in zeros.
            let last = rest.iter().fold(rest.len() as u64, |all, &byte| all << 8 | u64::from(byte));
            self.add(last);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn write_u8(&mut self, byte: u8) {
        self.add(u64::from(byte));
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_again() {
        let mut map = QuickMap::default();
        for number in 0..1000u64 {
            map.insert(format!("Structure.field{number}"), number);
        }
        assert!((0..1000).all(|n| map.get(&format!("Structure.field{n}")) == Some(&n)));
        assert_eq!(map.get("Structure.field"), None);
    }
}
