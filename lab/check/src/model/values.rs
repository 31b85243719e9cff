//! Finds the bytes that a region wrote, as far as a comparison of values before and after shows
//! them.

use crate::names::Named;

/// Returns the size of an element of the variable, if it is an array; 4 if unknown.
pub fn value_bytes(named: &Option<Named>) -> u64 {
    let plain = named.as_ref().filter(|named| named.parts.is_empty());
    let element = plain.map_or(0, |named| named.element);
    if matches!(element, 1 | 2 | 4 | 8 | 16) { element } else { 4 }
}

/// Returns the written bytes of a section that begins at `start`, from the bytes that changed. A
/// value of `bytes` bytes is written as a whole, though some of its bytes may stay the same.
pub fn whole_values(changed: &[usize], bytes: u64, start: u64) -> Vec<usize> {
    let lead = start % bytes;
    let mut values: Vec<u64> = changed.iter().map(|at| (*at as u64 + lead) / bytes).collect();
    values.dedup();
    let of = |value: u64| value * bytes..(value + 1) * bytes;
    values
        .into_iter()
        .flat_map(of)
        .filter_map(|at| at.checked_sub(lead))
        .map(|at| at as usize)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_a_whole() {
        assert_eq!(whole_values(&[5, 6, 7], 4, 0x1000), [4, 5, 6, 7], "the first as it was");
        assert_eq!(whole_values(&[2], 4, 0x1002), [2, 3, 4, 5]);
        assert_eq!(whole_values(&[0], 8, 0x1004), [0, 1, 2, 3], "the section begins inside");
        assert_eq!(whole_values(&[1, 2], 1, 0x1003), [1, 2]);
    }
}
