//! Runs each page's commands, in their order, in a folder that has the things that pages mention.
//!
//! `./app` is a program that ends soon. PID is one that runs on, CORE a core of it, and FILE a
//! profile. The installed tree stands for `/opt/omphalos` and PREFIX.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use libtest_mimic::Trial;
use omphalos_tests::{exec, paths, suite};

use crate::page::{Item, Page, pages};
use crate::shown::is_printed;

/// The time limit of a block's commands on a busy machine.
const LIMIT: Duration = Duration::from_secs(80);

/// The source of `./app`. With the argument `long` it runs for a minute, so that a look finds it at
/// work.
const APP: &str = r#"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int sum = 0, rounds = argc > 1 && !strcmp(argv[1], "long") ? 600 : 2;
    for (int i = 0; i < rounds; i++) {
        #pragma omp parallel for reduction(+ : sum)
        for (int j = 0; j < 1000; j++)
            sum += j;
        usleep(100000);
    }
    printf("%d\n", sum);
    return 0;
}
"#;

/// A shell function for `omphalos top`, which runs until Ctrl-C: it is interrupted after three
/// seconds.
const LOOKED_AT: &str =
    "looked_at() { timeout -s INT --preserve-status 3 omphalos top \"$@\" || [ $? = 130 ]; }\n";

pub fn tests() -> Vec<Trial> {
    let mut trials = Vec::new();
    for page in pages() {
        if page.items().iter().any(|item| matches!(item, Item::Commands(..))) {
            trials.push(suite::test(format!("docs::commands::{}", page.path), move || {
                // Other programs may take the processors away while a report is made.
                run(&page).or_else(|_| run(&page))
            }));
        }
    }
    trials
}

/// Does what a page tells its reader to do.
fn run(page: &Page) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let reader = Reader::new(&page.path)?;
    let mut printed = String::new();
    for item in page.items() {
        match item {
            Item::File(name, text) => {
                let text = text.replace("PREFIX/", &format!("{}/", paths::dist().display()));
                fs::write(reader.folder.join(&name), text).map_err(|e| format!("{name}: {e}"))?;
            }
            Item::Commands(line, commands) => {
                printed = reader
                    .types(&commands)
                    .map_err(|fault| format!("{}:{line}: {fault}", page.path))?;
            }
            Item::Prints(line, shown) => is_printed(&shown, &printed)
                .map_err(|fault| format!("{}:{line}: {fault}", page.path))?,
        }
    }
    Ok(())
}

/// A reader of a page, with a folder of their own.
struct Reader {
    folder: PathBuf,
}

impl Reader {
    fn new(page: &str) -> Result<Reader, String> {
        let folder = paths::scratch(&format!("docs {page}"));
        fs::write(folder.join("app.c"), APP).map_err(|e| format!("app.c: {e}"))?;
        fs::create_dir_all(folder.join("home/bin")).map_err(|e| format!("home: {e}"))?;
        let links = [
            (paths::repository().join("examples"), "examples"),
            (paths::repository().join("bench"), "bench"),
            // Debian's programs have their version in their names.
            ("/usr/bin/clang-19".into(), "home/bin/clang"),
            ("/usr/bin/lldb-19".into(), "home/bin/lldb"),
        ];
        for (from, name) in links {
            std::os::unix::fs::symlink(from, folder.join(name))
                .map_err(|e| format!("{name}: {e}"))?;
        }
        let reader = Reader { folder };
        reader.bash("gcc -g -O1 -fopenmp app.c -o app")?;
        Ok(reader)
    }

    /// Runs a block of a page and returns its output.
    fn types(&self, commands: &[String]) -> Result<String, String> {
        let text = commands.join("\n");
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let mut script = LOOKED_AT.to_owned();
        if words.contains(&"FILE") {
            script += "omphalos profile --no-report -o FILE ./app\n";
        }
        if words.contains(&"PID") || words.contains(&"CORE") {
            script += "omphalos run ./app long > /dev/null & PID=$!\nsleep 1\n";
        }
        if text.contains(" --job") {
            script += "mpirun --oversubscribe -n 2 ./app long > /dev/null 2>&1 & JOB=$!\n";
            script += "trap 'kill $JOB' EXIT; sleep 2\n";
        }
        if words.contains(&"CORE") {
            script += "gcore -o CORE $PID > /dev/null 2>&1; mv CORE.* CORE\n";
        }
        if words.contains(&"venv") {
            script += "python3 -m venv --without-pip venv; export VIRTUAL_ENV=$PWD/venv\n";
        }
        script += &text
            .replace("PID", "$PID")
            .replace("PREFIX/", "/opt/omphalos/")
            .replace("/opt/omphalos", "$PREFIX")
            .replace("omphalos install", "omphalos install --yes")
            // Other tests may have jobs too: name this one.
            .replace(" --job", " --job $JOB")
            .replace("omphalos top", "looked_at");
        self.bash(&script)
    }

    /// Runs a script, each of whose commands must end with 0, and returns its output.
    fn bash(&self, script: &str) -> Result<String, String> {
        let file = self.folder.join("home/script");
        fs::write(&file, script).map_err(|e| format!("{}: {e}", file.display()))?;
        let (path, dist) = (std::env::var("PATH").unwrap_or_default(), paths::dist());
        let mut bash = Command::new("bash");
        bash.args(["-e", "home/script"])
            .current_dir(&self.folder)
            .env("HOME", self.folder.join("home"));
        let path = format!("{}/bin:{}/home/bin:{path}", dist.display(), self.folder.display());
        bash.env("PATH", path);
        bash.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        bash.env("PREFIX", &dist).env("SHELL", "/bin/bash").env("COLUMNS", "100");
        let outcome = exec::run_within(&mut bash, LIMIT)?;
        if outcome.success() {
            return Ok(format!("{}\n{}", outcome.stdout, outcome.stderr));
        }
        Err(format!("{script}\n{}", outcome.describe()))
    }
}
