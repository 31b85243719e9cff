//! A sample in terms of the one before it: most fields are the same.
//!
//! In the file: bits for the fields that differ; the zigzag difference of the times; then the
//! fields that differ, in the order of [`FIELDS`].

use crate::records::Sample;
use crate::wire::{Sink, Source};

/// Fields beside the time. Those that change most often come first: their bits fit one byte.
const FIELDS: usize = 11;

fn fields(sample: &Sample) -> [u64; FIELDS] {
    [
        sample.cpu_time,
        sample.stack,
        sample.region,
        u64::from(sample.weight),
        u64::from(sample.state),
        sample.task_codeptr,
        u64::from(sample.task_flags),
        sample.region_codeptr,
        u64::from(sample.thread_num),
        sample.wait_id,
        u64::from(sample.thread),
    ]
}

/// Writes `sample` after `before`. Async-signal-safe.
pub(crate) fn encode(sample: &Sample, before: &Sample, sink: &mut Sink<'_>) {
    let (new, old) = (fields(sample), fields(before));
    let differs = |at: &usize| new[*at] != old[*at];
    let bits = (0..FIELDS).filter(differs).fold(0u64, |bits, at| bits | 1 << at);
    sink.varint(bits);
    sink.signed(sample.time.wrapping_sub(before.time));
    (0..FIELDS).filter(differs).for_each(|at| sink.varint(new[at]));
}

/// Returns the sample after `before` from a record's body.
pub(crate) fn decode(source: &mut Source<'_>, before: &Sample) -> Option<Sample> {
    let bits = source.varint()?;
    if bits >> FIELDS != 0 {
        return None;
    }
    let time = before.time.wrapping_add(source.signed()?);
    let mut words = fields(before);
    for (at, word) in words.iter_mut().enumerate() {
        if bits & 1 << at != 0 {
            *word = source.varint()?;
        }
    }
    let [cpu_time, stack, region, weight, state, task_codeptr, flags, codeptr, number, ..] = words;
    let [.., wait_id, thread] = words;
    let short = |word: u64| u32::try_from(word).ok();
    Some(Sample {
        time,
        thread: short(thread)?,
        state: short(state)?,
        wait_id,
        stack,
        region,
        region_codeptr: codeptr,
        thread_num: short(number)?,
        task_flags: short(flags)?,
        task_codeptr,
        cpu_time,
        weight: short(weight)?,
    })
}
