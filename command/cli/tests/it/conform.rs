//! `omphalos conform` on the installed tree: the runtime keeps OMPT's promises, with binaries of
//! both compilers.

use crate::common::{finish, folder, installed_tree, of_tree, stderr, stdout};

#[test]
fn the_runtime_keeps_what_ompt_promises() {
    let mut command = of_tree(&installed_tree());
    command.args(["conform", "--cc", "gcc", "--cc", "clang-19"]);
    let output = finish(&mut command);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(!text.contains("FAULT") && text.contains("libomphalos.so/clang-19"), "{text}");
}

#[test]
fn rows_that_are_not_there_are_named() {
    let output = finish(of_tree(&installed_tree()).args(["conform", "barier"]));
    assert_eq!(output.status.code(), Some(125));
    assert!(stderr(&output).contains("no row's name contains `barier`"));
}

/// Regions, leagues, tasks of each kind, threads that wait, ICVs that the program changed.
const DEBUGGED: [&str; 6] =
    ["debug-", "parallel-nested", "distribute-chunks", "task-detach-late", "task-final", "ordered"];

#[test]
fn ompd_says_what_ompt_says_of_processes_and_of_cores() {
    let mut command = of_tree(&installed_tree());
    command.args(["conform", "--debug", "--cc", "gcc", "--cc", "clang-19"]).args(DEBUGGED);
    let output = finish(&mut command);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(!text.contains("first in"), "{text}");
    for title in ["libomphalos.so/gcc: 8 programs", "libomphalos.so/clang-19: 8 programs"] {
        assert!(text.contains(title), "{text}");
    }
    // Each question was answered alike at a stop, and from a core.
    for line in text.lines().filter(|line| line.contains(" ompd_get_")) {
        let counts: Vec<&str> = line.split_whitespace().rev().take(6).collect();
        let live: u32 = counts[5].parse().unwrap();
        // A waiting thread is seen only if it waits when the others are asked, and seldom in a
        // core.
        let is_sure = !line.starts_with("wait id") && !line.starts_with("scheduling task");
        assert!(!is_sure || live > 0 && counts[2] != "0", "{line}\n{text}");
        assert!(line.starts_with("scheduling task") || live > 0, "{line}\n{text}");
    }
}

#[test]
fn a_program_of_ones_own_is_held_against_ompt() {
    let folder = folder();
    let source = folder.path().join("own.c");
    std::fs::write(
        &source,
        "int x;\nint main(void) {\n#pragma omp parallel num_threads(2)\n#pragma omp atomic
 x++;\n return 0; }\n",
    )
    .unwrap();
    let mut command = of_tree(&installed_tree());
    command.args(["conform", "--debug", "--cc", "gcc", "--source"]).arg(&source);
    let output = finish(&mut command);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("libomphalos.so/gcc: 1 programs"), "{}", stdout(&output));
    // The same for programs.
    let json: serde_json::Value =
        serde_json::from_slice(&finish(command.arg("--json")).stdout).unwrap();
    let sheet = &json[0];
    assert_eq!((&sheet["programs"], &sheet["kept"]), (&1.into(), &true.into()), "{json:#}");
    assert!(sheet["questions"][0]["live"]["agreed"].as_u64() > Some(0), "{json:#}");
    // A source that does not compile is named.
    std::fs::write(&source, "int main(void) { return nothing; }\n").unwrap();
    let output = finish(&mut command);
    assert_eq!(output.status.code(), Some(125));
    assert!(stderr(&output).contains("own.c"), "{}", stderr(&output));
}

/// Whether or not that runtime's symbols are installed, there is a table, and it says what is
/// missing.
#[test]
fn another_runtime_s_ompd_has_a_table_too() {
    let llvm = "/usr/lib/llvm-19/lib";
    if !std::path::Path::new(llvm).join("libompd.so").exists() {
        return;
    }
    let mut command = of_tree(&installed_tree());
    command.args(["conform", "--debug", "--cc", "clang-19", "--runtime", llvm, "task-final"]);
    let output = finish(&mut command);
    let text = stdout(&output);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{text}{}", stderr(&output));
    assert!(text.contains("libomp") && text.contains("ompd_get_state"), "{text}");
    let told = text.contains("has no symbol ompd_state") || text.contains(": 1 programs");
    assert!(told, "{text}");
}

const GENERATIONS: [(&str, usize); 4] =
    [("2013", 28), ("2016-data", 31), ("2016-ids", 25), ("collector", 20)];

#[test]
fn the_runtime_keeps_what_the_older_documents_promise() {
    for (generation, rows) in GENERATIONS {
        let mut command = of_tree(&installed_tree());
        command.args(["conform", "--generation", generation, "--cc", "gcc", "--cc", "clang-19"]);
        let output = finish(&mut command);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
        assert_eq!(text.matches(&format!(" {rows}/{rows}")).count(), 2, "{text}");
    }
}

/// A runtime with only the interface of OpenMP 5.0 has one line and no row, beside another runtime
/// too.
#[test]
fn a_runtime_without_an_older_interface_has_one_line() {
    let llvm = "/usr/lib/llvm-19/lib";
    if !std::path::Path::new(llvm).join("libomp.so.5").exists() {
        return;
    }
    for (generation, lacks) in [
        ("2013", "lacks OMPT of 2013: it never called the tool's ompt_initialize"),
        ("2016-data", "lacks OMPT of 2016: it never called the tool's ompt_tool"),
        ("2016-ids", "lacks OMPT of 2016: it never called the tool's ompt_tool"),
        ("collector", "lacks the Collector API of 2007: it has no __omp_collector_api"),
    ] {
        let tree = installed_tree();
        let mut command = of_tree(&tree);
        command.args(["conform", "--generation", generation, "--cc", "gcc", "--runtime", llvm]);
        let output = finish(&mut command);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
        assert!(text.lines().count() == 1 && text.contains(lacks), "{text}");
        let mut command = of_tree(&tree);
        command.args(["conform", "--generation", generation, "--cc", "gcc", "regions"]);
        command.arg("--runtime").arg(tree.join("lib")).args(["--runtime", llvm]);
        let output = finish(&mut command);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
        assert!(text.contains("libomphalos.so/gcc\n") && text.contains(lacks), "{text}");
    }
}

#[test]
fn rows_of_the_older_documents_name_document_and_section() {
    for (generation, rows) in GENERATIONS {
        let mut command = of_tree(&installed_tree());
        command.args(["conform", "--generation", generation, "--list"]);
        let text = stdout(&finish(&mut command));
        assert_eq!(text.lines().count(), rows, "{text}");
        assert!(text.lines().all(|line| line.contains(" 20")), "{text}");
    }
}
