//! Files that are no profiles, or were cut off or damaged: a clear line, or a report of the rest.

mod support;

use std::fs;
use std::io::ErrorKind;

use omphalos_profile_format::*;
use omphalos_report::text::TextOptions;
use omphalos_report::{Profile, ReportError, firefox, flamegraph, folded, json, text};
use proptest::prelude::*;
use support::{Recorder, analyse, region_total, state, thread_total};

const APP: u64 = 0x40_0000;

fn recording() -> Vec<u8> {
    let mut recorder = Recorder::new(&[
        (APP, 0x1000, "/nowhere/app", 0),
        (0x50_0000, 0x1000, "/nowhere/libgomp.so.1", 0),
    ]);
    recorder.thread(0, 1);
    recorder.thread(1, 2);
    recorder.fork(0, 1, 0, APP + 1, &[0x50_0001, APP + 1, APP + 0x101]);
    recorder.fork(1, 2, 1, APP + 0x21, &[0x50_0001, APP + 0x21, 0x50_0001]);
    for thread in [0, 1] {
        recorder.sample(thread, state::PARALLEL, 1, &[APP + 0x20, 0x50_0001, APP + 1]);
        recorder.task_sample(thread, state::TASKWAIT, 2, &[0x50_0010, APP + 0x20], APP + 5);
        recorder.push(thread, thread_total(thread, 10, 20));
    }
    recorder.push(0, region_total(APP + 1, 5));
    recorder.end(100);
    recorder.file
}

fn render_all(file: &[u8]) {
    let analysis = analyse(file);
    for all in [true, false] {
        let options = TextOptions { width: 10, color: true, whole_names: false, all, top: 0 };
        let _ = text::render(&analysis, &options);
    }
    let _ = json::render(&analysis);
    let _ = folded::render(&analysis);
    let _ = flamegraph::render(&analysis);
    let _ = firefox::render(&analysis);
}

fn open(name: &str, content: &[u8]) -> Result<Profile, ReportError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    Profile::open(&path)
}

#[test]
fn what_cannot_be_opened_is_one_clear_line() {
    let message = |result: Result<Profile, ReportError>| {
        let error = result.err().expect("no profile").to_string();
        assert_eq!(error.lines().count(), 1);
        error
    };
    let missing = message(Profile::open("/nowhere/x.omph"));
    assert_eq!(missing, "cannot read profile '/nowhere/x.omph': no such file");
    assert!(message(Profile::open("/")).ends_with("it is a directory"));
    assert!(message(open("a", b"hello")).ends_with("is not a profile of Omphalos"));
    assert!(message(open("b", b"")).contains("is empty"));
    assert!(message(open("c", b"OMPHPROF")).contains("is cut off within its first 16 bytes"));
    assert!(message(open("d", &file_header())).contains("holds no records"));
    let mut later = file_header().to_vec();
    later[8] = 9;
    assert!(message(open("e", &later)).contains("has format version 9"));
    let error = Profile::open("/nowhere/x.omph").err();
    assert!(matches!(
        error,
        Some(ReportError::Unreadable { error, .. }) if error.kind() == ErrorKind::NotFound
    ));
}

#[test]
fn a_cut_off_profile_is_shown_with_a_warning() {
    let whole = recording();
    let mut cut_inside = 0;
    for length in 200..whole.len() {
        let analysis = analyse(&whole[..length]);
        assert!(!analysis.summary().complete || length == whole.len());
        cut_inside += usize::from(analysis.warnings().iter().any(|w| w.contains("is cut off")));
    }
    assert!(cut_inside > whole.len() / 2);
    render_all(&whole[..whole.len() - 3]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Damage that the checksums miss: records with any content.
    #[test]
    fn records_of_any_content_are_survived(
        numbers in proptest::collection::vec(any::<u64>(), 60),
        small in proptest::collection::vec(0u64..6, 60),
        pick in proptest::collection::vec(any::<bool>(), 60),
    ) {
        let at = |i: usize| if pick[i] { numbers[i] } else { small[i] };
        let module = (at(0), at(1) % (1 << 40), "/nowhere/app", at(2) as u32);
        let mut recorder = Recorder::new(&[module]);
        for i in 0..4 {
            let base = 3 + 10 * i;
            recorder.push(small[i] as u32, Stack {
                stack: small[i],
                frames: Frames::Pcs(&[at(base), at(base + 1), at(base + 2)]),
            });
            recorder.push(small[i] as u32, Fork {
                region: small[base],
                parent: small[base + 1],
                time: at(base + 2),
                thread: small[base + 3] as u32,
                codeptr_ra: at(base + 4),
                requested_threads: at(base + 5) as u32,
                flags: at(base + 6) as u32,
                stack: small[i],
            });
            recorder.push(small[i] as u32, Sample {
                time: at(base),
                thread: small[base + 1] as u32,
                state: at(base + 2) as u32,
                wait_id: at(base + 3),
                stack: small[i],
                region: small[base + 4],
                region_codeptr: at(base + 5),
                thread_num: at(base + 6) as u32,
                task_flags: at(base + 7) as u32,
                task_codeptr: at(base + 8),
                cpu_time: at(base + 9),
                weight: at(base + 1) as u32,
            });
            recorder.push(0, RegionSiteTotal {
                codeptr_ra: at(base),
                parent_codeptr: at(base + 1),
                level: at(base + 2) as u32,
                instances: at(base + 3),
                elapsed: at(base + 4),
                team_size_sum: at(base + 5),
                work: at(base + 6),
                barrier_wait: at(base + 7),
                mutex_wait: at(base + 8),
                task_wait: at(base + 9),
                overhead: at(base + 3),
                imbalance: at(base + 4),
                gain: at(base + 5),
                tasks_created: at(base + 6),
                tasks_executed: at(base + 7),
                task_work: at(base + 8),
                implementation_barriers: at(base + 9),
            });
            recorder.push(0, ThreadTotal {
                thread: small[base] as u32,
                time: at(base + 1),
                alive: at(base + 2),
                work: at(base + 3),
                idle: at(base + 4),
                barrier_wait: at(base + 5),
                mutex_wait: at(base + 6),
                task_wait: at(base + 7),
                overhead: at(base + 8),
                serial_work: at(base + 9),
                samples: at(base),
                missed: at(base + 1),
                agent: at(base + 2),
            });
            recorder.push(0, MutexSiteTotal {
                wait_id: at(base),
                mutex_kind: small[base + 1] as u32,
                codeptr_ra: at(base + 2),
                acquisitions: at(base + 3),
                contended: at(base + 4),
                wait: at(base + 5),
                longest_wait: at(base + 6),
                hold: at(base + 7),
            });
            recorder.push(0, TaskSiteTotal {
                codeptr_ra: at(base),
                created: at(base + 1),
                executed: at(base + 2),
                stolen: at(base + 3),
                work: at(base + 4),
                shortest: at(base + 5),
                longest: at(base + 6),
            });
        }
        render_all(&recorder.file);
    }

    #[test]
    fn flipped_bytes_are_survived(
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let mut file = recording();
        let first_chunk = 16 + 200;
        for (index, value) in flips {
            let at = first_chunk + index.index(file.len() - first_chunk);
            file[at] = value;
        }
        render_all(&file);
    }
}

/// Parts of leagues are no regions of their own: a cycle of them ends all the same.
#[test]
fn leagues_inside_of_each_other_end() {
    let mut recorder = Recorder::new(&[(0x40_0000, 0x1000, "/nowhere/app", 0)]);
    let part = Fork {
        region: 1,
        parent: 2,
        time: 1,
        thread: 0,
        codeptr_ra: 0x40_0201,
        requested_threads: 1,
        flags: 0xc000_0000,
        stack: 0,
    };
    recorder.thread(0, 1);
    recorder.push(0, part);
    recorder.push(0, Fork { region: 2, parent: 1, ..part });
    recorder.sample(0, 0x1, 1, &[0x40_0101]);
    recorder.end(1_000_000);
    assert_eq!(recorder.analyse().summary().samples, 1);
}
