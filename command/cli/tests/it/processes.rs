//! One report of all processes of a command.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

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
    // The report is from this build, the profiles from the installed tree's agent.
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

/// An export for other programs has every process: its stacks, its threads, its figures.
#[test]
fn exports_are_of_all_processes() {
    let folder = folder();
    let tree = installed_tree();
    let path = folder.path().join("app");
    let source = r#"
        #include <sys/wait.h>
        #include <unistd.h>
        #include <stdlib.h>
        static void work(long n) {
            #pragma omp parallel num_threads(2)
            for (long i = 0; i < n; i++) { volatile double x = i; (void)x; }
        }
        __attribute__((noinline)) static void child(void) { work(60000000); exit(0); }
        int main(void) {
            work(20000000);
            if (fork() == 0) child();
            while (wait(0) > 0);
            return 0; }"#;
    compile("gcc", folder.path(), source, &["-fopenmp"], &path);
    let out = folder.path().join("x.omph");
    let mut command = of_tree(&tree);
    let output = finish(command.args(["profile", "--no-report", "--output"]).arg(&out).arg(&path));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let files = profiles_in(folder.path());
    assert_eq!(files.len(), 2, "{files:?}");
    let export = |option: &str| {
        let to = folder.path().join("export");
        let mut option = std::ffi::OsString::from(format!("--{option}="));
        option.push(&to);
        let output = finish(bare().arg("report").args(&files).arg(option));
        assert!(output.status.success(), "{}", stderr(&output));
        let text = fs::read_to_string(&to).unwrap();
        fs::remove_file(to).unwrap();
        text
    };
    let report: Value = serde_json::from_str(&export("json")).unwrap();
    let others = report["other_processes"].as_array().unwrap();
    assert_eq!(others.len(), 1);
    let pids = [&report, &others[0]].map(|process| process["program"]["pid"].as_u64().unwrap());
    let child = files[1].extension().unwrap().to_str().unwrap();
    assert!(pids.iter().any(|pid| pid.to_string() == child) && pids[0] != pids[1], "{pids:?}");
    assert_eq!(others[0]["regions"].as_array().unwrap().len(), 1);
    let names = pids.map(|pid| format!("app {pid}"));
    let folded = export("folded");
    let is_of = |name: &String| folded.lines().any(|line| line.starts_with(&format!("{name};")));
    assert!(names.iter().all(is_of), "{folded}");
    assert!(folded.lines().all(|line| names.iter().any(|name| line.starts_with(name))));
    assert!(folded.contains(&format!("app {child};main;child")), "{folded}");
    let svg = export("flamegraph");
    assert!(names.iter().all(|name| svg.contains(&format!("<title>{name}\n"))), "{svg}");
    assert!(svg.contains("2 processes: where"));
    let firefox: Value = serde_json::from_str(&export("firefox")).unwrap();
    let threads = firefox["threads"].as_array().unwrap();
    for pid in pids {
        let pid = pid.to_string();
        let own = threads.iter().filter(|thread| thread["pid"] == pid.as_str()).count();
        assert!(own >= 1, "{pid}: {own}");
    }
    // All on one time, from the parent's begin on.
    let begins = |pid: &str| {
        let own = threads.iter().filter(|thread| thread["pid"] == pid);
        own.filter_map(|thread| thread["processStartupTime"].as_f64()).fold(f64::MAX, f64::min)
    };
    let parent = pids.map(|pid| pid.to_string()).into_iter().find(|pid| pid != child).unwrap();
    assert_eq!(begins(&parent), 0.0);
    assert!(begins(child) > 0.0 && begins(child) < 1e6, "{}", begins(child));
    let stacks = firefox["shared"]["stackTable"]["length"].as_u64().unwrap();
    let used = threads.iter().flat_map(|thread| thread["samples"]["stack"].as_array().unwrap());
    assert!(used.filter_map(Value::as_u64).all(|stack| stack < stacks));
    let libraries = firefox["libs"].as_array().unwrap();
    let apps = libraries.iter().filter(|library| library["name"] == "app").count();
    assert_eq!(apps, 1, "{libraries:?}");
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
    // In full where one asks for it.
    for file in &files {
        let report = stdout(&finish(bare().args(["report", "--json"]).arg(file)));
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let command = report["program"]["command"].as_array().unwrap();
        let matrix = command.iter().any(|word| word.as_str().unwrap().len() == 299);
        assert_eq!(matrix, command.len() > 1, "{command:?}");
    }
}
