//! The pages that `omphalos report`, `diff` and `scale` write with `--html`, opened in a browser.
//! Where there is no chromium, the tests that need it are ignored.

#[path = "pages/lines.rs"]
mod lines;

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::{browser, exec, paths, suite};

fn main() -> ExitCode {
    let driven = |name: &str, run: fn() -> Result<(), String>| {
        suite::test(name, run).with_ignored_flag(!browser::is_there())
    };
    suite::main(vec![
        driven("pages::report", report),
        driven("pages::change", change),
        driven("pages::scaling", scaling),
        driven("pages::ten_thousand_regions", ten_thousand_regions),
        suite::test("pages::no_markup", no_markup),
        suite::test("pages::lines", lines::of_the_source),
        suite::test("pages::instructions", lines::of_the_code),
    ])
}

/// Runs `omphalos`; a failure of it is an error.
fn omphalos(arguments: &[&OsStr]) -> Result<(), String> {
    let mut command = Command::new(paths::omphalos());
    let outcome = exec::run(command.args(arguments).env("OMP_NUM_THREADS", "2"))?;
    if outcome.success() { Ok(()) } else { Err(outcome.describe()) }
}

/// Profiles a program, with arguments that a page must take for plain text only.
fn profile(program: &Path, folder: &Path) -> Result<PathBuf, String> {
    let profile = folder.join("app.omph");
    let mut arguments: Vec<&OsStr> =
        ["profile", "--no-report", "--counters", "-o"].map(OsStr::new).into();
    arguments.push(profile.as_os_str());
    arguments.push(program.as_os_str());
    arguments
        .extend(["</script><script>document.title=1</script>", "'\"&", "\x1b[31m"].map(OsStr::new));
    arguments.push(OsStr::from_bytes(b"\xff\xfe<i>"));
    omphalos(&arguments)?;
    Ok(profile)
}

fn hostile(name: &str) -> Result<PathBuf, String> {
    let program = Compiler::Gcc.compile(&paths::tests().join("pages/hostile.c"), &[])?;
    let folder = paths::scratch(name);
    let profile = profile(&program, &folder)?;
    let page = folder.join("out.html");
    omphalos(&["report".as_ref(), profile.as_ref(), "--html".as_ref(), page.as_ref()])?;
    Ok(page)
}

fn read(page: &Path) -> Result<String, String> {
    fs::read_to_string(page).map_err(|e| format!("{}: {e}", page.display()))
}

/// Checks that the page's driver said each of the wanted lines.
fn holds(said: &[String], wanted: &[&str]) -> Result<(), String> {
    let missing: Vec<_> =
        wanted.iter().filter(|line| !said.iter().any(|one| one == *line)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("{missing:?} is not in {said:#?}")) }
}

fn report() -> Result<(), String> {
    let page = hostile("page report")?;
    let driver = read(&paths::tests().join("pages/report.js"))?;
    let said = browser::driven(&page, &driver)?;
    let title = said.first().map_or("", String::as_str);
    if !title.contains("</script><script>document.title=1</script>") {
        return Err(format!("the title is not the command: {title}"));
    }
    let wanted = [
        "sections diagnosis regions flame threads counters source tasks about",
        // The scripts: the data, the page's own, and the test's driver.
        "scripts 3 images 0",
        "asked 0",
        "zoomed true true",
        "whole again true",
        "search focused true",
        "found true true",
        "search cleared true",
        "work true true",
        "wait true",
        "inverted true true",
        "arrow 2",
        "entered true",
        "sorted 1",
        "opened true",
        "counted true true",
        "turned true",
        "turned back true",
        "help true",
    ];
    holds(&said, &wanted)
}

/// Tests that no text of the program becomes markup, and that no control character steers a
/// terminal.
fn no_markup() -> Result<(), String> {
    let page = read(&hostile("page markup")?)?;
    let count = |what: &str| page.matches(what).count();
    // The two scripts: the data's block and the page's own.
    for (what, wanted) in [("<script", 2), ("</script", 2), ("<img", 0), ("<b>", 0), ("<i>", 0)] {
        if count(what) != wanted {
            return Err(format!("{what} is there {} times", count(what)));
        }
    }
    let steers = |c: char| c.is_control() && c != '\n';
    match page.find(steers) {
        None => Ok(()),
        Some(at) => Err(format!("a control character at {at}")),
    }
}

fn change() -> Result<(), String> {
    let source = paths::tests().join("pairs/schedule.c");
    let folder = paths::scratch("page change");
    let mut files = Vec::new();
    for which in ["BEFORE", "AFTER"] {
        let program = Compiler::Gcc.compile(&source, &[&format!("-D{which}")])?;
        let file = folder.join(format!("{which}.omph"));
        let start = ["profile", "--no-report", "-o"].map(OsStr::new);
        omphalos(&[&start[..], &[file.as_ref(), program.as_ref()]].concat())?;
        files.push(file);
    }
    let page = folder.join("diff.html");
    let (before, after) = (files[0].as_ref(), files[1].as_ref());
    omphalos(&["diff".as_ref(), before, after, "--html".as_ref(), page.as_ref()])?;
    let said = browser::driven(&page, &read(&paths::tests().join("pages/change.js"))?)?;
    let has = |start: &str| said.iter().any(|line| line.starts_with(start));
    let all = has("sections diagnosis") && has("sentence ") && has("zoomed true");
    if all { Ok(()) } else { Err(format!("{said:#?}")) }
}

fn scaling() -> Result<(), String> {
    let program = Compiler::Gcc.compile(&paths::tests().join("pages/hostile.c"), &[])?;
    let folder = paths::scratch("page scaling");
    let page = folder.join("scale.html");
    let runs = folder.join("runs");
    let options = ["scale", "--repeat", "1", "-t", "1,2", "-o"].map(OsStr::new);
    let command = [program.as_ref(), "</script><script>document.title=1</script>".as_ref()];
    let words = [&options[..], &[runs.as_ref(), "--html".as_ref(), page.as_ref()], &command];
    omphalos(&words.concat())?;
    let said = browser::driven(&page, &read(&paths::tests().join("pages/scale.js"))?)?;
    let title = said.first().map_or("", String::as_str);
    if !title.contains("</script><script>document.title=1</script>") {
        return Err(format!("the title is not the command: {title}"));
    }
    let wanted = [
        "kind Omphalos scaling",
        "sections diagnosis sizes factors regions",
        "scripts 3 images 0",
        "sizes 1 2",
        "measured 2",
        "curves ideal amdahl measured",
        "numbers true",
        "first factor global efficiency",
        "heads 1 2",
        "opened true if nothing were lost",
        "asked 0",
    ];
    holds(&said, &wanted)
}

/// Tests that the page of so many regions says what it leaves out, and stays below 5 MB.
fn ten_thousand_regions() -> Result<(), String> {
    const REGIONS: usize = 10_000;
    let folder = paths::scratch("page regions");
    let mut source = "static double sums[8];\n".to_owned();
    for number in 0..REGIONS {
        let _ = write!(
            source,
            "static void f{number}(void)\n{{\n#pragma omp parallel\n  sums[0] = {number};\n}}\n"
        );
    }
    source.push_str("int main(void)\n{\n");
    for number in 0..REGIONS {
        let _ = writeln!(source, "  f{number}();");
    }
    source.push_str("  return 0;\n}\n");
    let file = folder.join("regions.c");
    fs::write(&file, source).map_err(|e| e.to_string())?;
    let program = Compiler::Gcc.compile_with(&file, &["-O0", "-g", "-fopenmp"])?;
    let profile = profile(&program, &folder)?;
    let page = folder.join("out.html");
    omphalos(&["report".as_ref(), profile.as_ref(), "--html".as_ref(), page.as_ref()])?;
    let size = fs::metadata(&page).map_err(|e| e.to_string())?.len();
    if size >= 5_000_000 {
        return Err(format!("the page has {size} bytes"));
    }
    let said = browser::driven(
        &page,
        "say(document.querySelector('#regions .more').textContent);
         say(document.querySelector('#regions .below .note').textContent.slice(0, 22));",
    )?;
    holds(&said, &["385 more", "and 9,600 more regions"])
}
