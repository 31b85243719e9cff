//! Asks the dynamic loader which libraries a program gets, without running the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::environment::Environment;

/// A library as the loader found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The name that was asked for.
    pub name: String,
    /// The file, where one was found.
    pub path: Option<PathBuf>,
}

/// Returns the libraries that `loader` (the program's own) would load for `program` in
/// `environment`.
pub fn list(loader: &str, program: &Path, environment: &Environment) -> Vec<Loaded> {
    let mut command = Command::new(loader);
    command.arg("--list").arg(program).stdin(Stdio::null()).stderr(Stdio::null());
    environment.apply(&mut command);
    match command.output() {
        Ok(output) => parse(&String::from_utf8_lossy(&output.stdout)),
        Err(_) => Vec::new(),
    }
}

fn parse(text: &str) -> Vec<Loaded> {
    text.lines().filter_map(line).collect()
}

fn line(line: &str) -> Option<Loaded> {
    let line = line.trim();
    let (name, path) = match line.split_once(" => ") {
        Some((name, "not found")) => (name, None),
        Some((name, found)) => (name, Some(without_address(found))),
        // A library that was asked for by its path, like a preloaded one.
        None if line.starts_with('/') => (without_address(line), Some(without_address(line))),
        None => return None,
    };
    Some(Loaded { name: name.to_owned(), path: path.map(PathBuf::from) })
}

fn without_address(text: &str) -> &str {
    text.rfind(" (0x").map_or(text, |end| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loaders_lines() {
        let text = "\tlinux-vdso.so.1 (0x00007ffe)\n\t/o/lib/libomphalos.so (0x00007f01)\n\
                    \tlibgomp.so.1 => /o/lib/libgomp.so.1 (0x00007f02)\n\tlibx.so => not found\n";
        let loaded = parse(text);
        let shown: Vec<_> = loaded
            .iter()
            .map(|l| (l.name.as_str(), l.path.as_deref().and_then(Path::to_str)))
            .collect();
        assert_eq!(
            shown,
            [
                ("/o/lib/libomphalos.so", Some("/o/lib/libomphalos.so")),
                ("libgomp.so.1", Some("/o/lib/libgomp.so.1")),
                ("libx.so", None),
            ]
        );
    }
}
