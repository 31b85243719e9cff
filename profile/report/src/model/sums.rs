//! Sums that stay in range, whatever a damaged file says.

/// The largest sum in a report. A few such sums can be added without an overflow.
pub(crate) const LARGEST_SUM: u64 = 1 << 58;

/// Adds a part to a sum.
pub(crate) fn add(sum: &mut u64, part: u64) {
    *sum = sum.saturating_add(part).min(LARGEST_SUM);
}

/// Returns the sum of all parts.
pub(crate) fn total(parts: impl Iterator<Item = u64>) -> u64 {
    parts.fold(0, |mut sum, part| {
        add(&mut sum, part);
        sum
    })
}

pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
