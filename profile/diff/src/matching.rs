//! Matches the rows of two runs: by function, kind and order.
//!
//! What must hold: a line that moved changes nothing. Rows with the same function and kind are
//! matched in the order of the source, as many as possible, the most alike first.

/// Longer lists, by the product of their lengths, are paired one by one: this is a second's work.
const MOST_CELLS: usize = 1 << 22;

/// Pairs the rows of two lists in their order, so that the sum of the likenesses of all pairs is
/// the greatest. `None` from `likeness`: these two are never a pair.
pub(crate) fn align<T>(
    before: &[T],
    after: &[T],
    likeness: impl Fn(&T, &T) -> Option<u32>,
) -> Vec<(usize, usize)> {
    let (rows, columns) = (before.len(), after.len());
    if rows.saturating_mul(columns) > MOST_CELLS {
        let pairs = (0..rows.min(columns)).map(|at| (at, at));
        return pairs.filter(|&(i, j)| likeness(&before[i], &after[j]).is_some()).collect();
    }
    // best[i][j] belongs to before[i..] and after[j..].
    let mut best = vec![vec![0u32; columns + 1]; rows + 1];
    let of = |i: usize, j: usize, below: u32| likeness(&before[i], &after[j]).map(|l| l + below);
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let without = best[i + 1][j].max(best[i][j + 1]);
            best[i][j] = of(i, j, best[i + 1][j + 1]).map_or(without, |with| with.max(without));
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < rows && j < columns {
        if of(i, j, best[i + 1][j + 1]) == Some(best[i][j]) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if best[i + 1][j] >= best[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// Returns a function's name without the marks that a compiler adds to copies of it.
pub(crate) fn plain(function: &str) -> &str {
    let marks = [".constprop", ".isra", ".part", ".cold", ".lto_priv", ".llvm.", " [clone"];
    let ends = marks.iter().filter_map(|mark| function.find(mark));
    match ends.min() {
        Some(end) if end > 0 => &function[..end],
        _ => function,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_decides_and_likeness_where_rows_came_or_went() {
        let alike = |a: &char, b: &char| Some(if a == b { 2 } else { 1 });
        let pairs = |a: &str, b: &str| {
            align(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>(), alike)
        };
        assert_eq!(pairs("ab", "ab"), [(0, 0), (1, 1)]);
        assert_eq!(pairs("ab", "xy"), [(0, 0), (1, 1)]);
        assert_eq!(pairs("abc", "ac"), [(0, 0), (2, 1)]);
        assert_eq!(pairs("ac", "abc"), [(0, 0), (1, 2)]);
        assert_eq!(pairs("", "a"), []);
    }

    #[test]
    fn copies_of_a_function_are_that_function() {
        assert_eq!(plain("heavy.constprop.0"), "heavy");
        assert_eq!(plain("heavy.isra.0.cold"), "heavy");
        assert_eq!(plain("a::b<int>::c(int)"), "a::b<int>::c(int)");
    }
}
