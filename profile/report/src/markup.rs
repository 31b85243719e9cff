//! Foreign text in XML and HTML: names of functions and paths contain characters that are markup
//! there.

/// Returns `text` so that XML and HTML show it: between tags, and in attributes in double quotes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push('\n'),
            // XML cannot represent these.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escape("a<b>\"&c"), "a&lt;b&gt;&quot;&amp;c");
        assert_eq!(escape("\x1b[1m\u{fffe}\n"), " [1m\u{fffd}\n");
    }
}
