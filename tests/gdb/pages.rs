//! The page on gdb shows what gdb prints.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths, suite};

use crate::debugger::{Debugger, Running, batch, line, program};

pub fn tests() -> Vec<Trial> {
    // Newer versions of gdb number the threads of a process in another order.
    if paths::only_llvm().is_some() {
        return Vec::new();
    }
    ["stands.c", "loops.c"]
        .map(|name| suite::test(format!("pages::gdb.md::{name}"), move || is_true(name)))
        .into()
}

/// Tests a transcript of the page, with a new process for each attempt: its threads need some time
/// to reach their places, and gdb numbers them in the order of the kernel's numbers, which start
/// again at their limit.
fn is_true(name: &str) -> Result<(), String> {
    let page = paths::repository().join("docs/gdb.md");
    let page = std::fs::read_to_string(page).map_err(|e| e.to_string())?;
    let head = format!("<!-- transcript: {name} -->\n");
    let (_, rest) = page.split_once(&head).ok_or("the page does not show it")?;
    let shown = rest.split("<!-- end -->").next().unwrap_or_default().replace("\n    ", "\n");
    let commands: Vec<&str> =
        shown.lines().filter_map(|line| line.trim_start().strip_prefix("(gdb) ")).collect();
    let binary = program(name, Compiler::Gcc, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let begun = Instant::now();
    let mut patience = Duration::from_millis(200);
    loop {
        let said = match name {
            "stands.c" => {
                let running = Running::start(&binary)?;
                std::thread::sleep(patience);
                asked(&["-p", &running.pid()], &["thread 4".into()], &commands)?
            }
            _ => {
                let stop = format!("break {name}:{}", line(name, "stops"));
                asked(&[path], &[stop, "run".into()], &commands)?
            }
        };
        if normal(&said) == normal(&shown) {
            return Ok(());
        }
        if begun.elapsed() > Duration::from_secs(60) {
            return Err(format!("the page shows\n{shown}\nand gdb says\n{said}"));
        }
        patience *= 2;
    }
}

/// Gives the commands to gdb, and returns each command followed by its answer.
fn asked(target: &[&str], before: &[String], commands: &[&str]) -> Result<String, String> {
    let echoed: Vec<String> = commands.iter().map(|each| format!("echo (gdb) {each}\\n")).collect();
    let mut all: Vec<&str> = before.iter().map(String::as_str).collect();
    for (echo, command) in echoed.iter().zip(commands) {
        all.extend([echo.as_str(), command]);
    }
    let said = exec::run(&mut batch(Debugger::Gdb, target, &all)?)?.stdout;
    let answers = said.find("(gdb) ").map(|at| &said[at..]).unwrap_or_default();
    Ok(answers.split("[Inferior ").next().unwrap_or_default().to_owned())
}

/// Removes from the text what differs from run to run: addresses, the kernel's numbers and the
/// width of their column, and the C library's names of its own functions.
fn normal(text: &str) -> Vec<String> {
    let number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let one = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let row = usize::from(words.first() == Some(&"*"));
        if words.len() > row + 3 && words[row..row + 3].iter().all(number) {
            words[row + 1] = "LWP";
        }
        if words.first() == Some(&"#0") && line.contains("pause") {
            words = vec!["#0", "pause"];
        }
        let words = words.iter().map(|word| match word.split_once("=0x") {
            Some((name, address)) => {
                let behind = address.trim_start_matches(|c: char| c.is_ascii_hexdigit());
                format!("{name}=address{behind}")
            }
            None => (*word).to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(one).filter(|line| !line.is_empty()).collect()
}
