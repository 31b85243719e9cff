//! The R functions that a thread is in, and their places between the frames of the machine.
//!
//! R keeps a record of each function call on the C stack, in a chain, innermost first (`RCNTXT`).
//! Lines are known if R was asked to keep the source (`keep.source`): a record has the line of its
//! caller. For compiled code it has the place in the code instead.
//!
//! Offsets are those of R 4.2. A value with the wrong type is not followed, so that another layout
//! has no frames, or none with lines.

use crate::r_values::{
    BEGIN, CALL_OF, CLOSURE, COMPILED, ENVIRONMENT, FIRST, INTEGERS, LENGTH, LETTERS, LIST, REST,
    SYMBOL, TAG, TEXTS, VALUES, Values,
};
use crate::{Machine, Memory};

/// The most records of a stack that are gone through.
const MOST_RECORDS: usize = 4096;
/// The most buckets of a file's variables, and constants of code, from its end on, that are looked
/// at.
const MOST_BUCKETS: u64 = 64;
const MOST_CONSTANTS: u64 = 4;

/// `RCNTXT`.
const KIND: u64 = 8;
const FUNCTION: u64 = 232;
const CALL: u64 = 248;
const CODE: u64 = 312;
const INSTRUCTION: u64 = 320;
const SOURCE: u64 = 368;
/// Bits of its kind: for a function of R's, and for one of C's.
const OF_FUNCTION: u32 = 4;
const OF_BUILTIN: u32 = 64;

/// A call of a function of R's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// How many machine frames are inside it.
    pub inside: usize,
    /// Its name, for [`text`]; 0: it has none.
    pub name: u64,
    /// The line that the function executes, if R tells it.
    pub place: Place,
}

/// A line of a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file's name, for [`text`]; 0: it is not known.
    pub file: u64,
    /// The line, 0 if it is not known.
    pub line: u32,
}

/// Gives `each` the calls that the thread with this stack is in, innermost first; `None` where
/// something cannot be read: nothing is known beyond that. `records` is the address of
/// `R_GlobalContext`, `source` that of `R_Srcref`. Async-signal-safe.
pub fn walk<E: Fn(usize) -> bool>(
    memory: &mut impl Memory,
    (records, source): (u64, u64),
    machine: &Machine<'_, E>,
    mut each: impl FnMut(Call),
) -> Option<()> {
    let mut record = memory.word(records)?;
    // Other threads have no records.
    if !machine.has_on_stack(record) {
        return Some(());
    }
    let mut values = Values { memory, known: (0, 0) };
    let mut place = None;
    let mut inside = 0;
    for _ in 0..MOST_RECORDS {
        let kind = values.memory.half(record.checked_add(KIND)?)?;
        if kind == 0 {
            break;
        }
        // A record of a loop in compiled code lies elsewhere.
        if machine.has_on_stack(record) {
            inside = machine.inside_of(record).max(inside);
        }
        if kind & OF_FUNCTION != 0 && values.member(record, FUNCTION, CLOSURE).is_some() {
            let name = values.member(record, CALL, CALL_OF).and_then(|call| values.name(call));
            let within = place.take().unwrap_or_else(|| {
                values.member(source, 0, INTEGERS).map(|source| values.of_source(source))
            });
            let name = name.unwrap_or(0);
            each(Call { inside, name, place: within.unwrap_or_default() });
            place = Some(values.caller_of(record));
        } else if kind == OF_BUILTIN && place.is_none() {
            place = Some(values.caller_of(record));
        }
        record = values.memory.word(record)?;
    }
    Some(())
}

/// Returns the address and the length in bytes of a name's letters: UTF-8, most likely.
/// Async-signal-safe.
pub fn text(memory: &mut impl Memory, name: u64) -> Option<(u64, u64)> {
    let mut values = Values { memory, known: (0, 0) };
    let name = values.is(name, LETTERS)?;
    Some((name.checked_add(BEGIN)?, values.memory.word(name.checked_add(LENGTH)?)?))
}

impl<M: Memory> Values<'_, M> {
    /// Returns the name of the called function: `f(x)`, `package::f(x)`.
    fn name(&mut self, call: u64) -> Option<u64> {
        if let Some(symbol) = self.member(call, FIRST, SYMBOL) {
            return self.member(symbol, FIRST, LETTERS);
        }
        let within = self.member(call, FIRST, CALL_OF)?;
        let arguments = self.member(within, REST, LIST)?;
        let last = self.member(arguments, REST, LIST)?;
        let symbol = self.member(last, FIRST, SYMBOL)?;
        self.member(symbol, FIRST, LETTERS)
    }

    /// Returns the caller's line when the record was made.
    fn caller_of(&mut self, record: u64) -> Option<Place> {
        if let Some(source) = self.member(record, SOURCE, INTEGERS) {
            return Some(self.of_source(source));
        }
        self.member(record, SOURCE, SYMBOL)?;
        let code = self.member(record, CODE, COMPILED)?;
        let now = self.memory.word(record.checked_add(INSTRUCTION)?)?;
        let now = self.memory.word(now)?;
        let first = self.member(code, FIRST, INTEGERS)?.checked_add(BEGIN)?;
        let at = now.checked_sub(first)? / 8;
        let constants = self.member(code, REST, VALUES)?;
        let count = self.memory.word(constants.checked_add(LENGTH)?)?;
        for number in (count.saturating_sub(MOST_CONSTANTS)..count).rev() {
            let Some(table) = self.element(constants, number, INTEGERS) else { continue };
            if !self.is_of_lines(table) || at >= self.memory.word(table.checked_add(LENGTH)?)? {
                continue;
            }
            let entry = table.checked_add(BEGIN)?.checked_add(at.checked_mul(4)?)?;
            let entry = u64::from(self.memory.half(entry)?);
            let source = self.element(constants, entry, INTEGERS)?;
            return Some(self.of_source(source));
        }
        None
    }

    /// Whether a table of compiled code says which constant is each instruction's place.
    fn is_of_lines(&mut self, table: u64) -> bool {
        let class = self.attribute(table, TEXTS);
        let name = class.and_then(|class| self.element(class, 0, LETTERS));
        name.is_some_and(|name| self.begins(name, *b"srcrefsI"))
    }

    fn of_source(&mut self, source: u64) -> Place {
        let line = source.checked_add(BEGIN).and_then(|at| self.memory.half(at)).unwrap_or(0);
        let Some(file) = self.attribute(source, ENVIRONMENT) else { return Place::default() };
        if self.known.0 != file {
            self.known = (file, self.file_name(file).unwrap_or(0));
        }
        Place { file: self.known.1, line }
    }

    /// Returns the variable `filename` of a file's description.
    fn file_name(&mut self, file: u64) -> Option<u64> {
        if let Some(buckets) = self.member(file, TAG, VALUES) {
            let count = self.memory.word(buckets.checked_add(LENGTH)?)?;
            for bucket in 0..count.min(MOST_BUCKETS) {
                if let Some(list) = self.element(buckets, bucket, LIST)
                    && let Some(name) = self.file_name_in(list)
                {
                    return Some(name);
                }
            }
        }
        let list = self.member(file, FIRST, LIST)?;
        self.file_name_in(list)
    }

    fn file_name_in(&mut self, list: u64) -> Option<u64> {
        let found = self.entry(list, |values, entry| {
            let symbol = values.member(entry, TAG, SYMBOL)?;
            let name = values.member(symbol, FIRST, LETTERS)?;
            let is_it = values.begins(name, *b"filename");
            is_it.then(|| values.member(entry, FIRST, TEXTS)).flatten()
        })?;
        let name = self.element(found, 0, LETTERS)?;
        // Code that was typed in has no file name.
        (self.memory.word(name.checked_add(LENGTH)?)? > 0).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::r_values::ATTRIBUTES;
    use crate::words::Words;
    use std::vec::Vec;

    const GLOBALS: (u64, u64) = (0x100, 0x108);
    const STACK: (u64, u64) = (0x7000, 0x9000);
    const POINTERS: [u64; 4] = [0x7000, 0x7100, 0x7800, 0x8000];

    fn put(words: &mut Words, at: u64, all: &[(u64, u64)]) {
        words.0.extend(all.iter().map(|(offset, word)| (at + offset, *word)));
    }

    fn letters(words: &mut Words, at: u64, text: [u8; 8]) {
        put(words, at, &[(0, LETTERS), (LENGTH, 8), (BEGIN, u64::from_le_bytes(text))]);
    }

    /// Makes a line of the file at 0x3000, and a called function at 0x4000.
    fn values() -> Words {
        let mut words = Words::default();
        letters(&mut words, 0x3300, *b"filename");
        letters(&mut words, 0x3500, *b"script.R");
        put(&mut words, 0x3000, &[(0, ENVIRONMENT), (FIRST, 0), (TAG, 0x3100)]);
        put(&mut words, 0x3100, &[(0, VALUES), (LENGTH, 2), (BEGIN, 0), (BEGIN + 8, 0x3200)]);
        put(&mut words, 0x3200, &[(0, LIST), (FIRST, 0x3400), (REST, 0), (TAG, 0x3280)]);
        put(&mut words, 0x3280, &[(0, SYMBOL), (FIRST, 0x3300)]);
        put(&mut words, 0x3400, &[(0, TEXTS), (LENGTH, 1), (BEGIN, 0x3500)]);
        put(&mut words, 0x3600, &[(0, LIST), (FIRST, 0x3000), (REST, 0), (TAG, 0x3280)]);
        for (at, line) in [(0x3700, 12), (0x3800, 30)] {
            put(&mut words, at, &[(0, INTEGERS), (ATTRIBUTES, 0x3600), (BEGIN, line)]);
        }
        letters(&mut words, 0x4200, *b"fit.here");
        put(&mut words, 0x4000, &[(0, CALL_OF), (FIRST, 0x4100), (REST, 0)]);
        put(&mut words, 0x4100, &[(0, SYMBOL), (FIRST, 0x4200)]);
        put(&mut words, 0x4300, &[(0, CLOSURE)]);
        words
    }

    fn record(words: &mut Words, at: u64, next: u64, kind: u32, source: u64) {
        let function = if kind & OF_FUNCTION != 0 { 0x4300 } else { 0 };
        let all = [(0, next), (KIND, kind.into()), (FUNCTION, function), (CALL, 0x4000)];
        put(words, at, &all);
        put(words, at, &[(SOURCE, source)]);
    }

    fn walked(words: &mut Words) -> Vec<(usize, u64, u64, u32)> {
        let machine =
            Machine { pointers: &POINTERS, stack: STACK, is_cut: false, executes: |_| false };
        let mut found = Vec::new();
        walk(words, GLOBALS, &machine, |call| {
            found.push((call.inside, call.name, call.place.file, call.place.line));
        });
        found
    }

    #[test]
    fn a_call_has_the_line_that_its_record_s_caller_was_in() {
        let mut words = values();
        put(&mut words, 0x100, &[(0, 0x7110), (8, 0)]);
        record(&mut words, 0x7110, 0x7900, OF_BUILTIN, 0x3700);
        record(&mut words, 0x7900, 0x8100, 12, 0x3800);
        record(&mut words, 0x8100, 0x10, 12, 0);
        put(&mut words, 0x10, &[(0, 0), (KIND, 0)]);
        let expected = [(2, 0x4200, 0x3500, 12), (3, 0x4200, 0x3500, 30)];
        assert_eq!(walked(&mut words), expected);
        assert_eq!(text(&mut words, 0x3500), Some((0x3500 + BEGIN, 8)));
        // Without the source there are names.
        words.0.insert(0x7110 + SOURCE, 0);
        words.0.insert(0x7900 + SOURCE, 0);
        assert_eq!(walked(&mut words), [(2, 0x4200, 0, 0), (3, 0x4200, 0, 0)]);
        // Another thread's stack has none.
        words.0.insert(0x100, 0x9900);
        assert_eq!(walked(&mut words), []);
    }

    #[test]
    fn compiled_code_has_a_table_of_places() {
        let mut words = values();
        put(&mut words, 0x100, &[(0, 0x7900), (8, 0x3800)]);
        record(&mut words, 0x7900, 0x8100, 12, 0x4100);
        put(&mut words, 0x7900, &[(CODE, 0x5000), (INSTRUCTION, 0x8080)]);
        record(&mut words, 0x8100, 0x10, 12, 0);
        put(&mut words, 0x10, &[(0, 0), (KIND, 0)]);
        // The third instruction's place is the first constant.
        words.0.insert(0x8080, 0x5100 + BEGIN + 2 * 8);
        put(&mut words, 0x5000, &[(0, COMPILED), (FIRST, 0x5100), (REST, 0x5200)]);
        put(&mut words, 0x5100, &[(0, INTEGERS)]);
        put(&mut words, 0x5200, &[(0, VALUES), (LENGTH, 2), (BEGIN, 0x3700)]);
        put(&mut words, 0x5200, &[(BEGIN + 8, 0x5300)]);
        put(&mut words, 0x5300, &[(0, INTEGERS), (ATTRIBUTES, 0x5400), (LENGTH, 3)]);
        put(&mut words, 0x5300, &[(BEGIN, 1), (BEGIN + 8, 0)]);
        put(&mut words, 0x5400, &[(0, LIST), (FIRST, 0x5500), (REST, 0)]);
        put(&mut words, 0x5500, &[(0, TEXTS), (LENGTH, 1), (BEGIN, 0x5600)]);
        letters(&mut words, 0x5600, *b"srcrefsI");
        assert_eq!(walked(&mut words), [(2, 0x4200, 0x3500, 30), (3, 0x4200, 0x3500, 12)]);
        // A table that is too short has no place for it.
        words.0.insert(0x5300 + LENGTH, 2);
        assert_eq!(walked(&mut words)[1], (3, 0x4200, 0, 0));
    }
}
