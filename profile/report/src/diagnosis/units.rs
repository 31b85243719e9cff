//! Words for figures: times, bytes, shares and counts. All texts of reports use these functions.

/// `0.52 s`, `12.3 ms`, `4.1 us`.
pub fn duration(ns: f64) -> String {
    if ns >= 1e9 {
        format!("{:.2} s", ns / 1e9)
    } else if ns >= 1e6 {
        format!("{:.1} ms", ns / 1e6)
    } else if ns >= 1e3 {
        format!("{:.1} us", ns / 1e3)
    } else {
        format!("{ns:.0} ns")
    }
}

/// `512 B`, `4.10 kB`, `1.05 MB`: units of 1000.
pub(crate) fn bytes(number: u64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let number = number as f64;
    match units.iter().find(|(size, _)| number >= *size) {
        Some((size, unit)) => format!("{:.2} {unit}", number / size),
        None => format!("{number:.0} B"),
    }
}

/// `33 %`, with a decimal below ten.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.05 {
        return "<0.1 %".to_owned();
    }
    if percent < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
