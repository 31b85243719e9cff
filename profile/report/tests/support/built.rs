//! Small programs, built with the installed compilers, and the addresses of their calls.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSymbol};
use tempfile::TempDir;

/// A program built for a test.
pub struct Built {
    _folder: TempDir,
    pub source: PathBuf,
    pub program: PathBuf,
    disassembly: String,
}

/// Compiles `source`; `cargo xtask setup` installs the compiler.
pub fn build(compiler: &str, name: &str, source: &str, options: &[&str]) -> Built {
    let folder = TempDir::new().expect("temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, source).expect("source written");
    let program = folder.path().join("program");
    // Fortran's compilers leave module files where they are started.
    let status = Command::new(compiler)
        .current_dir(folder.path())
        .args(["-g", "-fopenmp"])
        .args(options)
        .arg(&path)
        .arg("-o")
        .arg(&program)
        .status()
        .unwrap_or_else(|error| {
            panic!("cannot run {compiler}: {error} (cargo xtask setup installs it)")
        });
    assert!(status.success(), "{compiler} failed on {name}");
    let output = Command::new("objdump")
        .args(["-d", "--no-show-raw-insn"])
        .arg(&program)
        .output()
        .expect("objdump runs");
    let disassembly = String::from_utf8_lossy(&output.stdout).into_owned();
    Built { _folder: folder, source: path, program, disassembly }
}

impl Built {
    pub fn path(&self) -> &str {
        self.program.to_str().expect("UTF-8 path")
    }

    /// Returns start and size of each function whose name `matches`, by the file's addresses.
    pub fn functions(&self, matches: &dyn Fn(&str) -> bool) -> Vec<(String, u64, u64)> {
        let bytes = fs::read(&self.program).expect("program read");
        let elf = object::File::parse(&*bytes).expect("an ELF file");
        let mut found: Vec<_> = elf
            .symbols()
            .filter(|symbol| symbol.size() > 0)
            .filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol)))
            .filter(|(name, _)| matches(name))
            .map(|(name, symbol)| (name, symbol.address(), symbol.size()))
            .collect();
        found.sort_by_key(|(_, address, _)| *address);
        found
    }

    pub fn function(&self, name: &str) -> (u64, u64) {
        let found = self.functions(&|candidate| candidate == name);
        assert_eq!(found.len(), 1, "one function {name}: {found:?}");
        (found[0].1, found[0].2)
    }

    /// Returns a variable's address in the file.
    pub fn datum(&self, name: &str) -> u64 {
        let bytes = fs::read(&self.program).expect("program read");
        let elf = object::File::parse(&*bytes).expect("an ELF file");
        let found = elf.symbols().find(|symbol| symbol.name() == Ok(name));
        found.expect("a variable").address()
    }

    /// Returns the return addresses of the calls to `callee` in `caller`, in the order of the code.
    pub fn calls(&self, caller: &str, callee: &str) -> Vec<u64> {
        let (start, size) = self.function(caller);
        let within = |after: &u64| (start + 1..=start + size).contains(after);
        self.all_calls(callee).into_iter().filter(within).collect()
    }

    /// Returns the return addresses of all calls to functions whose name starts with `callee`.
    pub fn all_calls(&self, callee: &str) -> Vec<u64> {
        let address = |line: &str| {
            let digits = line.trim_start().split(':').next()?;
            u64::from_str_radix(digits, 16).ok()
        };
        let callee = format!("<{callee}");
        let lines: Vec<&str> = self.disassembly.lines().collect();
        let calls = lines.windows(2).filter(|two| {
            two[0].contains("call") && two[0].contains(&callee) && address(two[0]).is_some()
        });
        // The last instruction of a function is followed by an empty line and the next function.
        calls.map(|two| address(two[1]).unwrap_or_else(|| address(two[0]).unwrap() + 5)).collect()
    }

    /// Returns the line of each call, by binutils.
    pub fn lines_of(&self, calls: &[u64]) -> Vec<u32> {
        let addresses = calls.iter().map(|after| format!("{:#x}", after - 1));
        let output =
            Command::new("addr2line").arg("-e").arg(&self.program).args(addresses).output();
        let text = String::from_utf8(output.expect("addr2line runs").stdout).expect("UTF-8");
        let line = |place: &str| {
            let digits = place.rsplit(':').next()?.split(' ').next()?;
            digits.parse().ok()
        };
        text.lines().map(|place| line(place).unwrap_or_else(|| panic!("{place}"))).collect()
    }

    /// Returns the address of the stub for another module's function.
    pub fn stub(&self, function: &str) -> u64 {
        let name = format!(" <{function}@plt>:");
        let head = self.disassembly.lines().find_map(|line| line.strip_suffix(&name));
        u64::from_str_radix(head.expect("a stub"), 16).expect("an address")
    }

    pub fn remove_source(&self) {
        fs::remove_file(&self.source).expect("source removed");
    }

    pub fn strip(&self, options: &[&str]) {
        let status = Command::new("strip").args(options).arg(&self.program).status();
        assert!(status.expect("strip runs").success());
    }

    pub fn folder(&self) -> &Path {
        self._folder.path()
    }
}

/// Returns the return addresses of all calls to any of `callees`, in the order of the code.
pub fn all_calls(built: &Built, callees: &[&str]) -> Vec<u64> {
    let mut found: Vec<u64> = callees.iter().flat_map(|callee| built.all_calls(callee)).collect();
    found.sort_unstable();
    found
}
