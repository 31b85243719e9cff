//! C tools for tests: compiled when a test asks, kept in the target folder.

// Each test program uses the part that it needs.
#![allow(dead_code)]

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// One compilation at a time: tests ask for the same file.
static COMPILING: Mutex<()> = Mutex::new(());

/// The folder of the C sources.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")
}

/// The folder where tests may write.
pub fn scratch() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// The C compilers to try: gcc, which must be there, and clang if it is.
pub fn compilers() -> Vec<&'static str> {
    assert!(runs("gcc"), "the tests need gcc: apt-get install gcc");
    ["gcc", "clang-19"].into_iter().filter(|c| runs(c)).collect()
}

fn runs(compiler: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(compiler).is_file())
}

/// Compiles one of the tests' C files into `output` with the published header. If the same compiler
/// compiled the same texts with the same flags before, takes that result instead, also if it has
/// another name.
pub fn compile(compiler: &str, source: &str, output: &str, flags: &[&str]) -> PathBuf {
    let _one = COMPILING.lock();
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../abi/include");
    let mut key = DefaultHasher::new();
    (compiler, source, flags).hash(&mut key);
    hash_texts(&sources(), &mut key);
    hash_texts(&headers, &mut key);
    flags.iter().for_each(|flag| hash_needed(flag, &mut key));
    let kept = scratch().join(format!("made-{:016x}", key.finish()));
    // Tests are processes of their own and share these files: each is made aside and put in place
    // whole.
    let path = scratch().join(output);
    let aside = scratch().join(format!("{output}.{}", std::process::id()));
    let into_place = |aside: &Path, place: &Path| {
        std::fs::rename(aside, place).expect("a file can be renamed in its folder");
    };
    if !kept.exists() {
        let result = Command::new(compiler)
            .args(["-O1", "-g", "-Wall", "-Werror", "-I"])
            .arg(&headers)
            .arg(sources().join(source))
            .args(flags)
            .arg("-o")
            .arg(&aside)
            .output()
            .expect("the compiler can be started");
        assert!(
            result.status.success(),
            "{compiler} {source}: {}",
            String::from_utf8_lossy(&result.stderr)
        );
        into_place(&aside, &kept);
    }
    // A copy: to the loader, two names of one file are one library.
    std::fs::copy(&kept, &aside).expect("a file can be copied in its folder");
    into_place(&aside, &path);
    path
}

/// The files of a folder and of those in it, in order.
fn hash_texts(folder: &Path, key: &mut DefaultHasher) {
    let entries = std::fs::read_dir(folder).expect("a folder of sources").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        if file.is_dir() {
            hash_texts(&file, key);
        } else {
            std::fs::read(&file).expect("a source").hash(key);
        }
    }
}

/// A file that a flag names, or the files of a folder of libraries: small ones by their bytes.
fn hash_needed(flag: &str, key: &mut DefaultHasher) {
    const BYTES_READ: u64 = 1 << 18;
    let files = match flag.strip_prefix("-L") {
        Some(folder) => std::fs::read_dir(folder).into_iter().flatten().flatten(),
        None => {
            let Ok(about) = std::fs::metadata(flag) else { return };
            if about.len() <= BYTES_READ {
                std::fs::read(flag).unwrap_or_default().hash(key);
            } else {
                (about.len(), about.modified().ok()).hash(key);
            }
            return;
        }
    };
    let state = |file: &Path| std::fs::metadata(file).map(|it| (it.len(), it.modified().ok())).ok();
    let mut states: Vec<_> = files.map(|file| (file.path(), state(&file.path()))).collect();
    states.sort();
    states.hash(key);
}

/// Compiles a tool as a shared library.
pub fn tool(compiler: &str, source: &str, output: &str, flags: &[&str]) -> PathBuf {
    let mut all = vec!["-shared", "-fPIC"];
    all.extend_from_slice(flags);
    compile(compiler, source, output, &all)
}

/// One line of the trace tool.
#[derive(Clone, Debug)]
pub struct Line {
    /// Position over all threads.
    pub sequence: u64,
    /// The operating system's thread.
    pub thread: i64,
    /// The event, with its endpoint where it has one.
    pub event: String,
    fields: Vec<(String, String)>,
}

impl Line {
    /// A field as written.
    pub fn text(&self, key: &str) -> &str {
        self.fields
            .iter()
            .find(|(k, _)| k == key)
            .map(|(_, v)| v.as_str())
            .unwrap_or_else(|| panic!("no {key} in {self:?}"))
    }

    /// A field as written, empty if it is not there.
    pub fn text_or_empty(&self, key: &str) -> &str {
        self.fields.iter().find(|(k, _)| k == key).map_or("", |(_, v)| v.as_str())
    }

    /// A decimal field.
    pub fn number(&self, key: &str) -> u64 {
        self.text(key).parse().unwrap_or_else(|_| panic!("{key} is no number in {self:?}"))
    }

    /// A hexadecimal field, with or without 0x.
    pub fn hex(&self, key: &str) -> u64 {
        let text = self.text(key);
        if text == "(nil)" {
            return 0;
        }
        u64::from_str_radix(text.trim_start_matches("0x"), 16)
            .unwrap_or_else(|_| panic!("{key} is not hexadecimal in {self:?}"))
    }

    /// All fields as written, in order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether the line has this event.
    pub fn is(&self, event: &str) -> bool {
        self.event == event
    }
}

/// Reads the lines that the trace tool wrote, in the order of their sequence numbers.
pub fn trace(path: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("no trace in {}: {error}", path.display()));
    let mut lines: Vec<Line> = text.lines().map(parse).collect();
    lines.sort_by_key(|line| line.sequence);
    lines
}

fn parse(line: &str) -> Line {
    let mut words = line.split(' ').peekable();
    let mut next = || words.next().unwrap_or_default();
    let sequence = next().parse().unwrap_or_else(|_| panic!("odd line {line:?}"));
    let thread = next().parse().unwrap_or_else(|_| panic!("odd line {line:?}"));
    let mut event = next().to_owned();
    let mut fields = vec![];
    for word in words {
        match word.split_once('=') {
            Some((key, value)) => fields.push((key.to_owned(), value.to_owned())),
            None if fields.is_empty() => event = format!("{event} {word}"),
            // The rest of a text with blanks.
            None => {
                let (_, value) = fields.last_mut().unwrap();
                value.push(' ');
                value.push_str(word);
            }
        }
    }
    Line { sequence, thread, event, fields }
}
