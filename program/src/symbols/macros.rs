//! Handles directives that macros make: such a construct's place is where the macro is used.

use std::borrow::Cow;
use std::collections::HashMap;

/// The lines of a C source. The lines of macros' definitions are empty, and a line that uses a
/// macro with a directive has that directive behind it.
pub(super) fn expanded(text: &str) -> Vec<Cow<'_, str>> {
    let mut lines: Vec<Cow<'_, str>> = text.lines().map(Cow::Borrowed).collect();
    if !text.contains("_Pragma") {
        return lines;
    }
    let mut macros: HashMap<String, String> = HashMap::new();
    let mut name: Option<String> = None;
    for line in &mut lines {
        let defined = line.trim_start().strip_prefix('#').map(str::trim_start);
        let defined = defined.and_then(|rest| rest.strip_prefix("define"));
        if let Some(rest) = defined.filter(|rest| rest.starts_with(char::is_whitespace)) {
            name = words(rest).next().map(str::to_owned);
        }
        let Some(known) = name.clone() else { continue };
        if !line.trim_end().ends_with('\\') {
            name = None;
        }
        if let Some((_, directive)) = line.split_once("_Pragma") {
            macros.entry(known).or_insert_with(|| directive.trim_end_matches('\\').to_owned());
        }
        *line = Cow::Borrowed("");
    }
    for line in lines.iter_mut().filter(|line| !line.contains("_Pragma")) {
        let code = line.split("//").next().unwrap_or_default();
        let found = words(code).find_map(|word| macros.get(word));
        if let Some(directive) = found {
            *line = Cow::Owned(format!("{line} _Pragma{directive}"));
        }
    }
    lines
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directive_is_where_its_macro_is_used() {
        let text = "\
#define TEAM(x) \\
    do { \\
        _Pragma(\"omp parallel for\") \\
        work(x); \\
    } while (0)
#define OTHER 5
void f(void)
{
    TEAM(OTHER);
    _Pragma(\"omp barrier\")
    TEAMS(1); // TEAM
}
";
        let lines = expanded(text);
        let with: Vec<usize> =
            (1..).zip(&lines).filter(|(_, l)| l.contains("_Pragma")).map(|(at, _)| at).collect();
        assert_eq!((lines.len(), with), (12, vec![9, 10]));
        assert!(lines[8].contains("_Pragma(\"omp parallel for\")"), "{}", lines[8]);
        assert_eq!(expanded("#define A \\\n b").len(), 2);
    }
}
