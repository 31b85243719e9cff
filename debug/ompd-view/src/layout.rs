//! Parses the target's description of its own structures: names to offsets and sizes.
//!
//! The target's text is not trusted: a description that is too long, or that says something
//! impossible, is a fault. A missing entry is a fault only when it is asked for, so that parts of a
//! newer or an older description may still serve.

use crate::quick::QuickMap;
use crate::target::{Fault, Target};
use std::sync::Arc;

/// The symbol at which the runtime's description of itself stands.
pub const SYMBOL: &str = "omphalos_debug";
const MARK: &[u8; 16] = b"omphalos debug\0\0";
/// The version of the description that is understood.
const FORMAT: u32 = 1;
/// Bytes before the addresses.
const HEADER: usize = 32;
const MOST_TEXT: u64 = 1 << 20;
const MOST_ROOTS: u32 = 256;
/// The greatest size of a structure, and of an offset in one.
const MOST_SIZE: u64 = 1 << 24;

/// The position of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The distance from the start of the structure, in bytes.
    pub offset: u64,
    /// The size in bytes.
    pub size: u64,
}

/// See the module.
#[derive(Debug)]
pub struct Layout {
    runtime: String,
    /// The fields, keyed by `Structure.field`.
    fields: QuickMap<String, Field>,
    /// The sizes of structures, keyed by `Structure`.
    sizes: QuickMap<String, u64>,
    values: QuickMap<String, u64>,
    roots: QuickMap<String, u64>,
}

impl Layout {
    /// Reads the description out of a target.
    pub fn of(target: &dyn Target) -> Result<Arc<Layout>, Fault> {
        let at = target
            .symbol(SYMBOL, Some("libomphalos.so"))
            .or_else(|_| target.symbol(SYMBOL, None))
            .map_err(|fault| match fault {
                Fault::Gone => Fault::Gone,
                _ => Fault::Unknown(format!("Omphalos runtime in it (no symbol {SYMBOL})")),
            })?;
        Self::at(target, at).map(Arc::new)
    }

    /// Reads the description that stands at `at`.
    pub fn at(target: &dyn Target, at: u64) -> Result<Layout, Fault> {
        let mut header = [0; HEADER];
        target.read(at, &mut header)?;
        let word = |from: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&header[from..from + 8]);
            u64::from_le_bytes(bytes)
        };
        let (format, count, length) = (word(16) as u32, (word(16) >> 32) as u32, word(24));
        if header[..16] != *MARK {
            return Err(Fault::Nonsense(format!("what stands at {SYMBOL} is no description")));
        }
        if format != FORMAT {
            return Err(Fault::Unknown(format!(
                "way to read this runtime: its description has format {format}, this program knows \
                 {FORMAT}; use the omphalos that came with it"
            )));
        }
        if count > MOST_ROOTS || length > MOST_TEXT {
            let what = format!("a description of {count} addresses and {length} bytes");
            return Err(Fault::Nonsense(what));
        }
        let mut addresses = vec![0; count as usize * 8];
        target.read(at + HEADER as u64, &mut addresses)?;
        let mut text = vec![0; length as usize];
        target.read(at.wrapping_add((HEADER + addresses.len()) as u64), &mut text)?;
        let addresses: Vec<u64> = addresses
            .chunks_exact(8)
            .map(|bytes| bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
            .collect();
        let text = std::str::from_utf8(&text)
            .map_err(|_| Fault::Nonsense("the description is no text".into()))?;
        Self::parse(text, &addresses)
    }

    /// Parses a description's text (`omphalos_layout::describe` documents the form). Skips lines of
    /// unknown kinds.
    fn parse(text: &str, addresses: &[u64]) -> Result<Layout, Fault> {
        let mut layout = Layout {
            runtime: String::new(),
            fields: QuickMap::default(),
            sizes: QuickMap::default(),
            values: QuickMap::default(),
            roots: QuickMap::default(),
        };
        let mut structure = "";
        for line in text.lines() {
            let wrong = || Fault::Nonsense(format!("the description's line {line:?}"));
            let mut words = line.split(' ');
            let (first, rest) = (words.next().unwrap_or(""), words);
            let mut numbers = rest.clone().skip(usize::from(!first.starts_with('.')));
            let mut number = || numbers.next().and_then(|word| word.parse::<u64>().ok());
            let name = rest.clone().next().unwrap_or("");
            if let Some(field) = first.strip_prefix('.') {
                let (offset, size) = (number().ok_or_else(wrong)?, number().ok_or_else(wrong)?);
                if offset > MOST_SIZE || size > MOST_SIZE {
                    return Err(wrong());
                }
                layout.fields.insert(format!("{structure}.{field}"), Field { offset, size });
            } else if first == "struct" {
                structure = name;
                let size = number().filter(|&size| size <= MOST_SIZE).ok_or_else(wrong)?;
                layout.sizes.insert(name.into(), size);
            } else if first == "value" {
                layout.values.insert(name.into(), number().ok_or_else(wrong)?);
            } else if first == "root" {
                let index = number().ok_or_else(wrong)?;
                let address = addresses.get(index as usize).ok_or_else(wrong)?;
                layout.roots.insert(name.into(), *address);
            } else if first == "runtime" {
                layout.runtime = line["runtime".len()..].trim().chars().take(80).collect();
            }
        }
        Ok(layout)
    }

    /// The runtime's name and version, in its own words.
    pub fn runtime(&self) -> &str {
        &self.runtime
    }

    /// The position of a field, by `Structure.field`.
    pub fn field(&self, name: &str) -> Result<Field, Fault> {
        self.fields.get(name).copied().ok_or_else(|| Self::missing(name))
    }

    /// The size of a structure, in bytes.
    pub fn size(&self, name: &str) -> Result<u64, Fault> {
        self.sizes.get(name).copied().ok_or_else(|| Self::missing(name))
    }

    /// A number that is needed to read a structure.
    pub fn value(&self, name: &str) -> Result<u64, Fault> {
        self.values.get(name).copied().ok_or_else(|| Self::missing(name))
    }

    /// The address of a variable.
    pub fn root(&self, name: &str) -> Result<u64, Fault> {
        self.roots.get(name).copied().ok_or_else(|| Self::missing(name))
    }

    fn missing(name: &str) -> Fault {
        Fault::Unknown(format!("{name} in this runtime's description"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read() {
        let text = "runtime Omphalos 0.1.0\nstruct A 16\n.b 8 4\n.c.d 12 4\n\
                    future thing\nvalue A.X 7\nroot a 1\n";
        let layout = Layout::parse(text, &[1, 2]).unwrap();
        assert_eq!(layout.runtime(), "Omphalos 0.1.0");
        assert_eq!(layout.field("A.c.d"), Ok(Field { offset: 12, size: 4 }));
        assert_eq!(layout.size("A"), Ok(16));
        assert_eq!((layout.value("A.X"), layout.root("a")), (Ok(7), Ok(2)));
        assert!(layout.field("A.e").is_err());
    }

    #[test]
    fn nonsense_is_a_fault() {
        for text in ["struct A", "struct A -1", ".b 8", ".b 99999999999 8", "root a 2", "value x y"]
        {
            assert!(Layout::parse(text, &[0]).is_err(), "{text}");
        }
    }
}
