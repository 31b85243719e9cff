//! Memory of other NUMA nodes, on machines that no test runs on: their records are played back.

use super::*;
use omphalos_report::json;
use serde_json::{Value, json};
use support::{Built, build};

const SOURCE: &str = r#"
double field[1 << 16];
int main(void)
{
    __asm__ volatile(
        ".globl reads\n.type reads, @function\nreads: movq (%0), %%rax\n.size reads, . - reads\n"
        : : "r"(field) : "rax", "memory");
    return 0;
}
"#;

/// Two threads on two nodes; each in turn uses memory of the nodes that are listed for it.
fn used(built: &Built, nodes: [&[u32]; 2]) -> Analysis {
    let (start, _) = built.function("reads");
    let field = built.datum("field");
    let mut recorder = Recorder::new(&[(APP, 1 << 20, built.path(), 0)]);
    for total in balanced() {
        recorder.thread(total.thread, if total.thread == 0 { 1 } else { 2 });
        recorder.push(total.thread, total);
    }
    recorder.push(0, region(1980 * MS, 20 * MS));
    recorder.fork(0, 1, 0, SITE, &[SITE]);
    for at in 0..200usize {
        for (thread, nodes) in (0u32..).zip(nodes) {
            recorder.sample(thread, state::PARALLEL, 1, &[start]);
            let address = field + 8 * at as u64;
            recorder.push(thread, SampleMemory { thread, behind: 0, address });
            let node = nodes[at % nodes.len()];
            recorder.push(thread, SampleNode { thread, node, from_node: thread });
        }
    }
    recorder.end(1000 * MS);
    recorder.analyse()
}

fn program() -> Built {
    build("gcc", "test.c", SOURCE, &["-O1", "-no-pie"])
}

#[test]
fn memory_that_one_thread_touched_first_is_found() {
    let analysis = used(&program(), [&[0], &[0]]);
    let [finding] = analysis.findings() else { panic!("{:?}", analysis.findings()) };
    assert_eq!(finding.disease, Disease::FarMemory);
    assert!(finding.place.starts_with("field at "), "{}", finding.place);
    let evidence = "50 % of OpenMP Work, 990.0 ms, is at instructions of threads that run on one \
                    NUMA node and use memory of another, by samples: 100 % of that memory lies on \
                    node 0";
    assert_eq!(finding.evidence, evidence);
    let all = text::render(&analysis, &Default::default());
    assert!(all.contains("Work by node of thread and memory, by samples"), "{all}");
    let report: Value = serde_json::from_str(&json::render(&analysis)).unwrap();
    let row = |from: u32| json!({"thread_node": from, "memory_node": 0, "work_ns": 990 * MS});
    assert_eq!(report["placement"]["memory"], json!([row(0), row(1)]));
}

#[test]
fn near_and_spread_memory_is_none() {
    let built = program();
    for nodes in [[&[0][..], &[1]], [&[0, 1], &[0, 1]], [&[0], &[1, 1, 1, 1, 0]]] {
        let analysis = used(&built, nodes);
        assert_eq!(diseases(&analysis), [], "{nodes:?}");
        // The disease was looked for, and not found.
        assert!(omphalos_report::ruled_out(&analysis).contains(&Disease::FarMemory));
    }
}
