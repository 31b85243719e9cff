//! Debuggers: their command lines, and checks of their output.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths};

/// A debugger of the test matrix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Debugger {
    Gdb,
    Lldb,
}

impl Debugger {
    pub fn name(self) -> &'static str {
        match self {
            Debugger::Gdb => "gdb",
            Debugger::Lldb => "lldb",
        }
    }
}

/// Returns the installed tree with a stripped library, as users have it. It is made once for all
/// tests that run at the same time.
pub fn tree() -> Result<&'static Path, String> {
    static TREE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    TREE.get_or_init(make_tree).as_deref().map_err(Clone::clone)
}

fn make_tree() -> Result<PathBuf, String> {
    let folder = paths::cache().join("gdb-tree");
    let (tree, made) = (folder.join("dist"), folder.join("made-of"));
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let lock = fs::File::create(folder.join("lock")).map_err(|e| e.to_string())?;
    lock.lock().map_err(|e| e.to_string())?;
    let mut now = String::new();
    for part in ["lib", "share/omphalos"] {
        state(&paths::dist().join(part), &mut now);
    }
    if fs::read_to_string(&made).is_ok_and(|then| then == now) {
        return Ok(tree);
    }
    let _ = fs::remove_dir_all(&tree);
    for part in ["lib", "share/omphalos"] {
        let to = tree.join(part);
        fs::create_dir_all(to.parent().unwrap_or(&tree)).map_err(|e| e.to_string())?;
        run(Command::new("cp").arg("-a").arg(paths::dist().join(part)).arg(&to))?;
    }
    run(Command::new("strip").arg(tree.join("lib/libomphalos.so")))?;
    // lldb writes no compiled modules: without this each start would compile them again.
    let modules = tree.join("share/omphalos/python");
    let _ = Command::new("/usr/bin/python3").args(["-m", "compileall", "-q"]).arg(modules).status();
    // Users have no debug file either.
    for folder in ["lib/.debug", "lib/debug"] {
        let _ = fs::remove_dir_all(tree.join(folder));
    }
    fs::write(&made, now).map_err(|e| e.to_string())?;
    Ok(tree)
}

/// Lists the files of a folder with their sizes and times.
fn state(folder: &Path, into: &mut String) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(|entry| entry.path());
    for entry in entries {
        let Ok(about) = entry.metadata() else { continue };
        if about.is_dir() {
            state(&entry.path(), into);
        } else {
            let _ =
                writeln!(into, "{} {} {:?}", entry.path().display(), about.len(), about.modified());
        }
    }
}

/// Compiles a program of `tests/gdb`.
pub fn program(name: &str, compiler: Compiler, level: &str) -> Result<PathBuf, String> {
    compiler.compile(&source(name), &[level])
}

pub fn source(name: &str) -> PathBuf {
    paths::tests().join("gdb").join(name)
}

/// Finds the number of the source's line with a mark.
pub fn line(name: &str, mark: &str) -> usize {
    let text = fs::read_to_string(source(name)).unwrap_or_default();
    let marked = format!("/* {mark} */");
    let other = format!("! {mark}");
    1 + text
        .lines()
        .position(|line| line.contains(&marked) || line.ends_with(&other))
        .unwrap_or_else(|| panic!("{name} has no mark {mark}"))
}

/// A program that runs on the tree's library until it is dropped.
pub struct Running(Child);

impl Running {
    pub fn start(program: &Path) -> Result<Running, String> {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", tree()?.join("lib")).stdout(Stdio::null());
        command.spawn().map(Running).map_err(|e| format!("{}: {e}", program.display()))
    }

    pub fn pid(&self) -> String {
        self.0.id().to_string()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns a debugger's command line: it loads our commands, then `target`, and executes
/// `commands`. The debugger keeps its index of symbols and Python's compiled modules between runs,
/// which saves a third of the time of hundreds of starts.
pub fn batch(debugger: Debugger, target: &[&str], commands: &[&str]) -> Result<Command, String> {
    let tree = tree()?;
    let mut command = match debugger {
        Debugger::Gdb => {
            let mut gdb = Command::new("gdb");
            gdb.args(["-nx", "-q", "--batch", "-iex", "set auto-load python-scripts off", "-iex"]);
            gdb.arg(format!("source {}/lib/libomphalos.so-gdb.py", tree.display()));
            gdb.args(["-iex", "set debuginfod enabled off", "-iex", "set width 0", "-iex"]);
            let kept = paths::cache().join("gdb-index");
            gdb.arg(format!("set index-cache directory {}", kept.display()));
            gdb.args(["-iex", "set index-cache enabled on"]);
            gdb.env("PYTHONPYCACHEPREFIX", paths::cache().join("gdb-python"));
            for each in commands {
                gdb.args(["-ex", each]);
            }
            gdb
        }
        Debugger::Lldb => {
            let mut lldb = Command::new(format!("lldb-{}", paths::only_llvm().unwrap_or(19)));
            let kept = paths::cache().join("lldb-index");
            let _ = fs::create_dir_all(&kept);
            lldb.args(["-x", "-X", "-b", "-O"]);
            lldb.arg(format!("settings set symbols.lldb-index-cache-path {}", kept.display()));
            lldb.args(["-O", "settings set symbols.enable-lldb-index-cache true", "-o"]);
            lldb.arg(format!(
                "command script import {}/share/omphalos/python/omphalos",
                tree.display()
            ));
            for each in commands {
                lldb.args(["-o", each]);
            }
            lldb
        }
    };
    command.args(target).env("LD_LIBRARY_PATH", tree.join("lib"));
    Ok(command)
}

/// Runs a debugger, and returns both output streams together.
pub fn says(command: &mut Command) -> Result<String, String> {
    let outcome = exec::run(command)?;
    Ok(format!("{}{}", outcome.stdout, outcome.stderr))
}

/// Checks that the output has each of the texts. The parts of a text between `..` must follow each
/// other in one line.
pub fn holds(said: &str, texts: &[String]) -> Result<(), String> {
    for text in texts {
        let parts: Vec<&str> = text.split("..").collect();
        let found = said.lines().any(|line| {
            let mut rest = line;
            parts.iter().all(|part| match rest.find(part) {
                Some(at) => {
                    rest = &rest[at + part.len()..];
                    true
                }
                None => false,
            })
        });
        if !found {
            return Err(format!("`{text}` is not in what it says:\n{said}"));
        }
    }
    Ok(())
}

/// Asks again until the answer has the texts: threads need some time to reach the places where they
/// wait.
pub fn in_time(
    ask: impl Fn() -> Result<String, String>,
    texts: &[String],
) -> Result<String, String> {
    let start = Instant::now();
    loop {
        let said = ask()?;
        match holds(&said, texts) {
            Ok(()) => return Ok(said),
            Err(fault) if start.elapsed() > Duration::from_secs(40) => return Err(fault),
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let outcome = exec::run(command)?;
    if outcome.success() { Ok(()) } else { Err(outcome.describe()) }
}
