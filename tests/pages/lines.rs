//! Listings of the source's lines with their costs, wherever the source is when the report is made.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths};

/// A program, its profile, and the place of its source.
struct Recorded {
    folder: PathBuf,
    source: PathBuf,
    profile: PathBuf,
    program: PathBuf,
}

/// The build id of the program.
const BUILD_ID: &str = "1234567890abcdef";

fn record(name: &str) -> Result<Recorded, String> {
    let folder = paths::scratch(name);
    let source = folder.join("built/deep/lines.c");
    fs::create_dir_all(folder.join("built/deep")).map_err(|e| e.to_string())?;
    fs::copy(paths::tests().join("pages/lines.c"), &source).map_err(|e| e.to_string())?;
    let build_id = format!("-Wl,--build-id=0x{BUILD_ID}");
    // Each run of the test compiles a new program, so that it is as old as its source.
    let name = format!("lines-{}", std::process::id());
    let flags = ["-O1", "-g", "-fopenmp", &build_id];
    let program = Compiler::Gcc.compile_all(&name, std::slice::from_ref(&source), &flags)?;
    let profile = folder.join("app.omph");
    let mut command = Command::new(paths::omphalos());
    command.args(["profile", "--no-report", "-o"]).arg(&profile).arg(&program);
    let outcome = exec::run(&mut command)?;
    match outcome.success() {
        true => Ok(Recorded { folder, source, profile, program }),
        false => Err(outcome.describe()),
    }
}

impl Recorded {
    fn report(&self, options: &[&str], cache: &Path) -> Result<String, String> {
        let mut command = Command::new(paths::omphalos());
        command.arg("report").arg(&self.profile).args(options);
        let outcome = exec::run(command.env("DEBUGINFOD_CACHE_PATH", cache))?;
        if outcome.success() { Ok(outcome.stdout) } else { Err(outcome.describe()) }
    }
}

/// Finds the line of a listing that has `text`, and the line's figures.
fn figures(listing: &str, text: &str) -> Option<(String, Vec<f64>)> {
    let line = listing.lines().find(|line| line.contains(text))?;
    let before = line.split("  ").filter(|part| !part.is_empty());
    let numbers = before.map_while(|part| part.trim().parse().ok()).collect();
    Some((line.to_owned(), numbers))
}

/// Checks that the listing has the work at the hot line, and the wait at the directive.
fn is_told(listing: &str) -> Result<(), String> {
    let failed = |what: &str| Err(format!("{what} in\n{listing}"));
    match figures(listing, "/* hot */") {
        Some((_, numbers)) if numbers[..] == [10.0] || numbers.len() < 2 => {
            return failed("no figure beside the hot line");
        }
        Some((_, numbers)) if numbers[0] != 10.0 => return failed("another number of the line"),
        Some(_) => {}
        None => return failed("no hot line"),
    }
    let around = ["for (int round = 0;", "for (int i = 1;", "static void smooth(int rounds)"];
    match around.iter().find(|text| !listing.contains(**text)) {
        Some(missing) => failed(missing),
        None if figures(listing, "/* waits */").is_none() => failed("no line that waits"),
        None => Ok(()),
    }
}

/// Tests the source where the debug information says, newer than the program, below a named folder,
/// and in debuginfod's cache.
pub fn of_the_source() -> Result<(), String> {
    let recorded = record("page lines")?;
    let none = recorded.folder.join("no cache");
    let listing = recorded.report(&["--source"], &none)?;
    is_told(&listing)?;
    if listing.contains("note:") {
        return Err(format!("there is nothing to note:\n{listing}"));
    }
    // A file that is newer than the program.
    let later = SystemTime::now() + Duration::from_secs(60);
    let file =
        fs::File::options().append(true).open(&recorded.source).map_err(|e| e.to_string())?;
    file.set_modified(later).map_err(|e| e.to_string())?;
    let listing = recorded.report(&["--source"], &none)?;
    holds(&listing, "is newer than the program: its lines may have moved")?;
    // A file that is elsewhere: below another folder that has more of the name.
    let moved = recorded.folder.join("moved/to/deep");
    fs::create_dir_all(&moved).map_err(|e| e.to_string())?;
    fs::rename(&recorded.source, moved.join("lines.c")).map_err(|e| e.to_string())?;
    fs::write(recorded.folder.join("moved/lines.c"), "another\n").map_err(|e| e.to_string())?;
    let listing = recorded.report(&["--source"], &none)?;
    holds(&listing, "lines.c is not there: --source-dir DIR says")?;
    let below = recorded.folder.join("moved").display().to_string();
    is_told(&recorded.report(&["--source", "--source-dir", &below], &none)?)?;
    // A file that debuginfod's client has fetched.
    let cache = recorded.folder.join("cache");
    let of_program = cache.join(BUILD_ID);
    fs::create_dir_all(&of_program).map_err(|e| e.to_string())?;
    let name = recorded.source.display().to_string().replace('/', "##");
    fs::rename(moved.join("lines.c"), of_program.join(format!("source{name}")))
        .map_err(|e| e.to_string())?;
    is_told(&recorded.report(&["--source"], &cache)?)
}

/// Tests that the instructions are those that objdump finds, and that those of the hot line have
/// costs.
pub fn of_the_code() -> Result<(), String> {
    let recorded = record("page instructions")?;
    let listing = recorded.report(&["--asm"], &recorded.folder)?;
    let mut objdump = Command::new("objdump");
    let known = exec::run(objdump.arg("-d").arg(&recorded.program))?.stdout;
    let known: BTreeSet<&str> =
        known.lines().filter_map(|line| Some(line.trim().split_once(":\t")?.0)).collect();
    let mut count = 0;
    let (mut is_hot, mut hot) = (false, 0);
    for line in listing.lines() {
        if line.contains("lines.c:") {
            is_hot = line.contains("/* hot */");
        }
        let Some((before, _)) = line.split_once(":  ") else { continue };
        let mut words = before.split_whitespace().rev();
        let address = words.next().unwrap_or_default();
        if u64::from_str_radix(address, 16).is_err() {
            continue;
        }
        if !known.contains(address) {
            return Err(format!("objdump finds no instruction at {address}:\n{listing}"));
        }
        count += 1;
        hot += usize::from(is_hot && words.next().is_some());
    }
    match (count, hot) {
        (10.., 1..) => Ok(()),
        _ => Err(format!("{count} instructions, {hot} of the hot line cost anything:\n{listing}")),
    }
}

fn holds(listing: &str, text: &str) -> Result<(), String> {
    let joined: Vec<&str> = listing.split_whitespace().collect();
    if joined.join(" ").contains(text) { Ok(()) } else { Err(format!("no {text:?} in\n{listing}")) }
}
