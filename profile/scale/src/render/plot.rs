//! The measured curve, Amdahl's and the ideal one, drawn with characters.

use crate::Scaling;
use crate::sentence::times;

/// Lines of the plot, without those of its axis.
const LINES: usize = 12;
/// Columns for a doubling of the threads.
const DOUBLING: usize = 14;
const MOST_COLUMNS: usize = 64;

/// Returns the lines of the plot: the speedup by the threads, with logarithmic scales on both axes.
pub(super) fn lines(scaling: &Scaling) -> Vec<String> {
    let first = scaling.sizes[0].threads;
    let most = scaling.sizes.iter().map(|size| size.threads).max().unwrap_or(first);
    let most = most.max(scaling.forecast.map_or(0, |forecast| forecast.threads));
    let doublings = (f64::from(most) / f64::from(first)).log2();
    if doublings <= 0.0 {
        return Vec::new();
    }
    let columns = ((doublings * DOUBLING as f64).ceil() as usize).min(MOST_COLUMNS);
    let mut canvas = vec![vec![' '; columns + 1]; LINES + 1];
    let column = |threads: f64| {
        let at = (threads / f64::from(first)).log2() / doublings;
        (at * columns as f64).round().clamp(0.0, columns as f64) as usize
    };
    let line = |speedup: f64| {
        let at = speedup.max(1.0).log2() / doublings;
        LINES - (at * LINES as f64).round().clamp(0.0, LINES as f64) as usize
    };
    let mut draw = |speedup: f64, at: usize, mark: char| canvas[line(speedup)][at] = mark;
    let serial = scaling.serial_share;
    for at in 0..=columns {
        let grown = 2f64.powf(doublings * at as f64 / columns as f64);
        draw(grown, at, '.');
        draw(1.0 / (serial + (1.0 - serial) / grown), at, '-');
    }
    if let Some(forecast) = scaling.forecast {
        draw(forecast.speedup, column(f64::from(forecast.threads)), '?');
    }
    for size in &scaling.sizes {
        let mark = if size.is_oversubscribed { 'o' } else { '*' };
        draw(size.speedup, column(f64::from(size.threads)), mark);
    }
    let label = |at: usize| match at.is_multiple_of(3) {
        true => times(2f64.powf(doublings * (LINES - at) as f64 / LINES as f64)),
        false => String::new(),
    };
    let row = |(at, row): (usize, &Vec<char>)| {
        format!("  {:>6} |{}", label(at), row.iter().collect::<String>())
    };
    let mut lines: Vec<String> = canvas.iter().enumerate().map(row).collect();
    lines.push(format!("  {:>6} +{}", "", "-".repeat(columns + 1)));
    let mut axis = vec![' '; columns + 12];
    let mut free = 0;
    let asked = scaling.sizes.iter().map(|size| size.threads);
    for threads in asked.chain(scaling.forecast.map(|forecast| forecast.threads)) {
        let text = threads.to_string();
        let at = column(f64::from(threads));
        if at >= free || threads == first {
            (at..).zip(text.chars()).for_each(|(at, c)| axis[at] = c);
            free = at + text.len() + 1;
        }
    }
    let axis: String = axis.into_iter().collect();
    lines.push(format!("  {:>6}  {} threads", "", axis.trim_end()));
    lines
}
