//! The line of a Python instruction, by its code's table: an entry for each run of instructions,
//! with the difference to the line before.

/// Stands for a version if the code is R's: it has no table, and a unit is a line.
pub const OF_R: u32 = u32::MAX;

/// Returns the line of the instruction `unit` code units after the first, by the table of a version
/// (`Py_Version`).
pub fn line(version: u32, table: &[u8], first_line: u32, unit: u64) -> Option<u32> {
    if version == OF_R {
        return u32::try_from(unit).ok();
    }
    match version >> 16 {
        0..=0x309 => of_begins(table, first_line, unit),
        0x30a => of_ends(table, first_line, unit),
        _ => of_locations(table, first_line, unit),
    }
}

/// CPython's `lnotab_notes.txt`, before 3.10: bytes of instructions until the line changes, and the
/// difference.
fn of_begins(table: &[u8], first_line: u32, unit: u64) -> Option<u32> {
    let (mut begin, mut line) = (0, i64::from(first_line));
    for &[bytes, lines] in table.as_chunks::<2>().0 {
        begin += u64::from(bytes);
        if begin > unit * 2 {
            break;
        }
        line += i64::from(lines as i8);
    }
    u32::try_from(line).ok()
}

/// The same for 3.10: bytes of instructions, and the difference of their line to the line before.
fn of_ends(table: &[u8], first_line: u32, unit: u64) -> Option<u32> {
    const NONE: i8 = -128;
    let (mut end, mut line) = (0, i64::from(first_line));
    for &[bytes, lines] in table.as_chunks::<2>().0 {
        end += u64::from(bytes);
        let lines = lines as i8;
        line += if lines == NONE { 0 } else { i64::from(lines) };
        if unit * 2 < end {
            return (lines != NONE).then_some(u32::try_from(line).ok()?);
        }
    }
    None
}

/// CPython's `locations.md`, from 3.11 on.
fn of_locations(table: &[u8], first_line: u32, unit: u64) -> Option<u32> {
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
            // Code that the compiler made for itself has no line.
            return (kind != 15).then_some(u32::try_from(line).ok()?);
        }
        at += 1 + payload;
    }
    None
}

/// Reads a number: six bits in each byte, the lowest first, until a byte says that no more come;
/// the sign last.
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
        let line = |unit| line(0x030b_0000, &table, 9, unit);
        assert_eq!([line(0), line(1), line(2), line(3)], [Some(10), Some(10), Some(15), Some(13)]);
        assert_eq!([line(4), line(5)], [None, None]);
    }

    #[test]
    fn older_tables_add_up() {
        // The first line has six bytes, two lines further four, one back the rest.
        let table = [6, 2, 4, 255];
        let units = [0, 2, 3, 4, 5, 100];
        assert_eq!(
            units.map(|unit| line(0x0309_0d00, &table, 9, unit)),
            [9, 9, 11, 11, 10, 10].map(Some)
        );
        // The same for 3.10; the last four bytes have no line.
        let table = [6, 0, 4, 2, 2, 255, 4, 128];
        let of_10 = units.map(|unit| line(0x030a_0d00, &table, 9, unit));
        assert_eq!(of_10, [Some(9), Some(9), Some(11), Some(11), Some(10), None]);
        assert_eq!(line(0x030a_0d00, &table, 9, 6), None);
    }

    #[test]
    fn a_damaged_table_has_no_line() {
        assert_eq!(line(0x030b_0000, &[1, 2, 3], 1, 0), None);
        assert_eq!(line(0x030b_0000, &[0xe8], 1, 0), None);
        assert_eq!(line(0x030b_0000, &[], 1, 0), None);
        assert_eq!([line(0x0309_0000, &[2], 1, 5), line(0x030a_0000, &[2], 1, 0)], [Some(1), None]);
    }
}
