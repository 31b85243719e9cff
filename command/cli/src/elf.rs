//! Reads an ELF file, as far as Omphalos needs it: only headers and the dynamic symbols, however
//! large the file is.

use std::fs::File;
use std::path::Path;

use object::elf;
use object::read::elf::{Dyn, ElfFile64, FileHeader, ProgramHeader, Sym};
use object::{Endianness, ReadCache};

/// The way in which the kernel starts the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// By this dynamic loader.
    Dynamic(String),
    /// By itself: a statically linked program.
    Static,
    /// It is a shared library, or a loader started as a program.
    Library,
}

/// The parts of an ELF file that matter here.
#[derive(Debug)]
pub struct Elf {
    /// How it is started.
    pub start: Start,
    /// Its name as a library.
    pub soname: Option<String>,
    /// The libraries that it needs.
    pub needed: Vec<String>,
    /// Folders that the loader searches before those of `LD_LIBRARY_PATH` (`DT_RPATH`); without
    /// effect where there is a `runpath`.
    pub rpath: Vec<String>,
    /// Folders that the loader searches after those of `LD_LIBRARY_PATH` (`DT_RUNPATH`).
    pub runpath: Vec<String>,
    /// Symbols that others must define, with the version asked for (may be empty).
    pub undefined: Vec<(String, String)>,
    /// Symbols that it defines for others, with their versions (may be empty).
    pub defined: Vec<(String, String)>,
}

/// The reason why a file is no ELF program of this machine.
#[derive(Debug, PartialEq, Eq)]
pub enum NotRead {
    /// Not ELF at all.
    NotElf,
    /// ELF for another machine than 64-bit x86.
    OtherMachine,
    /// Cannot be read, or is damaged.
    Broken(String),
}

/// Reads `path`.
pub fn read(path: &Path) -> Result<Elf, NotRead> {
    let broken = |error: &dyn std::fmt::Display| NotRead::Broken(error.to_string());
    let file = File::open(path).map_err(|error| broken(&error))?;
    let cache = ReadCache::new(file);
    let magic = object::ReadRef::read_bytes_at(&cache, 0, 20).unwrap_or_default();
    if !magic.starts_with(b"\x7fELF") {
        return Err(NotRead::NotElf);
    }
    // Class (64-bit), byte order (little) and, at 18, machine (EM_X86_64).
    if magic.get(4..6) != Some(&[2, 1]) || magic.get(18..20) != Some(&[62, 0]) {
        return Err(NotRead::OtherMachine);
    }
    parse(&cache).map_err(|error| broken(&error))
}

fn parse(data: &ReadCache<File>) -> object::Result<Elf> {
    let file = ElfFile64::<Endianness, _>::parse(data)?;
    let (endian, header) = (file.endian(), file.elf_header());
    let mut interpreter = None;
    let mut dynamic = None;
    for segment in header.program_headers(endian, data)? {
        if let Some(path) = segment.interpreter(endian, data)? {
            interpreter = Some(String::from_utf8_lossy(path).into_owned());
        }
        if let Some(entries) = segment.dynamic(endian, data)? {
            dynamic = Some(entries);
        }
    }
    let mut found = Elf {
        start: Start::Static,
        soname: None,
        needed: Vec::new(),
        rpath: Vec::new(),
        runpath: Vec::new(),
        undefined: Vec::new(),
        defined: Vec::new(),
    };
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_DYNSYM)?;
    let strings = symbols.strings();
    let is_dynamic = dynamic.is_some();
    let mut is_program = header.e_type(endian) != elf::ET_DYN;
    for entry in dynamic.unwrap_or_default() {
        let text = || -> object::Result<String> {
            Ok(String::from_utf8_lossy(entry.string(endian, strings)?).into_owned())
        };
        let folders = || -> object::Result<Vec<String>> {
            Ok(text()?.split(':').filter(|folder| !folder.is_empty()).map(String::from).collect())
        };
        match entry.tag(endian) {
            elf::DT_SONAME => found.soname = Some(text()?),
            elf::DT_NEEDED => found.needed.push(text()?),
            elf::DT_RPATH => found.rpath = folders()?,
            elf::DT_RUNPATH => found.runpath = folders()?,
            elf::DT_FLAGS_1 => {
                is_program |= entry.val(endian) & elf::DF_1_PIE.0 != 0;
            }
            _ => {}
        }
    }
    found.start = match interpreter {
        Some(loader) => Start::Dynamic(loader),
        // A library may have no name, and may need no others.
        None if is_dynamic && !is_program => Start::Library,
        None => Start::Static,
    };
    let versions = sections.versions(endian, data)?;
    for (index, symbol) in symbols.enumerate() {
        if !matches!(symbol.st_bind(), elf::STB_GLOBAL | elf::STB_WEAK) {
            continue;
        }
        let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned();
        let version = match &versions {
            Some(table) => table.version(table.version_index(endian, index).into())?,
            None => None,
        };
        let version =
            version.map_or_else(String::new, |v| String::from_utf8_lossy(v.name()).into_owned());
        let list =
            if symbol.is_undefined(endian) { &mut found.undefined } else { &mut found.defined };
        list.push((name, version));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_itself_is_a_dynamic_program() {
        let own = read(&std::env::current_exe().unwrap()).unwrap();
        assert_eq!(own.start, Start::Dynamic("/lib64/ld-linux-x86-64.so.2".into()));
        assert!(own.needed.iter().any(|name| name == "libc.so.6"));
        assert!(own.undefined.iter().any(|(name, version)| {
            name == "__libc_start_main" && version.starts_with("GLIBC_2.")
        }));
    }

    #[test]
    fn the_loader_is_no_static_program() {
        let loader = read(Path::new("/lib64/ld-linux-x86-64.so.2")).unwrap();
        assert_eq!(loader.start, Start::Library);
        assert!(loader.defined.iter().any(|(name, _)| name == "__tls_get_addr"));
    }

    #[test]
    fn a_library_is_one_without_a_name_too() {
        let folder = tempfile::tempdir().unwrap();
        let compile = |name: &str, flags: &[&str]| {
            let (source, path) = (folder.path().join("empty.c"), folder.path().join(name));
            std::fs::write(&source, "int main(void) { return 0; }").unwrap();
            let mut gcc = std::process::Command::new("gcc");
            assert!(gcc.args(flags).arg("-o").arg(&path).arg(source).status().unwrap().success());
            read(&path).unwrap()
        };
        let plain = compile("plain.so", &["-shared", "-fPIC"]);
        assert_eq!((plain.start, plain.soname), (Start::Library, None));
        let alone = compile("alone.so", &["-shared", "-fPIC", "-nostdlib"]);
        assert_eq!((alone.start, alone.needed), (Start::Library, vec![]));
        let flags = ["-shared", "-fPIC", "-Wl,--disable-new-dtags,-rpath,$ORIGIN/a:/b"];
        assert_eq!(compile("old.so", &flags).rpath, ["$ORIGIN/a", "/b"]);
        let flags = ["-shared", "-fPIC", "-Wl,--enable-new-dtags,-rpath,$ORIGIN/a"];
        assert_eq!(compile("new.so", &flags).runpath, ["$ORIGIN/a"]);
        assert_eq!(compile("static-pie", &["-static-pie"]).start, Start::Static);
    }

    #[test]
    fn other_files_are_told_apart() {
        assert_eq!(read(Path::new("/etc/passwd")).unwrap_err(), NotRead::NotElf);
        assert!(matches!(read(Path::new("/no/such")).unwrap_err(), NotRead::Broken(_)));
    }
}
