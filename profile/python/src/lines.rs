//! The line of an instruction of Python's, by its code's table: an entry for each run of
//! instructions, with what is added to the line before (CPython's `locations.md`).

/// The line of the instruction so many code units behind the first.
pub fn line(table: &[u8], first_line: u32, unit: u64) -> Option<u32> {
    let (mut at, mut end, mut line) = (0, 0, i64::from(first_line));
    while let Some(&head) = table.get(at) {
        if head & 0x80 == 0 {
            return None;
        }
        let payload = table[at + 1..].iter().take_while(|byte| **byte & 0x80 == 0).count();
        let data = &table[at + 1..at + 1 + payload];
        let kind = head >> 3 & 15;
        line += match kind {
            10..=12 => i64::from(kind) - 10,
            13 | 14 => signed(data)?,
            _ => 0,
        };
        end += u64::from(head & 7) + 1;
        if unit < end {
            // Code that the compiler made for itself has none.
            return (kind != 15).then_some(u32::try_from(line).ok()?);
        }
        at += 1 + payload;
    }
    None
}

/// Six bits in each byte, the lowest first, as long as a byte says that more come; the sign last.
fn signed(data: &[u8]) -> Option<i64> {
    let mut value = 0_i64;
    for (at, byte) in data.iter().enumerate().take(6) {
        value |= i64::from(byte & 63) << (6 * at);
        if byte & 64 == 0 {
            let size = value >> 1;
            return Some(if value & 1 == 0 { size } else { -size });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_add_up() {
        // Two units at the first line, one five lines further by a number, one back by two.
        let table = [0x80 | 11 << 3 | 1, 4, 9, 0x80 | 13 << 3, 10, 0x80 | 13 << 3, 5, 0xf8];
        let line = |unit| line(&table, 9, unit);
        assert_eq!([line(0), line(1), line(2), line(3)], [Some(10), Some(10), Some(15), Some(13)]);
        assert_eq!([line(4), line(5)], [None, None]);
    }

    #[test]
    fn a_damaged_table_has_no_line() {
        assert_eq!(line(&[1, 2, 3], 1, 0), None);
        assert_eq!(line(&[0xe8], 1, 0), None);
        assert_eq!(line(&[], 1, 0), None);
    }
}
