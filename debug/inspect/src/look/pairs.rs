//! Finds the two variables on which the end of a loop depends, such as the indices of a ring: a
//! loop that waits until they differ ends by a write to either. `awaits.rs` calls [`find`].

use omphalos_ompd_view::snapshot::Compared;
use omphalos_program::Names;

use super::awaits::{SMALL, number_at};
use super::place;

/// Bytes behind an address in which the object is that a pointer leads to.
const FAR: u64 = 1 << 12;
/// Lines that are named for one variable.
const MOST_PLACES: usize = 3;

/// The two variables among the places that decide a loop's end, if it is two that have names.
/// `source`: the file with the loop.
pub fn find(
    names: &Names,
    cells: &[(u64, usize)],
    source: Option<&str>,
    read: &dyn Fn(u64, usize) -> Option<u64>,
) -> Vec<Compared> {
    let leads = |(address, length): (u64, usize)| {
        let to = read(address, length).filter(|_| length == 8)?;
        let is_there = |other: &(u64, usize)| other.0.wrapping_sub(to) < FAR;
        Some(cells.iter().any(is_there))
    };
    let own = cells.iter().copied().filter(|cell| leads(*cell) != Some(true));
    let compared = own.map(|(address, length)| {
        let name = names.datum(address)?;
        let now = number_at((address, length), read).filter(|now| SMALL.contains(now));
        let file = source.map(str::to_owned);
        let by_code = names.writers(address, length as u64).into_iter().filter_map(|after| {
            let function = names.functions(after - 1).into_iter().next()?;
            place(&function.file, function.line)
        });
        let mut written: Vec<String> = by_code.collect();
        let alike = written.is_empty();
        if let (true, Some(path), Some((_, member))) = (alike, source, name.rsplit_once('.')) {
            let lines = names.writers_of(path, member).into_iter();
            written.extend(lines.filter_map(|line| place(&file, line)));
        }
        written.dedup();
        written.truncate(MOST_PLACES);
        Some(Compared { name, now, written, alike })
    });
    let found: Option<Vec<Compared>> = compared.collect();
    found.filter(|found| found.len() == 2 && found[0].name != found[1].name).unwrap_or_default()
}
