//! `omphalos diff` and `omphalos profile --repeat`, from the program to the exit status.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{bare, compile, finish, folder, installed_tree, of_tree, stderr, stdout};

/// A report with one region that takes so long, ms.
fn report(path: &Path, ms: u64, cpu_share: f64) {
    let (ns, threads) = (ms * 1_000_000, 2);
    let construct = serde_json::json!({ "label": "region at app.c:7 in sweep",
        "file": "/src/app.c", "line": 7, "function": "sweep" });
    let report = serde_json::json!({
        "format": 1,
        "program": { "command": ["./app", "<in>"], "usable_cpus": 2 },
        "summary": { "elapsed_ns": ns + 1_000_000, "threads": threads, "cpu_share": cpu_share,
            "rate_hz": 250.0, "complete": true },
        "regions": [{ "construct": construct, "level": 1, "instances": 1, "elapsed_ns": ns,
            "team_size": 2.0, "work_ns": 2 * ns }],
    });
    std::fs::write(path, report.to_string()).unwrap();
}

fn diff(folder: &Path, arguments: &[&str]) -> std::process::Output {
    finish(bare().arg("diff").args(arguments).current_dir(folder))
}

#[test]
fn the_exit_status_says_what_ci_asks() {
    let folder = folder();
    for (name, ms, share) in [("a", 1000, 1.0), ("b", 1100, 1.0), ("busy", 1100, 0.5)] {
        report(&folder.path().join(name), ms, share);
    }
    let status = |arguments: &[&str]| diff(folder.path(), arguments).status.code();
    assert_eq!(status(&["a", "b"]), Some(0));
    assert_eq!(status(&["--fail-above", "5%", "a", "b"]), Some(1));
    assert_eq!(status(&["--fail-above", "5", "b", "a"]), Some(0));
    assert_eq!(status(&["--fail-above", "15%", "a", "b"]), Some(0));
    assert_eq!(status(&["--fail-above", "5%", "a", "busy"]), Some(2));
    assert_eq!(status(&["--fail-above", "much", "a", "b"]), Some(125));
    assert_eq!(status(&["a", "absent"]), Some(125));
    let said = stdout(&diff(folder.path(), &["a", "b"]));
    let first = said.lines().nth(1).unwrap_or_default();
    assert!(first.contains("Slower by 100.0 ms (10 %)"), "{said}");
}

#[test]
fn each_form_is_written() {
    let folder = folder();
    report(&folder.path().join("a"), 1000, 1.0);
    report(&folder.path().join("b"), 1200, 1.0);
    let forms = ["--markdown=c.md", "--junit", "j.xml", "--json=d.json", "--flamegraph", "f.svg"];
    let all: Vec<&str> = forms.iter().copied().chain(["--fail-above", "5%", "a", "b"]).collect();
    for _ in 0..2 {
        let output = diff(folder.path(), &all);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(output.stdout.is_empty(), "{}", stdout(&output));
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("c.md").starts_with("**Slower by 200.0 ms"), "{}", read("c.md"));
    assert!(read("j.xml").contains("failures=\"1\"") && read("j.xml").contains("&lt;in&gt;"));
    assert!(read("f.svg").contains("takes longer after"));
    let json: Value = serde_json::from_str(&read("d.json")).unwrap();
    assert_eq!(json["verdict"], "slower");
    assert_eq!(json["fail_above"]["is_above"], true);
    assert_eq!(json["parts"][0]["label"], "region at app.c:7 in sweep");
    // A file of another kind is not overwritten.
    let output = diff(folder.path(), &["--markdown=d.json", "a", "b"]);
    assert_eq!(output.status.code(), Some(125));
    assert!(read("d.json").starts_with('{'));
    let check = Command::new("python3")
        .args(["-c", "import sys, xml.dom.minidom as x; [x.parse(f) for f in sys.argv[1:]]"])
        .args(["j.xml", "f.svg"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}

const SOURCE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void NAME(int steps) {
    double x = 1;
    #pragma omp parallel for num_threads(2) reduction(+ : x)
    for (int i = 0; i < steps; i++) x += i * 0.5;
    printf("%g\n", x);
}
int main(int count, char **words) {
    NAME(100000);
    return count > 1 ? atoi(words[1]) : 0;
}
"#;

/// The program is built anew, at the same place, before anybody compares.
#[test]
fn a_profile_keeps_the_names_of_the_program_that_ran() {
    let (folder, tree) = (folder(), installed_tree());
    let app = folder.path().join("app");
    for (name, side) in [("-DNAME=sweep", "before.omph"), ("-DNAME=sweep_all", "after.omph")] {
        compile("gcc", folder.path(), SOURCE, &["-fopenmp", name], &app);
        let mut command = of_tree(&tree);
        command.args(["profile", "--no-report", "-o", side]).arg(&app);
        let output = finish(command.current_dir(folder.path()));
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let said = diff(folder.path(), &["--json", "before.omph", "after.omph"]);
    let json: Value = serde_json::from_str(&stdout(&said)).expect("JSON");
    let parts = json["parts"].as_array().unwrap();
    let region = parts.iter().find(|part| part["kind"] == "region").unwrap();
    assert_eq!(region["label"], "region at app.c:6 in sweep_all");
    assert_eq!(region["earlier_label"], "region at app.c:6 in sweep");
    assert_eq!(region["status"], "renamed");
}

/// A region below many frames: the call tree is as deep.
#[test]
fn a_deep_stack_is_no_hindrance() {
    let (folder, tree) = (folder(), installed_tree());
    let source = r"
        static volatile double sink;
        __attribute__((noinline)) static void deep(int left) {
            if (left) { deep(left - 1); sink += 1; return; }
            #pragma omp parallel num_threads(2)
            for (long i = 0; i < 30000000; i++) __asm__ volatile(``);
        }
        int main(void) { deep(190); }"
        .replace("``", "\"\"");
    let app = folder.path().join("deep");
    compile("gcc", folder.path(), &source, &["-fopenmp", "-fno-optimize-sibling-calls"], &app);
    let mut command = of_tree(&tree);
    command.args(["profile", "--no-report", "-o", "deep.omph"]).arg(&app);
    let output = finish(command.current_dir(folder.path()));
    assert!(output.status.success(), "{}", stderr(&output));
    std::fs::remove_file(&app).unwrap();
    let said = diff(folder.path(), &["--json", "deep.omph", "deep.omph"]);
    assert!(stdout(&said).contains(" in deep\""), "{}{}", stdout(&said), stderr(&said));
}

#[test]
fn several_runs_are_one_report() {
    let (folder, tree) = (folder(), installed_tree());
    let app = folder.path().join("app");
    compile("gcc", folder.path(), SOURCE, &["-fopenmp", "-DNAME=sweep"], &app);
    let profile = |arguments: &[&str], words: &[&str]| {
        let mut command = of_tree(&tree);
        command.arg("profile").args(arguments).arg(&app).args(words);
        finish(command.current_dir(folder.path()))
    };
    for _ in 0..2 {
        let output = profile(&["--repeat", "3", "-o", "runs"], &[]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stdout(&output).lines().count(), 3);
        let said = stderr(&output);
        for part in ["3 runs of ", "median", "region at app.c:6 in sweep", "omphalos report runs"] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
    let entries = std::fs::read_dir(folder.path().join("runs")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["run-1.omph", "run-2.omph", "run-3.omph"]);
    let output = finish(bare().args(["report", "runs", "--json"]).current_dir(folder.path()));
    let json: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(json["runs"]["count"], 3);
    let elapsed = &json["runs"]["summary"]["elapsed_ns"];
    let figure = |name: &str| elapsed[name].as_f64().unwrap();
    assert!(figure("least") <= figure("median") && figure("median") <= figure("most"), "{elapsed}");
    assert_eq!(figure("median"), json["summary"]["elapsed_ns"].as_f64().unwrap());
    assert_eq!(json["runs"]["regions"][0]["instances"]["median"], 1.0);
    let said = diff(folder.path(), &["--json", "runs", "runs"]);
    let json: Value = serde_json::from_str(&stdout(&said)).expect("JSON");
    assert_eq!(json["before"]["runs"], 3);
    assert_eq!(json["elapsed"]["change_ns"], 0);
    // A run that fails is the last one; its status stands.
    let output = profile(&["--repeat", "3", "-o", "failed"], &["7"]);
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    assert!(stderr(&output).contains("run 1 failed: the 2 others are left out"));
    // A folder with other files stays.
    std::fs::write(folder.path().join("runs/notes"), "mine").unwrap();
    let output = profile(&["--repeat", "3", "-o", "runs"], &[]);
    assert_eq!(output.status.code(), Some(125), "{}", stderr(&output));
    assert!(stderr(&output).contains("holds other files"), "{}", stderr(&output));
    assert!(folder.path().join("runs/notes").is_file());
}
