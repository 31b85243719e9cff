//! Shorter names of templates: inner arguments go first, so that the names of functions and their
//! outer arguments stay.

/// Returns the text in at most `width` characters, by leaving out template arguments:
/// `Field<double, std::allocator<double>>::apply` becomes `Field<double, ..>::apply`, then
/// `Field<..>::apply`. A text that is still too long ends in two dots.
pub(super) fn fitted(text: &str, width: usize) -> String {
    let fits = |text: &str| text.chars().count() <= width;
    if fits(text) {
        return text.to_owned();
    }
    let mut short = text.to_owned();
    while let Some(next) = outlined(&short) {
        short = next;
        if fits(&short) {
            return short;
        }
    }
    cut(&short, width)
}

/// Returns at most `width` characters, with two dots for the rest.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(2)).chain("..".chars()).collect()
}

/// A list of template arguments: its begin and end, with its `<` and `>`, and its depth.
struct Arguments {
    from: usize,
    to: usize,
    depth: usize,
}

/// Does one step: makes the deepest lists `<..>`. If only outermost lists are left, it shortens
/// their parts that have lists; if no part has one, it makes the last of these lists `<..>`.
fn outlined(text: &str) -> Option<String> {
    let lists = lists(text)?;
    let left = |list: &&Arguments| &text[list.from..list.to] != "<..>";
    let depth = lists.iter().filter(left).map(|list| list.depth).max()?;
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut wanted: Vec<_> = lists.iter().filter(left).filter(|list| list.depth == depth).collect();
    let has_lists = |part: &str| part.contains('<');
    let is_partial =
        depth == 1 && wanted.iter().any(|list| has_lists(&text[list.from + 1..list.to - 1]));
    if depth == 1 && !is_partial {
        wanted.drain(..wanted.len() - 1);
    }
    for list in wanted {
        let inside = &text[list.from + 1..list.to - 1];
        let new = match is_partial {
            true if !has_lists(inside) => continue,
            true => without_lists(inside),
            false => "..".to_owned(),
        };
        out.push_str(&text[at..=list.from]);
        out.push_str(&new);
        out.push('>');
        at = list.to;
    }
    out.push_str(&text[at..]);
    (out.len() < text.len()).then_some(out)
}

/// Returns arguments, with two dots for those that have arguments themselves.
fn without_lists(arguments: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let (mut depth, mut from) = (0usize, 0);
    for (at, c) in arguments.char_indices() {
        match c {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&arguments[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&arguments[from..]);
    let mut out: Vec<&str> = Vec::new();
    for part in parts {
        let part = if part.contains('<') { ".." } else { part.trim() };
        if part != ".." || out.last() != Some(&"..") {
            out.push(part);
        }
    }
    out.join(", ")
}

/// Returns the lists of template arguments in a text, in the order of their beginnings; `None`
/// where the signs do not pair.
fn lists(text: &str) -> Option<Vec<Arguments>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Arguments> = Vec::new();
    let mut open: Vec<Option<usize>> = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => {
                // `<omp idle>` and `operator<` are no lists.
                let before = text[..at].trim_end_matches('<');
                let is_operator = before.ends_with("operator");
                if is_operator {
                    continue;
                }
                let is_name = before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                    || is_operators_name(text[..at].trim_end());
                let depth = open.iter().flatten().count() + 1;
                open.push(is_name.then_some(found.len()));
                if is_name {
                    found.push(Arguments { from: at, to: 0, depth });
                }
            }
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' if text[..at].trim_end_matches('>').ends_with("operator") => {}
            b'>' if text[..at].ends_with("operator<=") => {}
            b'>' => {
                if let Some(list) = open.pop()? {
                    found[list].to = at + 1;
                }
            }
            _ => {}
        }
    }
    open.is_empty().then_some(found)
}

/// Whether the text ends in the name of an operator: `operator+`, `operator()`, `operator<<`.
fn is_operators_name(text: &str) -> bool {
    let Some((before, signs)) = text.rsplit_once("operator") else { return false };
    let is_word = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    is_word && !signs.is_empty() && signs.chars().all(|c| "+-*/%^&|~!=<>,()[]".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_templates_go_first() {
        let name = "54 %  region at a.cpp:9 in ns::Field<double, std::allocator<double>, \
                    Policy<double, std::map<int, A<long>>>>::apply<main::{lambda#1}>";
        let at = |width| fitted(name, width);
        assert_eq!(at(200), name);
        assert_eq!(
            at(110),
            "54 %  region at a.cpp:9 in ns::Field<double, std::allocator<..>, Policy<..>>::apply<\
             main::{lambda#1}>"
        );
        assert_eq!(
            at(80),
            "54 %  region at a.cpp:9 in ns::Field<double, ..>::apply<main::{lambda#1}>"
        );
        let first = "54 %  region at a.cpp:9 in ns::Field<double, ..>::apply<..>";
        assert_eq!(at(60), first);
        assert_eq!(at(55), "54 %  region at a.cpp:9 in ns::Field<..>::apply<..>");
        assert_eq!(at(38), "54 %  region at a.cpp:9 in ns::Field..");
    }

    #[test]
    fn other_signs_are_no_templates() {
        assert_eq!(fitted("3.6 %  <omp explicit barrier>", 16), "3.6 %  <omp ex..");
        assert_eq!(fitted("std::operator<< <char>", 20), "std::operator<< <..>");
        assert_eq!(fitted("std::operator<< <char, A<long>>", 26), "std::operator<< <char, ..>");
        assert_eq!(fitted("operator+<Matrix<double>>", 21), "operator+<Matrix<..>>");
        assert_eq!(fitted("V<int>::operator()<long, int>", 25), "V<int>::operator()<..>");
        assert_eq!(fitted("V<int>::operator<=>", 18), "V<..>::operator<=>");
        assert_eq!(fitted("V<int>::my_operator[0]", 21), "V<..>::my_operator[0]");
        assert_eq!(fitted("V<int>::operator->", 17), "V<..>::operator->");
        assert_eq!(fitted("V<int>::operator>", 16), "V<..>::operator>");
        assert_eq!(fitted("f<(a)>b)> and more", 10), "f<(a)>b)..");
        assert_eq!(fitted("a < b, c < d", 8), "a < b,..");
    }
}
