//! A stack as copies of parts of another one, the key, and of itself: recursion repeats the same
//! frames in another order. A key may have this form too, with copies of itself alone.
//!
//! In the file: the count, then varints. An odd varint is twice a number of frames, plus one: so
//! many frames are copied. The next varint is the distance back to them, in the key's frames
//! followed by the stack's own. An even varint is twice the zigzag difference of a frame from the
//! one before in the stack (from 0 for the first). A difference that does not fit this way follows
//! a 1, undoubled.

use crate::frames::{Frames, Key};
use crate::wire::{Sink, Source, from_zigzag, zigzag};

/// A longer stack is neither copied nor a key.
pub(crate) const LONGEST: usize = 256;

/// The number of frames in a group. A place to copy from is looked up by the hash of the next group
/// of frames, and by that of the next frame.
const GROUP: usize = 4;

/// For each hash: the last place of the frame, or of the group, plus 1. 0 = nowhere.
type Places = [u16; 256];

/// The key's frames, followed by the stack's own.
#[derive(Clone, Copy)]
struct Both<'a> {
    key: &'a [u64],
    frames: &'a [u64],
}

impl Both<'_> {
    fn length(self) -> usize {
        self.key.len() + self.frames.len()
    }

    fn at(self, at: usize) -> Option<u64> {
        match at.checked_sub(self.key.len()) {
            Some(own) => self.frames.get(own).copied(),
            None => self.key.get(at).copied(),
        }
    }

    /// Returns the hash of `count` frames from `at` on; `None` where there are fewer.
    fn hash(self, at: usize, count: usize) -> Option<usize> {
        let mut hash = 0u64;
        for step in 0..count {
            hash = (hash.rotate_left(5) ^ self.at(at + step)?).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        Some((hash >> 56) as usize)
    }

    /// Returns how many frames from `at` on equal those from `from` on, which is earlier.
    fn alike(self, from: usize, at: usize) -> usize {
        let same = |step: &usize| self.at(at + step) == self.at(from + step);
        (0..self.length().saturating_sub(at)).take_while(same).count()
    }
}

fn put(places: &mut Places, hash: Option<usize>, at: usize) {
    if let Some(place) = hash.and_then(|hash| places.get_mut(hash)) {
        *place = at as u16 + 1;
    }
}

fn found(places: &Places, hash: Option<usize>) -> Option<usize> {
    let place = *places.get(hash?)?;
    usize::from(place).checked_sub(1)
}

/// Writes a stack. It and the key have at most [`LONGEST`] frames. Async-signal-safe.
pub(crate) fn encode(key: &[u64], frames: &[u64], sink: &mut Sink<'_>) {
    let both = Both { key, frames };
    let (mut singles, mut groups): (Places, Places) = ([0; 256], [0; 256]);
    let learn = |singles: &mut Places, groups: &mut Places, at: usize| {
        put(singles, both.hash(at, 1), at);
        put(groups, both.hash(at, GROUP), at);
    };
    // A group at the key's end may reach into the stack: the comparison decides.
    (0..key.len()).for_each(|at| learn(&mut singles, &mut groups, at));
    sink.varint(frames.len() as u64);
    let (mut at, mut before, mut distance) = (key.len(), 0u64, 0);
    while let Some(frame) = both.at(at) {
        let candidates = [
            found(&groups, both.hash(at, GROUP)),
            found(&singles, both.hash(at, 1)),
            at.checked_sub(distance),
        ];
        let known = candidates.into_iter().flatten().filter(|from| *from < at);
        let best = known.map(|from| (both.alike(from, at), from)).max().filter(|best| best.0 > 0);
        let count = match best {
            Some((count, from)) => {
                distance = at - from;
                sink.varint((count as u64) << 1 | 1);
                sink.varint(distance as u64);
                count
            }
            None => {
                let difference = zigzag(frame.wrapping_sub(before));
                if difference >> 63 == 0 {
                    sink.varint(difference << 1);
                } else {
                    sink.varint(1);
                    sink.varint(difference);
                }
                1
            }
        };
        (at..at + count).for_each(|at| learn(&mut singles, &mut groups, at));
        at += count;
        before = both.at(at - 1).unwrap_or(0);
    }
}

/// The part of a stack at one place of the file.
enum Step {
    Frame(u64),
    Copy { count: u64, back: u64 },
}

fn step(source: &mut Source<'_>) -> Option<Step> {
    let word = source.varint()?;
    match word {
        1 => Some(Step::Frame(source.signed()?)),
        word if word & 1 == 0 => Some(Step::Frame(from_zigzag(word >> 1))),
        word => Some(Step::Copy { count: word >> 1, back: source.varint()? }),
    }
}

/// Returns the stack in a record's body, with its key. `None` if it has another length than it
/// states, or copies frames that do not exist.
pub(crate) fn get<'a>(source: &mut Source<'a>, key: Key<'a>) -> Option<Frames<'a>> {
    let count = source.varint()?;
    if count > LONGEST as u64 || key.count > LONGEST as u64 {
        return None;
    }
    let start = source.rest();
    let mut done = 0;
    while done < count {
        done += match step(source)? {
            Step::Frame(_) => 1,
            Step::Copy { count, back } if (1..=key.count + done).contains(&back) => count,
            Step::Copy { .. } => return None,
        };
    }
    let used = start.len() - source.rest().len();
    (done == count).then(|| Frames::Copied { count, bytes: &start[..used], key })
}

/// Returns the program counters of a stack from [`get`].
pub(crate) fn decode(count: u64, bytes: &[u8], key: Key<'_>) -> Vec<u64> {
    // A key has no key.
    let mut both: Vec<u64> = match key.count {
        0 => Vec::new(),
        _ => key.frames().iter().collect(),
    };
    let own = both.len();
    let mut source = Source::new(bytes);
    let (mut before, all) = (0u64, own + count as usize);
    while both.len() < all
        && let Some(step) = step(&mut source)
    {
        match step {
            Step::Frame(difference) => both.push(before.wrapping_add(difference)),
            Step::Copy { count, back } => {
                for _ in 0..count.min((all - both.len()) as u64) {
                    let from = both.len().wrapping_sub(back as usize);
                    let Some(frame) = both.get(from).copied() else { break };
                    both.push(frame);
                }
            }
        }
        before = both.last().copied().unwrap_or(0);
    }
    both.split_off(own)
}
