//! One report of all processes of a command.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{bare, compile, finish, folder, installed_tree, of_tree, stderr, stdout};

/// The process with the most work comes first, whichever ended first.
#[test]
fn one_report_shows_all_processes_of_a_command() {
    let folder = folder();
    let tree = installed_tree();
    let path = folder.path().join("app");
    let source = "#include <sys/wait.h>\n#include <unistd.h>\n#include <stdlib.h>\n\
        static volatile double sink;\n\
        static void work(long n) {\n#pragma omp parallel num_threads(2)\n\
        for (long i = 0; i < n; i++) { volatile double x = i; (void)x; }\n sink = 1; }\n\
        int main(void) { work(1000); if (fork() == 0) { work(500000000); exit(0); }\n\
        while (wait(0) > 0); return 3; }\n";
    compile("gcc", folder.path(), source, &["-fopenmp"], &path);
    let out = folder.path().join("x.omph");
    let mut command = of_tree(&tree);
    // The report of this build, of the profiles of the installed tree's agent.
    let output = finish(command.args(["profile", "--no-report", "--output"]).arg(&out).arg(&path));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let files = profiles_in(folder.path());
    assert_eq!(files.len(), 2, "{files:?}");
    let output = finish(bare().arg("report").args(&files));
    let shown = stdout(&output);
    assert!(shown.starts_with("2 processes used OpenMP, the costliest first\n"), "{shown}");
    let child = files[1].extension().unwrap().to_str().unwrap();
    let first = shown.lines().nth(2).unwrap();
    assert!(first.contains(child) && first.contains("app"), "{child}: {shown}");
    assert_eq!(shown.matches("Omphalos profile of").count(), 1, "{shown}");
}

/// The profiles of all processes in the folder, by name.
fn profiles_in(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let is_profile = |path: &PathBuf| path.to_string_lossy().contains("x.omph");
    let mut files: Vec<_> = files.filter(is_profile).collect();
    files.sort();
    files
}

/// Long command lines are short in the table, and rows differ where processes do.
#[test]
fn long_command_lines_are_told_apart() {
    let folder = folder();
    let tree = installed_tree();
    let path = folder.path().join("app");
    let source = r#"
        #include <sys/wait.h>
        #include <unistd.h>
        int main(int count, char **words) {
            volatile int n = 0;
            #pragma omp parallel num_threads(2)
            n = 1;
            if (count > 2) return 0;
            char matrix[300] = "b64:", *step[] = { "prefilter", "align" };
            for (int i = 4; i < 299; i++) matrix[i] = 'a' + i % 26;
            for (int i = 0; i < 4; i++) {
                char query[] = "tmp/16142527248484342491/search/query_0";
                query[sizeof query - 2] += i / 2;
                if (fork() == 0)
                    execl(words[0], words[0], step[i % 2], "--sub-mat", matrix, query, "-v", "3",
                          (char *)0);
                while (wait(0) > 0);
            }
            return 3; }"#;
    compile("gcc", folder.path(), source, &["-fopenmp"], &path);
    let out = folder.path().join("x.omph");
    let mut command = of_tree(&tree);
    let output = finish(command.args(["profile", "--no-report", "--output"]).arg(&out).arg(&path));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let files = profiles_in(folder.path());
    assert_eq!(files.len(), 5, "{files:?}");
    for columns in ["60", "80", "200"] {
        let output = finish(bare().env("COLUMNS", columns).arg("report").args(&files));
        let shown = stdout(&output);
        let table: Vec<&str> =
            shown.lines().skip(2).take_while(|row| !row.contains("the profile of")).collect();
        // On a narrow page a command has a line of its own above its numbers.
        let is_command = |row: &&&str| !row.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let command = |row: &&str| row.split("  ").nth(1).unwrap().to_owned();
        let mut commands: Vec<String> = table.iter().filter(is_command).map(command).collect();
        commands.sort();
        commands.dedup();
        assert_eq!(commands.len(), 5, "{shown}");
        let width = columns.parse().unwrap();
        assert!(table.iter().all(|row| row.chars().count() <= width), "{columns}: {shown}");
        assert!(commands.iter().filter(|command| command.contains("align")).count() == 2);
    }
    // Whole where one asks for it.
    for file in &files {
        let report = stdout(&finish(bare().args(["report", "--json"]).arg(file)));
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let command = report["program"]["command"].as_array().unwrap();
        let matrix = command.iter().any(|word| word.as_str().unwrap().len() == 299);
        assert_eq!(matrix, command.len() > 1, "{command:?}");
    }
}
