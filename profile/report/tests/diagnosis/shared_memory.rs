//! Cache lines that threads write in turn, by the memory that samples name.

use super::*;
use support::{Built, build};

/// Instructions at the symbols' addresses; the one before `behind` is atomic and of four bytes.
const SOURCE: &str = r#"
long counts[16];
int main(void)
{
    __asm__ volatile(
        ".globl adds\n.type adds, @function\nadds: incq (%0)\n.size adds, . - adds\n"
        ".globl reads\n.type reads, @function\nreads: movq (%0), %%rax\n.size reads, . - reads\n"
        ".globl atomic\n.type atomic, @function\natomic: lock incl (%0)\n"
        ".size atomic, . - atomic\n"
        : : "r"(counts) : "rax", "memory");
    return 0;
}
"#;

/// The accesses of the threads in turn: a function, and the byte of the variable.
fn used(built: &Built, of: &[(u32, &str, u64)]) -> Analysis {
    let counts = built.datum("counts");
    let mut recorder = Recorder::new(&[(APP, 1 << 20, built.path(), 0)]);
    for total in balanced() {
        recorder.thread(total.thread, if total.thread == 0 { 1 } else { 2 });
        recorder.push(total.thread, total);
    }
    recorder.push(0, region(1980 * MS, 20 * MS));
    recorder.fork(0, 1, 0, SITE, &[SITE]);
    for &(thread, function, byte) in of.iter().cycle().take(400) {
        let (start, size) = built.function(function);
        let behind = if function == "atomic" { size } else { 0 };
        recorder.sample(thread, state::PARALLEL, 1, &[start + behind]);
        let (behind, address) = (behind as u32, counts + byte);
        recorder.push(thread, SampleMemory { thread, behind, address });
    }
    recorder.end(1000 * MS);
    recorder.analyse()
}

fn program() -> Built {
    build("gcc", "test.c", SOURCE, &["-O1", "-no-pie"])
}

#[test]
fn bytes_of_each_threads_own_in_one_line_are_false_sharing() {
    let analysis = used(&program(), &[(0, "adds", 0), (1, "adds", 8)]);
    let finding = &analysis.findings()[0];
    assert_eq!(finding.disease, Disease::FalseSharing);
    assert!(finding.place.starts_with("counts at "), "{}", finding.place);
    let begin = "2 threads write bytes of their own in a cache line of 64 bytes";
    assert!(finding.evidence.starts_with(begin), "{}", finding.evidence);
    // Each of the two threads spent all of its time there.
    assert_eq!(finding.cost, 1980 * MS / 2);
}

#[test]
fn the_same_bytes_are_contended() {
    let analysis = used(&program(), &[(0, "atomic", 16), (1, "atomic", 16)]);
    let finding = &analysis.findings()[0];
    assert_eq!(finding.disease, Disease::ContendedVariable);
    assert!(finding.evidence.contains("by atomic instructions"), "{}", finding.evidence);
    let analysis = used(&program(), &[(0, "adds", 16), (1, "adds", 16)]);
    assert!(analysis.findings()[0].evidence.contains("write to the same bytes"));
}

#[test]
fn other_uses_are_none() {
    let built = program();
    let none = |of: &[(u32, &str, u64)]| assert_eq!(diseases(&used(&built, of)), []);
    // Each thread has a line of its own.
    none(&[(0, "adds", 0), (1, "adds", 64)]);
    // Nobody writes, or only one thread does.
    none(&[(0, "reads", 0), (1, "reads", 8)]);
    none(&[(0, "adds", 0), (1, "reads", 8)]);
    // One thread after the other.
    let first = [(0, "adds", 0); 200];
    let later = [(1, "adds", 8); 200];
    none(&[first, later].concat());
    // Only for a small part of the time.
    let mut seldom = vec![(0, "adds", 0), (1, "adds", 8)];
    seldom.extend([(0, "adds", 64); 30]);
    none(&seldom);
}

#[test]
fn the_first_bytes_of_many_pages_are_page_faults() {
    let built = program();
    let first = 4096 - built.datum("counts") % 4096;
    // Both threads come to the same pages, one after the other.
    let used_at = |offset: u64| -> Vec<(u32, &str, u64)> {
        let pages = (0..10).map(|page| first + page * 4096 + offset);
        pages.flat_map(|byte| [(0, "adds", byte), (1, "adds", byte)]).collect()
    };
    let analysis = used(&built, &used_at(0));
    let [finding] = analysis.findings() else { panic!("{:?}", analysis.findings()) };
    assert_eq!(finding.disease, Disease::PageFaults);
    assert!(finding.evidence.starts_with("100 % of OpenMP Work"), "{}", finding.evidence);
    // The same code in the middle of pages waits for the cache lines.
    let analysis = used(&built, &used_at(1024));
    assert_eq!(analysis.findings()[0].disease, Disease::ContendedVariable);
}

/// Two lines: an atomic instruction, and one that does nothing.
const TWO_LINES: &str = r#"
long counts[16];
int main(void)
{
    __asm__ volatile(".globl atomic\natomic: lock incl (%0)" : : "r"(counts) : "memory");
    __asm__ volatile(".globl behind\nbehind: nop\nnop");
    return 0;
}
"#;

#[test]
fn time_behind_an_atomic_instruction_is_of_its_line() {
    let built = build("gcc", "test.c", TWO_LINES, &["-O1", "-no-pie"]);
    let (atomic, behind, counts) =
        (built.datum("atomic"), built.datum("behind"), built.datum("counts"));
    let lines = |address: u64| {
        let mut recorder = Recorder::new(&[(APP, 1 << 20, built.path(), 0)]);
        recorder.push(0, balanced()[0]);
        recorder.sample(0, state::SERIAL, 0, &[behind]);
        recorder.push(
            0,
            SampleMemory { thread: 0, behind: (behind - address) as u32, address: counts },
        );
        recorder.end(1000 * MS);
        let analysis = recorder.analyse();
        analysis.hot_lines().iter().map(|line| line.line).collect::<Vec<_>>()
    };
    assert_eq!(lines(atomic), [5]);
    assert_eq!(lines(behind), [6]);
}
