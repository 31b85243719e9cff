//! The reader returns what the writer encodes, and no content of a file makes the reader fail.

mod samples;
mod shorter;

use omphalos_profile_format::*;
use proptest::prelude::*;
use samples::samples;

fn file_of(chunks: &[(u32, Vec<Record<'_>>)]) -> Vec<u8> {
    let mut file = file_header().to_vec();
    for (thread, records) in chunks {
        let mut memory = vec![0; 65536];
        let mut writer = ChunkWriter::new(&mut memory);
        for record in records {
            writer.push(*record).expect("fits");
        }
        file.extend_from_slice(writer.seal(*thread));
    }
    file
}

fn read_all(file: &[u8]) -> (usize, Vec<Damage>) {
    let mut records = 0;
    let mut damages = Vec::new();
    for item in Reader::new(file).expect("header") {
        match item {
            Item::Chunk(chunk) => records += chunk.records().filter(Result::is_ok).count(),
            Item::Damage(damage) => damages.push(damage),
        }
    }
    (records, damages)
}

#[test]
fn every_record_comes_back() {
    let file = file_of(&[(7, samples())]);
    let mut items = Reader::new(&file).unwrap();
    let Some(Item::Chunk(chunk)) = items.next() else { panic!("no chunk") };
    assert_eq!(chunk.thread, 7);
    let back: Vec<_> = chunk.records().map(Result::unwrap).collect();
    assert_eq!(back, samples());
    assert!(items.next().is_none());
    let mut kinds: Vec<u8> = back.iter().map(Record::kind).collect();
    kinds.sort();
    assert_eq!(kinds, kind::ALL, "one of each kind");
}

#[test]
fn a_long_body_is_moved_behind_its_length() {
    for length in [100, 127, 128, 129, 5000, 16383, 16384, 40000] {
        let text = vec![b'x'; length];
        let record = Record::from(Message { severity: 0, text: &text });
        let file = file_of(&[(0, vec![record, ThreadEnd { thread: 1, time: 2 }.into()])]);
        let Some(Item::Chunk(chunk)) = Reader::new(&file).unwrap().next() else { panic!() };
        let back: Vec<_> = chunk.records().map(Result::unwrap).collect();
        assert_eq!(back[0], record, "length {length}");
        assert_eq!(back.len(), 2);
    }
}

#[test]
fn a_record_that_does_not_fit_leaves_the_chunk_as_it_was() {
    for size in 0..400 {
        let mut memory = vec![0xaa; size];
        let mut length = 0;
        let mut pushed = 0;
        loop {
            let mut writer = ChunkWriter::resume(&mut memory, length);
            let before = writer.length();
            let text = [b'y'; 130];
            match writer.push(Message { severity: 1, text: &text }.into()) {
                Ok(()) => pushed += 1,
                Err(Full) => {
                    assert_eq!(writer.length(), before);
                    break;
                }
            }
            length = writer.length();
        }
        let chunk = ChunkWriter::resume(&mut memory, length).seal(1).to_vec();
        if pushed == 0 {
            assert!(chunk.is_empty());
            continue;
        }
        let mut file = file_header().to_vec();
        file.extend_from_slice(&chunk);
        assert_eq!(read_all(&file), (pushed, vec![]));
    }
}

#[test]
fn a_torn_tail_keeps_what_is_before_it() {
    let whole = file_of(&[(0, samples()), (1, samples())]);
    let first = file_of(&[(0, samples())]).len();
    for cut in first + 1..whole.len() {
        let (records, damages) = read_all(&whole[..cut]);
        assert_eq!(records, samples().len(), "cut at {cut}");
        assert_eq!(damages.len(), 1);
        assert_eq!(damages[0].kind, DamageKind::TornTail);
        assert_eq!(damages[0].length, cut - first);
    }
}

#[test]
fn a_damaged_chunk_costs_only_itself() {
    let good = file_of(&[(0, samples())]).len() - FILE_HEADER_BYTES;
    let file = file_of(&[(0, samples()), (1, samples()), (2, samples())]);
    for at in FILE_HEADER_BYTES + good..FILE_HEADER_BYTES + 2 * good {
        let mut bad = file.clone();
        bad[at] ^= 0x40;
        let (records, damages) = read_all(&bad);
        // The thread number is the only word that no checksum covers.
        let in_thread = (12..16).contains(&(at - FILE_HEADER_BYTES - good));
        assert_eq!(records, samples().len() * if in_thread { 3 } else { 2 }, "at {at}");
        assert_eq!(damages.len(), usize::from(!in_thread));
    }
}

#[test]
fn unknown_kinds_and_longer_bodies_are_passed_over() {
    let mut payload = vec![200, 2, 9, 9]; // an unknown kind
    payload.extend([kind::THREAD_END, 4, 5, 6, 7, 8]); // two fields of a later version
    payload.extend([kind::THREAD_END, 1, 5]); // too short
    payload.extend([kind::THREAD_END, 100]); // more than there is
    let chunk = Chunk { offset: 0, thread: 0, payload: &payload };
    let records: Vec<_> = chunk.records().collect();
    assert_eq!(
        records,
        [
            Err(RecordError::UnknownKind { kind: 200, length: 2 }),
            Ok(ThreadEnd { thread: 5, time: 6 }.into()),
            Err(RecordError::Malformed { kind: kind::THREAD_END }),
            Err(RecordError::Overlong { kind: kind::THREAD_END }),
        ]
    );
}

#[test]
fn files_that_are_no_profiles_are_named() {
    assert_eq!(Reader::new(b"").err(), Some(OpenError::Empty));
    assert_eq!(Reader::new(b"\x7fELF").err(), Some(OpenError::NotAProfile));
    assert_eq!(Reader::new(b"OMPH").err(), Some(OpenError::CutInHeader));
    let mut later = file_header();
    later[8] = 2;
    assert_eq!(Reader::new(&later).err(), Some(OpenError::TooNew { version: 2 }));
}

#[test]
fn a_file_of_false_headers_is_read_in_bounded_time() {
    let mut file = file_header().to_vec();
    for _ in 0..20_000 {
        file.extend_from_slice(&CHUNK_MARKER.to_le_bytes());
        file.extend_from_slice(&[0, 0, 4, 0]);
    }
    assert_eq!(read_all(&file).0, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_damage_never_fails(
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut file = file_of(&[(0, samples()), (1, samples()), (2, samples())]);
        for (index, value) in flips {
            let at = FILE_HEADER_BYTES + index.index(file.len() - FILE_HEADER_BYTES);
            file[at] = value;
        }
        let cut = cut.index(file.len() + 1).max(FILE_HEADER_BYTES);
        file.truncate(cut);
        let (records, damages) = read_all(&file);
        prop_assert!(records <= 3 * samples().len());
        let skipped: usize = damages.iter().map(|d| d.length).sum();
        prop_assert!(skipped <= file.len());
    }

    #[test]
    fn random_payloads_never_fail(payload in proptest::collection::vec(any::<u8>(), 0..300)) {
        let chunk = Chunk { offset: 0, thread: 0, payload: &payload };
        for record in chunk.records() {
            if let Ok(Record::Process(process)) = record {
                let _ = process.argv.iter().count() + process.environment.iter().count();
            }
            if let Ok(Record::Stack(stack)) = record {
                let _ = stack.frames.iter().count();
            }
        }
    }

    #[test]
    fn numbers_of_every_size_come_back(fields in any::<[u64; 9]>()) {
        let record = Record::from(Sample {
            time: fields[0],
            thread: fields[1] as u32,
            state: fields[2] as u32,
            wait_id: fields[3],
            stack: fields[4],
            region: fields[5],
            region_codeptr: fields[6],
            thread_num: fields[7] as u32,
            task_flags: (fields[7] >> 32) as u32,
            task_codeptr: fields[8],
            cpu_time: fields[0] ^ fields[1],
            weight: (fields[2] >> 32) as u32,
        });
        let file = file_of(&[(0, vec![record])]);
        let Some(Item::Chunk(chunk)) = Reader::new(&file).unwrap().next() else { panic!() };
        prop_assert_eq!(chunk.records().next(), Some(Ok(record)));
    }
}
