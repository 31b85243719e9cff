//! Functions by name: what the lookup functions that tools get choose from.
//!
//! Who calls: the lookup functions of [`crate::ompt5`] and [`crate::earlier`]. Of these there is
//! one for each slot; the search among the names is the same for all, and stands here once.
//!
//! What must hold: no table of addresses. The dynamic linker would have to write it at each start
//! of a program, even without a tool. `black_box` keeps the compiler from making one of the rows.

/// Which of `names` this is, counted from 0. Each of them ends with a line's end.
#[inline(never)]
pub fn number(names: &'static str, name: &[u8]) -> Option<usize> {
    names
        .as_bytes()
        .split(|byte| *byte == b'\n')
        .position(|known| !known.is_empty() && known == name)
}

/// The value of the row with this name, if there is one: `by_name!(name, { "a" => 1, "b" => 2 })`.
/// Only that row's value is computed.
macro_rules! by_name {
    ($name:expr, { $($known:literal => $value:expr,)+ }) => {
        match $crate::entry::number(concat!($($known, "\n",)+), $name) {
            Some(number) => 'found: {
                let mut row = 0;
                $(
                    if row == number {
                        break 'found Some(core::hint::black_box($value));
                    }
                    row += 1;
                )+
                let _ = row;
                None
            }
            None => None,
        }
    };
}
pub(crate) use by_name;

#[cfg(test)]
mod tests {
    #[test]
    fn a_row_is_found_by_its_whole_name() {
        let find =
            |name: &str| by_name!(name.as_bytes(), { "one" => 1, "onetwo" => 2, "two" => 3, });
        assert_eq!([find("one"), find("onetwo"), find("two")], [Some(1), Some(2), Some(3)]);
        for stranger in ["", "on", "onetw", "twoo", "one\n", "one\nonetwo", "\n"] {
            assert_eq!(find(stranger), None, "{stranger:?}");
        }
    }
}
