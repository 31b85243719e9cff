//! The number of a frame's values that outlive an exception, by its code's table of handlers. The
//! table has an entry for each run of instructions that has a handler (CPython's
//! `exception_handling_notes.txt`, from 3.11 on).

/// Returns how many values of the frame the handler finds that gets an exception at the instruction
/// `unit` code units after the first. That many are in use there; 0 where there is no handler.
pub fn kept_values(table: &[u8], unit: u64) -> u64 {
    let mut bytes = table.iter().copied();
    loop {
        let [begin, length, _, kept] = core::array::from_fn(|_| number(&mut bytes));
        let (Some(begin), Some(length), Some(kept)) = (begin, length, kept) else { return 0 };
        if (begin..begin.saturating_add(length)).contains(&unit) {
            // The lowest bit says whether the handler gets the instruction, too.
            return kept >> 1;
        }
    }
}

/// Reads a number: six bits in each byte, the highest first, until a byte says that no more come.
fn number(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut value = 0;
    loop {
        let byte = bytes.next()?;
        value = value << 6 | u64::from(byte & 63);
        if byte & 64 == 0 {
            return Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_of_instructions_keeps_its_own() {
        // 3.12's table of a `with` around a `try`: the first instruction in it is the fourth.
        let table = [131, 1, 43, 3, 133, 7, 21, 2, 149, 16, 40, 5, 165, 2, 43, 3];
        assert_eq!(
            [2, 3, 4, 5, 11, 12, 21, 36].map(|unit| kept_values(&table, unit)),
            [0, 1, 0, 1, 1, 0, 2, 2]
        );
        // Numbers of two bytes: 70 units, from the 130th on.
        let long = [0x80 | 64 | 2, 2, 64 | 1, 6, 9, 4];
        assert_eq!([129, 130, 199, 200].map(|unit| kept_values(&long, unit)), [0, 2, 2, 0]);
    }

    #[test]
    fn a_damaged_table_keeps_nothing() {
        assert_eq!(kept_values(&[], 0), 0);
        assert_eq!(kept_values(&[0x80, 1, 2], 0), 0);
        assert_eq!(kept_values(&[0xff; 64], 0), 0);
    }
}
