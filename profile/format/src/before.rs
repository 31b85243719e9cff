//! The part of a chunk's records that later ones refer to: a sample or a stack is written shorter
//! where one like it stands before it in the same chunk.

use crate::copies::{self, LONGEST};
use crate::frames::{Frames, Key};
use crate::records::{Record, RecordError, Sample, Stack, kind};
use crate::sample_delta;
use crate::wire::{Field, Sink, Source};

/// The most stacks that are written as copies of one key, an earlier stack: later ones resemble it
/// less and less.
const COPIES: u32 = 16;

/// The most copied frames of a chunk for each of its bytes: so a reader's memory stays in
/// proportion to the bytes that it reads.
pub(crate) const FRAMES_A_BYTE: usize = 4;

/// The content of a chunk under construction that later records may refer to. Its writer keeps it
/// beside the chunk's length, and [clears](Before::clear) it for each new chunk.
pub struct Before {
    sample: Option<Sample>,
    key: [u64; LONGEST],
    key_length: usize,
    /// The number of copies of the key, and below of copied frames in the chunk.
    copies: u32,
    copied: usize,
}

impl Default for Before {
    fn default() -> Self {
        Before { sample: None, key: [0; LONGEST], key_length: 0, copies: 0, copied: 0 }
    }
}

/// The form in which a record is written.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Whole,
    Again,
    Copied,
    Folded,
}

impl Before {
    /// Begins a new chunk. Async-signal-safe.
    pub fn clear(&mut self) {
        self.sample = None;
        self.key_length = 0;
        self.copied = 0;
    }

    /// Returns the form for a record in a chunk whose payload has `length` bytes.
    pub(crate) fn form(&self, record: &Record<'_>, length: usize) -> Form {
        match record {
            Record::Sample(_) if self.sample.is_some() => Form::Again,
            Record::Stack(Stack { frames: Frames::Pcs(pcs), .. })
                if pcs.len() <= LONGEST && self.copied + pcs.len() <= length * FRAMES_A_BYTE =>
            {
                let has_key = self.key_length > 0 && self.copies < COPIES;
                if has_key { Form::Copied } else { Form::Folded }
            }
            _ => Form::Whole,
        }
    }

    pub(crate) fn encode(&self, record: &Record<'_>, form: Form, sink: &mut Sink<'_>) -> u8 {
        match (form, record, &self.sample) {
            (Form::Again, Record::Sample(sample), Some(before)) => {
                sample_delta::encode(sample, before, sink);
                kind::SAMPLE_AGAIN
            }
            (Form::Copied, Record::Stack(Stack { stack, frames: Frames::Pcs(pcs) }), _) => {
                stack.put(sink);
                copies::encode(self.key.get(..self.key_length).unwrap_or(&[]), pcs, sink);
                kind::STACK_COPIED
            }
            (Form::Folded, Record::Stack(Stack { stack, frames: Frames::Pcs(pcs) }), _) => {
                stack.put(sink);
                copies::encode(&[], pcs, sink);
                kind::STACK_FOLDED
            }
            _ => {
                record.encode(sink);
                record.kind()
            }
        }
    }

    /// Notes that the record was written in that form.
    pub(crate) fn note(&mut self, record: &Record<'_>, form: Form) {
        match (record, form) {
            (Record::Sample(sample), _) => self.sample = Some(*sample),
            (Record::Stack(Stack { frames: Frames::Pcs(pcs), .. }), form) => {
                self.copied += if matches!(form, Form::Whole) { 0 } else { pcs.len() };
                if matches!(form, Form::Copied) {
                    self.copies += 1;
                    return;
                }
                self.key_length = if pcs.len() <= LONGEST { pcs.len() } else { 0 };
                self.key.iter_mut().zip(*pcs).for_each(|(place, pc)| *place = *pc);
                self.copies = 0;
            }
            _ => {}
        }
    }
}

/// The state on the reading side that corresponds to [`Before`].
#[derive(Clone, Debug)]
pub(crate) struct Known<'a> {
    sample: Option<Sample>,
    key: Option<Key<'a>>,
    /// How many more frames may be copied.
    left: usize,
}

impl<'a> Known<'a> {
    /// Makes the state at the begin of a chunk with `payload` bytes of payload.
    pub(crate) fn new(payload: usize) -> Known<'a> {
        let left = payload.saturating_mul(FRAMES_A_BYTE);
        Known { sample: None, key: None, left }
    }

    /// Decodes the record of this kind.
    pub(crate) fn decode(&mut self, kind: u8, body: &'a [u8]) -> Result<Record<'a>, RecordError> {
        let mut source = Source::new(body);
        let record = match kind {
            kind::SAMPLE_AGAIN => {
                let before = self.sample.as_ref();
                before
                    .and_then(|before| sample_delta::decode(&mut source, before))
                    .map(Record::Sample)
            }
            kind::STACK_COPIED => {
                self.key.and_then(|key| self.copied(&mut source, key)).map(Record::Stack)
            }
            kind::STACK_FOLDED => self.copied(&mut source, Key::default()).map(Record::Stack),
            _ => Some(Record::decode(kind, body)?),
        };
        let record = record.ok_or(RecordError::Malformed { kind })?;
        match record {
            Record::Sample(sample) => self.sample = Some(sample),
            Record::Stack(Stack { frames: Frames::Encoded { count, bytes }, .. }) => {
                self.key = Some(Key { count, bytes, folded: false });
            }
            Record::Stack(Stack { frames: Frames::Copied { count, bytes, .. }, .. })
                if kind == kind::STACK_FOLDED =>
            {
                self.key = Some(Key { count, bytes, folded: true });
            }
            _ => {}
        }
        Ok(record)
    }

    fn copied(&mut self, source: &mut Source<'a>, key: Key<'a>) -> Option<Stack<'a>> {
        let stack = u64::get(source)?;
        let frames = copies::get(source, key)?;
        if let Frames::Copied { count, .. } = frames {
            self.left = self.left.checked_sub(count as usize)?;
        }
        Some(Stack { stack, frames })
    }
}
