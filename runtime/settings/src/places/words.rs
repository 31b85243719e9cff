//! A value of `KMP_AFFINITY` taken apart.

/// Returns the text in small letters, with blanks only between letters and digits.
pub(super) fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for c in text.trim().chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        let joins = |c: char| c.is_alphanumeric() || c == '_';
        if blank && joins(c) && out.ends_with(joins) {
            out.push(' ');
        }
        blank = false;
        out.push(c);
    }
    out
}

/// Returns the words between commas; commas inside brackets do not separate. Empty words are left
/// out.
pub(super) fn words(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = text.split(|c| {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    });
    parts.filter(|word| !word.is_empty()).collect()
}
