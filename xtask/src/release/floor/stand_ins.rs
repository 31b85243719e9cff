//! Makes the libraries without code that the release is linked against.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::read::elf::{ElfFile64, FileHeader, Sym};
use object::{Endianness, elf};

use super::asked::number;
use crate::Outcome;
use crate::tools::{output, root, run};

/// The libraries of this machine that the names come from.
const SOURCES: [&str; 2] = ["libc.so.6", "libm.so.6"];

/// The libraries that were separate before 2.34, and the beginnings of the names in them.
const APART: [(&str, &[&str]); 3] = [
    ("libpthread.so.0", &["pthread_", "__pthread_", "sem_"]),
    (
        "libdl.so.2",
        &["dlopen", "dlmopen", "dlclose", "dlsym", "dlvsym", "dladdr", "dlinfo", "dlerror"],
    ),
    ("librt.so.1", &["timer_", "mq_", "aio_", "shm_", "lio_"]),
];

/// The sources of the functions that glibc at the floor links statically into each program.
const STATIC: [&str; 2] = ["start", "files"];

/// A name in a library; its key in [`Names`] is the name itself.
#[derive(Clone)]
struct Name {
    version: String,
    size: u64,
    is_function: bool,
}

/// Each library's names.
type Names = BTreeMap<String, BTreeMap<String, Name>>;

/// Makes all libraries in `folder`, and a `libc.so` that leads to them.
pub fn make(folder: &Path) -> Outcome {
    let mut names = Names::new();
    for source in SOURCES {
        for (name, found) in of_library(source)? {
            let home = home(&name, source, &found.version)?;
            names.entry(home).or_default().insert(name, found);
        }
    }
    let mut files = Vec::new();
    for (library, names) in &names {
        files.push(link(folder, library, names)?);
    }
    let linked = linked_statically(folder)?;
    let place = |name: &str| output(Command::new("cc").arg(format!("-print-file-name={name}")));
    let loader = place("ld-linux-x86-64.so.2")?;
    // `atexit` and its like, which are linked statically into each program to this day.
    let still = place("libc_nonshared.a")?;
    let (c_library, others): (Vec<_>, Vec<_>) =
        files.iter().partition(|file| file.file_name().is_some_and(|name| name == "libc.so.6"));
    let mut script = format!("GROUP ( {} {}", linked.display(), still.trim());
    for file in c_library {
        let _ = write!(script, " {}", file.display());
    }
    script.push_str(" AS_NEEDED (");
    for file in others {
        let _ = write!(script, " {}", file.display());
    }
    let _ = writeln!(script, " {} ) )", loader.trim());
    // A program that asks for another of these libraries gets the same script.
    for name in ["libc", "libm", "libpthread", "libdl", "librt", "libutil"] {
        write(&folder.join(format!("{name}.so")), &script)?;
    }
    Ok(())
}

/// Returns the library that has a name at the floor: a separate one only if the library of that
/// name on this machine still defines the version.
fn home(name: &str, source: &str, version: &str) -> Outcome<String> {
    let apart = APART.iter().find(|(_, begins)| begins.iter().any(|b| name.starts_with(b)));
    if let Some((library, _)) = apart.filter(|_| source == SOURCES[0])
        && versions(library)?.iter().any(|known| known == version)
    {
        return Ok((*library).to_owned());
    }
    Ok(source.to_owned())
}

/// Returns the names of a library of this machine, each at its newest version up to the floor.
fn of_library(library: &str) -> Outcome<BTreeMap<String, Name>> {
    let data = read(library)?;
    all(&data).map_err(|error| format!("cannot make sense of {library}: {error}"))
}

fn all(data: &[u8]) -> object::Result<BTreeMap<String, Name>> {
    let file = ElfFile64::<Endianness>::parse(data)?;
    let (endian, header) = (file.endian(), file.elf_header());
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_DYNSYM)?;
    let Some(table) = sections.versions(endian, data)? else { return Ok(BTreeMap::new()) };
    let mut names = BTreeMap::<String, Name>::new();
    for (index, symbol) in symbols.enumerate() {
        if symbol.is_undefined(endian) || symbol.st_bind() == elf::STB_LOCAL {
            continue;
        }
        let Some(version) = table.version(table.version_index(endian, index).into())? else {
            continue;
        };
        let version = String::from_utf8_lossy(version.name()).into_owned();
        let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned();
        // The linker also defines a symbol for each version itself.
        if name == version {
            continue;
        }
        let Some(age) = number(&version).filter(|age| *age <= super::GLIBC) else { continue };
        if names.get(&name).and_then(|known| number(&known.version)).is_none_or(|k| k < age) {
            let is_function = matches!(symbol.st_type(), elf::STT_FUNC | elf::STT_GNU_IFUNC);
            names.insert(name, Name { version, size: symbol.st_size(endian), is_function });
        }
    }
    Ok(names)
}

/// Returns the versions that a library of this machine defines.
fn versions(library: &str) -> Outcome<Vec<String>> {
    let data = read(library)?;
    let found = || -> object::Result<Vec<String>> {
        let file = ElfFile64::<Endianness>::parse(&*data)?;
        let (endian, header) = (file.endian(), file.elf_header());
        let sections = header.sections(endian, &*data)?;
        let mut found = Vec::new();
        if let Some((mut nodes, strings)) = sections.gnu_verdef(endian, &*data)? {
            let strings = sections.strings(endian, &*data, strings)?;
            while let Some((_, mut names)) = nodes.next()? {
                if let Some(name) = names.next()? {
                    let name = name.name(endian, strings)?;
                    found.push(String::from_utf8_lossy(name).into_owned());
                }
            }
        }
        Ok(found)
    };
    found().map_err(|error| format!("cannot make sense of {library}: {error}"))
}

/// Links a library without code.
fn link(folder: &Path, library: &str, names: &BTreeMap<String, Name>) -> Outcome<PathBuf> {
    let (assembly, script) = (folder.join("names.s"), folder.join("names.map"));
    let mut text = String::from("\t.text\n");
    let mut nodes = BTreeMap::<&str, Vec<&str>>::new();
    for (name, Name { version, size, is_function }) in names {
        let kind = if *is_function { "function" } else { "object" };
        let _ = write!(text, "\t.globl {name}\n\t.type {name}, @{kind}\n");
        let _ = write!(text, "\t.size {name}, {size}\n{name}:\n");
        nodes.entry(version).or_default().push(name);
    }
    text.push_str("\t.byte 0\n\t.section .note.GNU-stack,\"\",@progbits\n");
    write(&assembly, &text)?;
    let mut text = String::new();
    for (version, names) in nodes {
        let _ = writeln!(text, "{version} {{ {}; }};", names.join("; "));
    }
    write(&script, &text)?;
    let file = folder.join(library);
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-nostdlib", "-o"]).arg(&file).arg(&assembly);
    cc.arg(format!("-Wl,-soname,{library},--version-script={}", script.display()));
    run(&mut cc)?;
    Ok(file)
}

/// Compiles the parts that are linked statically, each into a member of its own: the linker takes
/// only the members that a program asks for.
fn linked_statically(folder: &Path) -> Outcome<PathBuf> {
    let archive = folder.join("libstatic.a");
    let _ = std::fs::remove_file(&archive);
    let mut ar = Command::new("ar");
    ar.arg("crsD").arg(&archive);
    for name in STATIC {
        let source = root().join("packaging/floor").join(format!("{name}.c"));
        let object = folder.join(format!("{name}.o"));
        let mut cc = Command::new("cc");
        cc.args(["-O2", "-fPIC", "-ffunction-sections", "-Wall", "-Werror", "-c"]);
        run(cc.arg(&source).arg("-o").arg(&object))?;
        ar.arg(object);
    }
    run(&mut ar)?;
    Ok(archive)
}

fn read(library: &str) -> Outcome<Vec<u8>> {
    let path = output(Command::new("cc").arg(format!("-print-file-name={library}")))?;
    std::fs::read(path.trim()).map_err(|error| {
        format!(
            "cannot read {library} ({}): install the C library's development files: {error}",
            path.trim()
        )
    })
}

fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
