//! The part of a change that may be chance.

/// Returns the middle value; for an even number of values the mean of the two in the middle; 0 for
/// none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// Student's t for 99.9 % on both sides together, by degrees of freedom from 1.
const T: [f64; 30] = [
    636.62, 31.60, 12.92, 8.61, 6.87, 5.96, 5.41, 5.04, 4.78, 4.59, 4.44, 4.32, 4.22, 4.14, 4.07,
    4.01, 3.97, 3.92, 3.88, 3.85, 3.82, 3.79, 3.77, 3.75, 3.73, 3.71, 3.69, 3.67, 3.66, 3.65,
];

/// Returns how far the medians of two lists of runs may be apart by chance, 999 times in 1000, by
/// the differences of the runs within each list. `None` where each list has one run.
pub(crate) fn of_runs(before: &[f64], after: &[f64]) -> Option<f64> {
    let (m, n) = (before.len(), after.len());
    let freedom = (m + n).checked_sub(2).filter(|freedom| *freedom > 0 && m > 0 && n > 0)?;
    let squares = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    let deviation = ((squares(before) + squares(after)) / freedom as f64).sqrt();
    let t = T.get(freedom - 1).copied().unwrap_or(T[T.len() - 1]);
    Some(t * deviation * (1.0 / m as f64 + 1.0 / n as f64).sqrt())
}

/// Two single runs of one program on an idle machine differ by as much as this share of a figure.
const SINGLE: f64 = 0.05;

/// The same for one run on each side, where no other run shows how far they differ: a share of the
/// figure, or the chance in samples that come every `period` ns, whichever is larger.
pub(crate) fn of_single(before: f64, after: f64, period: Option<f64>) -> f64 {
    // Two standard deviations of the difference of two counts of samples.
    let sampled = period.map_or(0.0, |period| 2.0 * ((before + after) * period).sqrt());
    (SINGLE * before.max(after)).max(sampled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_the_median() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn runs_that_differ_more_have_more_noise() {
        let quiet = of_runs(&[100.0, 101.0, 99.0], &[100.0, 101.0, 99.0]).unwrap();
        let loud = of_runs(&[100.0, 120.0, 80.0], &[100.0, 120.0, 80.0]).unwrap();
        assert!(quiet > 6.9 && quiet < 7.1, "{quiet}");
        assert!((loud / quiet - 20.0).abs() < 1e-9);
        assert_eq!(of_runs(&[1.0], &[2.0]), None);
        assert_eq!(of_runs(&[], &[2.0, 1.0, 2.0]), None);
    }
}
