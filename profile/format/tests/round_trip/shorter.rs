//! Records that are written shorter because of earlier ones come back whole.

use super::samples::samples;
use omphalos_profile_format::*;
use proptest::prelude::*;

/// Returns a chunk with as many of the records as fit, and their number.
fn chunk_of(records: &[Record<'_>], size: usize) -> (Vec<u8>, usize) {
    let (mut memory, mut before) = (vec![0; size], Before::default());
    let mut writer = ChunkWriter::new(&mut memory);
    let fit = records.iter().take_while(|record| writer.push_after(**record, &mut before).is_ok());
    let fit = fit.count();
    (writer.seal(7).get(CHUNK_HEADER_BYTES..).unwrap_or(&[]).to_vec(), fit)
}

fn read(payload: &[u8]) -> Vec<Result<Record<'_>, RecordError>> {
    Chunk { offset: 0, thread: 7, payload }.records().collect()
}

fn stack(id: u64, pcs: &[u64]) -> Record<'_> {
    Stack { stack: id, frames: Frames::Pcs(pcs) }.into()
}

/// A stack of tasks in tasks: two orders of the same frames, by a number's bits.
fn recursion(mut way: u64, depth: usize) -> Vec<u64> {
    let mut pcs = vec![0x7f12_3456_7000 + (way & 63)];
    for _ in 0..depth {
        let call = if way & 1 == 0 { 0x40_1180 } else { 0x40_11f3 };
        pcs.extend([call, 0x7f12_3456_1111, 0x7f12_3456_2222, 0x7f12_3456_3333, 0x40_1050]);
        way = way.rotate_right(1);
    }
    pcs.extend([0x40_1234, 0x7f11_0000_1234, 0x40_0800]);
    pcs
}

#[test]
fn every_kind_of_record_comes_back() {
    let twice = [samples(), samples()].concat();
    let (payload, fit) = chunk_of(&twice, 1 << 16);
    assert_eq!(fit, twice.len());
    assert_eq!(read(&payload).into_iter().collect::<Result<Vec<_>, _>>(), Ok(twice));
}

#[test]
fn stacks_of_a_recursion_take_a_tenth() {
    let mut way = 0x9e37_79b9_7f4a_7c15u64;
    let stacks: Vec<_> = (0..100)
        .map(|_| {
            way = way.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            recursion(way >> 11, 18)
        })
        .collect();
    let sample = Sample {
        time: 1 << 50,
        thread: 1,
        state: 1,
        wait_id: 0,
        stack: 0,
        region: 1,
        region_codeptr: 0x5555_5555_1234,
        thread_num: 1,
        task_flags: 4,
        task_codeptr: 0x5555_5555_4321,
        cpu_time: 4_000_000,
        weight: 4,
    };
    let mut records = Vec::new();
    for (id, pcs) in (1..).zip(&stacks) {
        records.push(stack(id, pcs));
        let time = sample.time + id * 4_000_123;
        records.push(Sample { stack: id, time, ..sample }.into());
    }
    let (payload, fit) = chunk_of(&records, 1 << 16);
    assert_eq!(fit, records.len());
    assert!(payload.len() < 100 * 60, "{} bytes", payload.len());
    assert_eq!(read(&payload).into_iter().collect::<Result<Vec<_>, _>>(), Ok(records));
}

#[test]
fn copies_stay_in_proportion_to_the_bytes() {
    // A stack of two frames, and after it stacks of 256 frames each: a frame, and 255 times the one
    // before.
    let mut payload = vec![kind::STACK, 4, 1, 2, 2, 2];
    for _ in 0..1000 {
        payload.extend([kind::STACK_COPIED, 7, 2, 0x80, 2, 2, 0xff, 3, 1]);
    }
    let mut frames = 0;
    for record in read(&payload).into_iter().flatten() {
        if let Record::Stack(stack) = record {
            frames += stack.frames.iter().count();
        }
    }
    assert!(frames > payload.len() && frames <= 4 * payload.len() + 2, "{frames}");
}

#[test]
fn what_refers_to_nothing_is_refused() {
    let payloads: [&[u8]; 4] = [
        &[kind::SAMPLE_AGAIN, 2, 0, 0],
        &[kind::STACK_COPIED, 3, 1, 1, 2],
        // One frame copied from before the key.
        &[kind::STACK, 4, 1, 2, 2, 2, kind::STACK_COPIED, 4, 2, 1, 3, 3],
        // More frames than the stated number.
        &[kind::STACK, 4, 1, 2, 2, 2, kind::STACK_COPIED, 4, 2, 1, 5, 2],
    ];
    for payload in payloads {
        let last = read(payload).pop();
        assert!(matches!(last, Some(Err(RecordError::Malformed { .. }))), "{last:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_stacks_come_back(
        stacks in proptest::collection::vec(
            proptest::collection::vec(prop_oneof![0u64..4, any::<u64>()], 0..300),
            1..12,
        ),
        size in 0usize..20_000,
    ) {
        let records: Vec<_> =
            (1..).zip(&stacks).map(|(id, pcs)| stack(id, pcs)).collect();
        let (payload, fit) = chunk_of(&records, size);
        let back = read(&payload).into_iter().collect::<Result<Vec<_>, _>>();
        prop_assert_eq!(back.as_deref(), Ok(&records[..fit]));
    }

    #[test]
    fn any_bytes_are_read(payload in proptest::collection::vec(any::<u8>(), 0..60)) {
        let stack = [kind::STACK, 4, 1, 2, 2, 2];
        let body = [&stack[..], &[kind::STACK_COPIED, payload.len() as u8], &payload];
        for record in read(&body.concat()) {
            if let Ok(Record::Stack(stack)) = record {
                prop_assert!(stack.frames.iter().count() <= 256);
            }
        }
        let again = [&[kind::SAMPLE_AGAIN, payload.len() as u8][..], &payload].concat();
        read(&again);
    }
}
