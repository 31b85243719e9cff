//! Program files changed at random: no panic, no hang, and memory in proportion, whatever sizes and
//! places a file names.
//!
//! `OMPHALOS_MUTATIONS=100000 cargo test --release --test mutated_files` tries that many, and
//! `OMPHALOS_MUTATION_SEED=NUMBER` other ones.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use object::{Object, ObjectSection};
use omphalos_report::text::TextOptions;
use omphalos_report::{Analysis, NoProgress, Profile, json, text};
use support::counting::{Counting, most_of};
use support::random::Random;
use support::{Built, Recorder, build, construct_total, region_total, state};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SOURCE: &str = "
#include <omp.h>
#include <vector>
namespace space {
struct Seat { omp_lock_t lock; int fork; };
static Seat seats[3];
template <class T> static inline T twice(T n) { return n + n; }
static int eat(int n) {
    int sum = 0;
    #pragma omp parallel num_threads(2) reduction(+:sum)
    {
        #pragma omp for schedule(dynamic)
        for (int i = 0; i < n; i++) sum += twice(i);
        #pragma omp critical(of_all)
        { omp_set_lock(&seats[1].lock); sum++; omp_unset_lock(&seats[1].lock); }
        auto more = [&](int by) { sum += by; };
        #pragma omp task
        more(n);
    }
    return sum;
}
}
int main(int count, char **) { std::vector<int> all(count); return space::eat(all.size()); }
";

/// The most memory that may be taken for a file of so many bytes.
fn allowed(file: usize) -> usize {
    10 * file + (200 << 20)
}
const LONGEST: Duration = Duration::from_secs(10);

const BASE: u64 = 0x10_0000;

/// A program file, with the questions about it and the changes to it.
struct Subject {
    _built: Built,
    program: PathBuf,
    /// The file that is changed: the program, or the package of its debug information.
    changed: PathBuf,
    whole: Vec<u8>,
    profile: PathBuf,
}

impl Subject {
    fn new(compiler: &str, flags: &[&str], package: bool) -> Option<Subject> {
        let built = build(compiler, "seats.cpp", SOURCE, flags);
        let profile = built.folder().join("x.omph");
        let program = built.program.clone();
        std::fs::write(&profile, profile_of(&built)).unwrap();
        let changed = if package {
            let changed = PathBuf::from(format!("{}.dwp", built.path()));
            let mut packs = Command::new("timeout");
            packs.args(["-s", "KILL", "10", "dwp", "-e", built.path(), "-o"]).arg(&changed);
            let made = packs.current_dir(built.folder()).status();
            made.ok().filter(|status| status.success())?;
            for file in std::fs::read_dir(built.folder()).unwrap().flatten() {
                if file.path().extension().is_some_and(|ending| ending == "dwo") {
                    std::fs::remove_file(file.path()).unwrap();
                }
            }
            changed
        } else {
            program.clone()
        };
        let whole = std::fs::read(&changed).unwrap();
        Some(Subject { _built: built, program, changed, whole, profile })
    }

    /// Returns the report, and the most memory that it took.
    fn report(&self) -> (String, usize) {
        most_of(|| {
            let profile = Profile::open(&self.profile).unwrap();
            let analysis = Analysis::new(&profile, &mut NoProgress);
            let _ = json::render(&analysis);
            text::render(&analysis, &TextOptions::default())
        })
    }

    /// Does the same with a changed file, which must keep the bounds.
    fn survives(&self, file: &[u8], what: &dyn std::fmt::Display) {
        write_over(&self.changed, file);
        let begin = Instant::now();
        let (_, most) = self.report();
        let bytes = file.len() + std::fs::metadata(&self.program).map_or(0, |it| it.len() as usize);
        if most > allowed(bytes) || begin.elapsed() > LONGEST {
            let kept = std::env::temp_dir().join("mutated-file");
            std::fs::write(&kept, file).unwrap();
            panic!("{what}: {most} bytes, {:?}; {}", begin.elapsed(), kept.display());
        }
    }

    /// Returns where each section's head lies in the file, and the section.
    fn sections(&self) -> Vec<(usize, usize, usize, bool)> {
        let elf = object::File::parse(&*self.whole).unwrap();
        let table = word(&self.whole, 0x28) as usize;
        let heads = elf.sections().map(|section| {
            let (at, size) = section.file_range().unwrap_or((0, 0));
            let packed = section
                .compressed_file_range()
                .is_ok_and(|range| range.format != object::CompressionFormat::None);
            (table + 64 * section.index().0, at as usize, size as usize, packed)
        });
        heads.collect()
    }
}

/// A process that has the file mapped must not see it cut: another file takes its place.
fn write_over(path: &Path, bytes: &[u8]) {
    let beside = path.with_extension("new");
    std::fs::write(&beside, bytes).unwrap();
    std::fs::rename(&beside, path).unwrap();
}

fn word(file: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(file[at..at + 8].try_into().unwrap())
}

fn profile_of(built: &Built) -> Vec<u8> {
    let file = std::fs::metadata(&built.program).unwrap().len();
    let mut recorder = Recorder::new(&[(BASE, file, built.path(), 0)]);
    let functions = built.functions(&|name| name.contains("eat") || name == "main");
    let calls = built.all_calls("");
    recorder.thread(0, 1);
    let fork = BASE + built.all_calls("GOMP_parallel").first().or(calls.first()).unwrap();
    recorder.fork(0, 1, 0, fork, &[fork, BASE + functions[0].1 + 1]);
    recorder.push(0, region_total(fork, 5));
    for (number, (_, start, size)) in functions.iter().enumerate() {
        for at in (0..*size).step_by(7) {
            let pcs = [BASE + start + at, fork];
            recorder.task_sample(0, state::PARALLEL, 1, &pcs, BASE + calls[number % calls.len()]);
        }
    }
    for (number, call) in calls.iter().enumerate() {
        recorder.push(0, construct_total(fork, BASE + call, number as u32 % 12, 7));
    }
    let data = built.functions(&|name| name.contains("seats"));
    for (wait, (_, at, _)) in data.iter().enumerate() {
        let record = omphalos_profile_format::MutexSiteTotal {
            wait_id: BASE + at + 16,
            mutex_kind: 2,
            codeptr_ra: BASE + calls[wait],
            acquisitions: 9,
            contended: 3,
            wait: 5_000_000,
            longest_wait: 2_000_000,
            hold: 4_000_000,
        };
        recorder.push(0, record);
    }
    recorder.end(30_000_000);
    recorder.file
}

fn subjects() -> Vec<Subject> {
    let of = |compiler, flags: &[&str], package| Subject::new(compiler, flags, package);
    let all = [
        of("g++", &["-O2"], false),
        of("g++", &["-O1", "-gdwarf-4", "-gz=zlib"], false),
        of("clang++-19", &["-O1", "-gz=zstd"], false),
        of("g++", &["-O2", "-gsplit-dwarf", "-gdwarf-4"], true),
    ];
    all.into_iter().flatten().collect()
}

/// Returns a number as an attacker would choose it, or a broken disk would give it.
fn number(random: &mut Random, file: usize) -> u64 {
    match random.below(6) {
        0 => 1 << random.below(64),
        1 => u64::MAX >> random.below(64),
        2 => random.below(file) as u64,
        3 => (file as u64) << random.below(16),
        4 => 0,
        _ => random.next() >> random.below(64),
    }
}

/// Changes the head of a section, of compressed data, or of a segment, or some bytes.
fn mutate(subject: &Subject, file: &mut Vec<u8>, random: &mut Random) {
    let sections = subject.sections();
    for _ in 0..=random.below(4) {
        let length = file.len();
        let (head, at, size, packed) = sections[random.below(sections.len())];
        let value = number(random, length).to_le_bytes();
        let mut put = |at: usize, bytes: &[u8]| {
            if let Some(into) = file.get_mut(at..at + bytes.len()) {
                into.copy_from_slice(bytes);
            }
        };
        match random.below(8) {
            0 => put(head + [16, 24, 32, 56][random.below(4)], &value),
            1 => put(head + [0, 4, 40, 44][random.below(4)], &value[..4]),
            2 if packed => put(at + [0, 8][random.below(2)], &value),
            3 => put([0x18, 0x20, 0x28, 0x36, 0x3a, 0x3c][random.below(6)], &value[..2]),
            4 => put(64 + random.below(13 * 56), &value),
            5 => put(at + random.below(size), &value[..1 + random.below(8)]),
            6 => (0..random.below(16)).for_each(|_| {
                put(at + random.below(size), &[random.next() as u8]);
            }),
            _ if random.below(8) == 0 => file.truncate(64 + random.below(length - 64)),
            _ => put(random.below(length), &value[..1 + random.below(8)]),
        }
    }
}

#[test]
fn any_change_of_a_program_file_is_survived() {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let wanted = number("OMPHALOS_MUTATIONS").unwrap_or(100);
    let mut random = Random::of(number("OMPHALOS_MUTATION_SEED").unwrap_or(0));
    let subjects = subjects();
    for number in 0..wanted {
        let subject = &subjects[number as usize % subjects.len()];
        let mut file = subject.whole.clone();
        mutate(subject, &mut file, &mut random);
        subject.survives(&file, &format_args!("mutation {number}"));
    }
}

/// Each compressed section claims 8 GB, or as much as an honest file may have.
#[test]
fn a_compressed_section_gets_no_more_than_its_file_can_hold() {
    for subject in subjects() {
        for (_, at, _, _) in subject.sections().into_iter().filter(|section| section.3) {
            for size in [0x2_0000_0000u64, u64::MAX, 96 << 20] {
                let mut file = subject.whole.clone();
                file[at + 8..at + 16].copy_from_slice(&size.to_le_bytes());
                subject.survives(&file, &size);
            }
        }
    }
}

/// A million symbols may have one name, and that the longest.
#[test]
fn a_name_that_many_symbols_share_is_not_copied_for_each() {
    let source = format!("int {}; int main(void) {{ return 0; }}", "a".repeat(1 << 20));
    let built = build("gcc", "long.c", &source, &[]);
    let subject = Subject::new("g++", &["-O2"], false).unwrap();
    let mut file = std::fs::read(&built.program).unwrap();
    let (at, size, names) = {
        let elf = object::File::parse(&*file).unwrap();
        let range = |name| elf.section_by_name(name).unwrap().file_range().unwrap();
        let names = range(".strtab");
        let long = file[names.0 as usize..].windows(8).position(|at| at == b"aaaaaaaa").unwrap();
        (range(".symtab").0 as usize, range(".symtab").1 as usize, long)
    };
    // As many more symbols as there is room for, all at the file's end, and all with that name.
    let mut symbol = file[at + size - 24..at + size].to_vec();
    symbol[..4].copy_from_slice(&(names as u32).to_le_bytes());
    symbol[4] = 0x12;
    symbol[6..8].copy_from_slice(&1u16.to_le_bytes());
    symbol[8..16].copy_from_slice(&0x1000u64.to_le_bytes());
    let table = file.len();
    (0..100_000).for_each(|_| file.extend_from_slice(&symbol));
    let head = {
        let elf = object::File::parse(&*file).unwrap();
        let section = elf.section_by_name(".symtab").unwrap();
        word(&file, 0x28) as usize + 64 * section.index().0
    };
    file[head + 24..head + 32].copy_from_slice(&(table as u64).to_le_bytes());
    file[head + 32..head + 40].copy_from_slice(&2_400_000u64.to_le_bytes());
    subject.survives(&file, &"long names");
}

/// The reports of the unchanged files have names: else nothing would be tried.
#[test]
fn the_files_that_are_changed_are_read() {
    let subjects = subjects();
    assert!(subjects.len() >= 3);
    for subject in &subjects {
        let (report, _) = subject.report();
        assert!(report.contains("eat"), "{}: {report}", subject.changed.display());
    }
}
