//! Writes names of the C++ library's templates as programmers write them: `std::vector<double>`,
//! `std::string`, without the default arguments.

/// The default arguments of the library's templates. `0` and `1` stand for the first and second
/// argument.
const DEFAULTS: [(&str, &[&str]); 19] = [
    ("std::vector", &["0", "std::allocator<0>"]),
    ("std::deque", &["0", "std::allocator<0>"]),
    ("std::list", &["0", "std::allocator<0>"]),
    ("std::forward_list", &["0", "std::allocator<0>"]),
    ("std::set", &["0", "std::less<0>", "std::allocator<0>"]),
    ("std::multiset", &["0", "std::less<0>", "std::allocator<0>"]),
    ("std::map", &["0", "1", "std::less<0>", "std::allocator<std::pair<0 const, 1>>"]),
    ("std::multimap", &["0", "1", "std::less<0>", "std::allocator<std::pair<0 const, 1>>"]),
    ("std::unordered_set", &["0", "std::hash<0>", "std::equal_to<0>", "std::allocator<0>"]),
    ("std::unordered_multiset", &["0", "std::hash<0>", "std::equal_to<0>", "std::allocator<0>"]),
    ("std::unordered_map", &PAIRS),
    ("std::unordered_multimap", &PAIRS),
    ("std::unique_ptr", &["0", "std::default_delete<0>"]),
    ("std::queue", &["0", "std::deque<0>"]),
    ("std::stack", &["0", "std::deque<0>"]),
    ("std::priority_queue", &["0", "std::vector<0>", "std::less<0>"]),
    ("std::basic_ostream", &["0", "std::char_traits<0>"]),
    ("std::basic_istream", &["0", "std::char_traits<0>"]),
    ("std::basic_string", &["0", "std::char_traits<0>", "std::allocator<0>"]),
];

const PAIRS: [&str; 5] =
    ["0", "1", "std::hash<0>", "std::equal_to<0>", "std::allocator<std::pair<0 const, 1>>"];

/// The library's own names for templates.
const NAMES: [(&str, &str); 4] = [
    ("std::basic_string<char>", "std::string"),
    ("std::basic_string<wchar_t>", "std::wstring"),
    ("std::basic_ostream<char>", "std::ostream"),
    ("std::basic_istream<char>", "std::istream"),
];

/// Deeper nests are left as they are.
const DEEPEST: usize = 64;

/// A demangled name without the default arguments of the library's templates. A name with unpaired
/// brackets stays as it is.
pub(in crate::symbols) fn plain(name: &str) -> String {
    if !name.contains('<') {
        return name.to_owned();
    }
    let name = name.replace("std::__cxx11::", "std::").replace("std::__1::", "std::");
    rewritten(&name, 0).unwrap_or(name)
}

fn rewritten(text: &str, depth: usize) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(open) = opening(text, at) {
        let (arguments, close) = split(text, open)?;
        out.push_str(&text[at..open]);
        let mut inner = Vec::new();
        for argument in arguments {
            let argument = argument.trim();
            inner.push(if depth < DEEPEST {
                rewritten(argument, depth + 1)?
            } else {
                argument.to_owned()
            });
        }
        let kept = kept(name_before(&out), &inner);
        out.push('<');
        out.push_str(&inner[..kept].join(", "));
        out.push('>');
        for (long, short) in NAMES {
            if let Some(front) = out.strip_suffix(long) {
                out = format!("{front}{short}");
            }
        }
        at = close;
    }
    out.push_str(&text[at..]);
    Some(out)
}

/// The number of arguments that are not defaults.
fn kept(template: &str, arguments: &[String]) -> usize {
    let Some((_, known)) = DEFAULTS.iter().find(|(name, _)| *name == template) else {
        return arguments.len();
    };
    let mut kept = arguments.len();
    while kept > 1
        && let Some(default) = known.get(kept - 1)
        && default.starts_with("std::")
        && is_alike(&arguments[kept - 1], default, arguments)
    {
        kept -= 1;
    }
    kept
}

fn is_alike(argument: &str, default: &str, arguments: &[String]) -> bool {
    let mut meant = String::new();
    for c in default.chars() {
        match c {
            '0' | '1' => meant.push_str(&arguments[usize::from(c == '1')]),
            c => meant.push(c),
        }
    }
    // A pair's first type is written with its `const` in front of it or behind it.
    let first = &arguments[0];
    argument == meant
        || argument.replace(&format!("pair<const {first},"), &format!("pair<{first} const,"))
            == meant
}

/// The qualified name that a text ends with.
fn name_before(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let start = text.char_indices().rev().find(|(_, c)| !is_part(*c));
    &text[start.map_or(0, |(at, c)| at + c.len_utf8())..]
}

/// The next bracket behind `from` that opens arguments of a template.
fn opening(text: &str, from: usize) -> Option<usize> {
    text[from..].char_indices().map(|(at, c)| (from + at, c)).find_map(|(at, c)| {
        let before = name_before(&text[..at]);
        (c == '<' && !before.is_empty() && !before.ends_with("operator")).then_some(at)
    })
}

/// The arguments of the list that opens at `open`, and the end of the list.
fn split(text: &str, open: usize) -> Option<(Vec<&str>, usize)> {
    let mut parts = Vec::new();
    let mut open_signs = Vec::new();
    let mut from = open + 1;
    for (at, c) in text[open + 1..].char_indices().map(|(at, c)| (open + 1 + at, c)) {
        match c {
            // Inside parentheses, `<` and `>` compare.
            '(' | '{' | '[' => open_signs.push(c),
            ')' | '}' | ']' => {
                open_signs.pop().filter(|sign| *sign != '<')?;
            }
            '<' => open_signs.push(c),
            '>' if text[..at].ends_with('-') => {}
            '>' if open_signs.is_empty() => {
                parts.push(&text[from..at]);
                return Some((parts, at + 1));
            }
            '>' => {
                open_signs.pop().filter(|sign| *sign == '<')?;
            }
            ',' if open_signs.is_empty() => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn the_librarys_templates_have_what_one_writes() {
        let string =
            "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
        let map = format!(
            "f<std::map<{string}, std::vector<int, std::allocator<int> >, std::less<{string} >, \
             std::allocator<std::pair<{string} const, std::vector<int, std::allocator<int> > > > > \
             >"
        );
        let written = |name: &str| plain(name);
        assert_eq!(written(string), "std::string");
        assert_eq!(written(&map), "f<std::map<std::string, std::vector<int>>>");
        assert_eq!(
            written(
                "std::vector<std::pair<int, A<2> >, std::allocator<std::pair<int, A<2> > > >::at"
            ),
            "std::vector<std::pair<int, A<2>>>::at"
        );
        // Arguments that the programmer chose stay.
        let own = "std::vector<int, Pool<int> >::size";
        assert_eq!(written(own), "std::vector<int, Pool<int>>::size");
        let other =
            "std::map<int, int, std::greater<int>, std::allocator<std::pair<int const, int>>>";
        assert_eq!(written(other), "std::map<int, int, std::greater<int>>");
        assert_eq!(written("std::array<double, 3ul>::at"), "std::array<double, 3ul>::at");
    }

    #[test]
    fn other_names_stay() {
        for name in [
            "main",
            "V<double>::sum",
            "std::operator<< <std::char_traits<char> >",
            "std::f<(1>2)>::g",
            "std::vector<int",
            "std::function<int (std::vector<int>)>",
            "std::operator->",
        ] {
            assert_eq!(plain(name), name, "{name}");
        }
    }
}
