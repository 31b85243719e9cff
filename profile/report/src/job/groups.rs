//! Groups ranks that behave alike into one row, so that a table stays short however many ranks
//! there are.

use super::Row;

/// Rows of a table, at most.
const MOST: usize = 8;
/// Ranks whose times differ by less than this share of the run are alike at first.
const ALIKE: f64 = 0.03;

/// Returns rows of ranks that are alike; the ranks with the longest time outside MPI come first.
pub(super) fn of(rows: &[Row]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(rows[*at].outside_mpi), rows[*at].rank));
    let longest = rows.iter().map(|row| row.elapsed).max().unwrap_or(0) as f64;
    let mut alike = ALIKE;
    loop {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for at in &order {
            let is_near = |group: &Vec<usize>| {
                let first = &rows[group[0]];
                let threads = first.threads.max(1) as f64;
                first.threads == rows[*at].threads
                    && first.shown().iter().zip(rows[*at].shown()).all(|(one, other)| {
                        (*one as f64 - other as f64).abs() <= alike * longest * threads
                    })
            };
            match groups.iter().position(is_near) {
                Some(near) => groups[near].push(*at),
                None if groups.len() == MOST && alike < 1e3 => {
                    groups.clear();
                    break;
                }
                None => groups.push(vec![*at]),
            }
        }
        if !groups.is_empty() || rows.is_empty() {
            groups.iter_mut().for_each(|group| group.sort_by_key(|at| rows[*at].rank));
            return groups;
        }
        alike *= 2.0;
    }
}

/// Returns `0-3, 7 and 5 more`: numbers in order.
pub(super) fn ranges(numbers: &[u32]) -> String {
    const MOST_RANGES: usize = 6;
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let shown = ranges.iter().take(MOST_RANGES).map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    let mut text = shown.collect::<Vec<_>>().join(", ");
    let rest = ranges.iter().skip(MOST_RANGES).map(|(first, last)| u64::from(last - first) + 1);
    let rest: u64 = rest.sum();
    if rest > 0 {
        text.push_str(&format!(" and {rest} more"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_ranges() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2, 5, 7-8");
        let even: Vec<u32> = (0..20).map(|number| 2 * number).collect();
        assert_eq!(ranges(&even), "0, 2, 4, 6, 8, 10 and 14 more");
    }

    #[test]
    fn a_table_stays_short() {
        let row = |rank: u32| Row {
            rank,
            elapsed: 1_000,
            threads: 2,
            work: u64::from(rank) % 100 * 20,
            outside_mpi: u64::from(rank) % 100 * 10,
            ..Row::default()
        };
        let rows: Vec<Row> = (0..10_000).map(row).collect();
        let groups = of(&rows);
        assert!((2..=MOST).contains(&groups.len()), "{}", groups.len());
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), rows.len());
        let same: Vec<Row> = (0..4).map(|rank| Row { rank, ..row(50) }).collect();
        assert_eq!(of(&same), [[0, 1, 2, 3]]);
    }
}
