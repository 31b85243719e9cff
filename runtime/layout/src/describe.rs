//! `describe!`: beside a structure, the table of its fields; and all tables as one text.
//!
//! The text is made when the library is built, so a running program does nothing for it. Its lines:
//!
//! | line | meaning |
//! |---|---|
//! | `struct NAME SIZE` | a structure, in bytes; its fields follow |
//! | `.FIELD OFFSET SIZE` | a field of the structure above |
//! | `value NAME NUMBER` | a number that is needed to read one |
//! | `root NAME INDEX` | which of the blob's addresses is that of this variable |

/// One field of a described structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name in the source; of a field in a field, both with a dot between them.
    pub name: &'static str,
    /// Offset from the start of the structure, in bytes.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
}

/// A described structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Its name in the source.
    pub name: &'static str,
    /// Size in bytes.
    pub size: usize,
    /// The fields that may be read, in any order.
    pub fields: &'static [Field],
}

/// A structure that a debugger may read: see [`describe!`](crate::describe!).
pub trait Described {
    /// The layout of the structure.
    const STRUCTURE: Structure;
}

/// Returns the size in bytes of the field that `get` gives.
pub const fn size_of_field<S, F>(_get: fn(&S) -> &F) -> usize {
    size_of::<F>()
}

/// Describes a structure to debuggers, beside its definition: `describe!(Name { field, outer.inner
/// })`. Fields stay as private as they are. A generic structure says what it is generic in:
/// `describe!(<T> Name<T> as "Name" { field })`.
#[macro_export]
macro_rules! describe {
    ($name:ident { $($field:tt $(. $inner:tt)*),* $(,)? }) => {
        $crate::describe!(<> $name as (stringify!($name)) { $($field $(. $inner)*),* });
    };
    (<$($generic:ident),*> $type:ty as ($name:expr) { $($field:tt $(. $inner:tt)*),* $(,)? }) => {
        impl<$($generic),*> $crate::Described for $type {
            const STRUCTURE: $crate::Structure = $crate::Structure {
                name: $name,
                size: core::mem::size_of::<$type>(),
                fields: &[$($crate::Field {
                    name: concat!(stringify!($field) $(, ".", stringify!($inner))*),
                    offset: core::mem::offset_of!($type, $field $(. $inner)*),
                    size: $crate::describe::size_of_field(|s: &$type| &s.$field $(. $inner)*),
                }),*],
            };
        }
    };
}

/// A number that is needed to read a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its name.
    pub name: &'static str,
    /// The number.
    pub value: u64,
}

impl Value {
    /// Makes a number with its name.
    pub const fn new(name: &'static str, value: u64) -> Value {
        Value { name, value }
    }
}

/// The whole content of the text.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The structures, in lists as the parts of the runtime have them.
    pub structures: &'static [&'static [Structure]],
    /// The numbers, in lists of the same kind.
    pub values: &'static [&'static [Value]],
    /// The variables whose addresses stand beside the text, in their order.
    pub roots: &'static [&'static str],
}

/// A text that grows; without room it only counts.
struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    const fn put(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut at = 0;
        while at < text.len() {
            if self.length < N {
                self.bytes[self.length] = text[at];
            }
            self.length += 1;
            at += 1;
        }
        self
    }

    const fn number(mut self, number: u64) -> Self {
        let mut power = 1;
        while number / power >= 10 {
            power *= 10;
        }
        while power > 0 {
            if self.length < N {
                self.bytes[self.length] = b'0' + (number / power % 10) as u8;
            }
            self.length += 1;
            power /= 10;
        }
        self
    }

    const fn structure(self, structure: &Structure) -> Self {
        let mut text = self.put("struct ").put(structure.name).and(structure.size).put("\n");
        let mut at = 0;
        while at < structure.fields.len() {
            let Field { name, offset, size } = structure.fields[at];
            text = text.put(".").put(name).and(offset).and(size).put("\n");
            at += 1;
        }
        text
    }

    /// Adds ` NUMBER`.
    const fn and(self, number: usize) -> Self {
        self.put(" ").number(number as u64)
    }
}

const fn write<const N: usize>(description: &Description) -> Text<N> {
    let mut text = Text { bytes: [0; N], length: 0 };
    let mut list = 0;
    while list < description.structures.len() {
        let mut at = 0;
        while at < description.structures[list].len() {
            text = text.structure(&description.structures[list][at]);
            at += 1;
        }
        list += 1;
    }
    list = 0;
    while list < description.values.len() {
        let mut at = 0;
        while at < description.values[list].len() {
            let Value { name, value } = description.values[list][at];
            text = text.put("value ").put(name).put(" ").number(value).put("\n");
            at += 1;
        }
        list += 1;
    }
    let mut at = 0;
    while at < description.roots.len() {
        text = text.put("root ").put(description.roots[at]).and(at).put("\n");
        at += 1;
    }
    text
}

impl Description {
    /// Returns the length of the text in bytes.
    pub const fn length(&self) -> usize {
        write::<0>(self).length
    }

    /// Returns the text. `N` is its [`Description::length`].
    pub const fn text<const N: usize>(&self) -> [u8; N] {
        write::<N>(self).bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C)]
    struct Outer {
        first: u32,
        inner: Inner,
    }
    #[repr(C)]
    struct Inner {
        small: u8,
        pair: (u64, u64),
    }
    struct Many<T>(u32, core::marker::PhantomData<T>);

    describe!(Outer { first, inner.small, inner.pair.1 });
    describe!(<T> Many<T> as ("Many") { 0 });

    const ALL: Description = Description {
        structures: &[&[Outer::STRUCTURE], &[Many::<u8>::STRUCTURE]],
        values: &[&[Value { name: "Outer.LARGE", value: u64::MAX }]],
        roots: &["list", "other"],
    };

    #[test]
    fn all_in_one_text() {
        const TEXT: [u8; ALL.length()] = ALL.text();
        let pair = core::mem::offset_of!(Outer, inner.pair.1);
        let text = core::str::from_utf8(&TEXT).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("struct Outer 32"));
        assert_eq!(lines.next(), Some(".first 0 4"));
        assert_eq!(lines.next(), Some(".inner.small 8 1"));
        let third = lines.next().unwrap();
        assert!(third.starts_with(".inner.pair.1 ") && third.ends_with(" 8"), "{third} {pair}");
        assert_eq!(lines.next(), Some("struct Many 4"));
        assert_eq!(lines.next(), Some(".0 0 4"));
        assert_eq!(lines.next(), Some("value Outer.LARGE 18446744073709551615"));
        assert_eq!(lines.next(), Some("root list 0"));
        assert_eq!(lines.next(), Some("root other 1"));
        assert_eq!(lines.next(), None);
        assert!(text.ends_with('\n'));
    }
}
