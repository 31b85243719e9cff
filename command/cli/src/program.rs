//! Finds the program to run, and says before it starts why Omphalos could not get into it.

use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::elf::{self, NotRead, Start};
use crate::failure::Failure;

/// Scripts may name scripts as interpreters to this depth (the kernel's own limit).
const SCRIPT_DEPTH: usize = 5;

/// Libraries that end the program if another one is loaded before them.
const FIRST: &[&str] = &["libasan.so", "libhwasan.so", "liblsan.so", "libtsan.so"];

/// Finds `name` as a shell does: with a slash it is a path, without one it is searched on `PATH`.
pub fn find(name: &OsStr) -> Result<PathBuf, Failure> {
    if name.is_empty() {
        return Err(Failure::not_found("the program's name is empty"));
    }
    if name.as_bytes().contains(&b'/') {
        let path = PathBuf::from(name);
        if std::fs::metadata(&path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        {
            return Err(Failure::not_found(format!("there is no program {}", path.display())));
        }
        executable(&path)?;
        return Ok(path);
    }
    let search = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    let mut refused = None;
    for folder in std::env::split_paths(&search) {
        let path = if folder.as_os_str().is_empty() { "./".into() } else { folder }.join(name);
        if !path.exists() {
            continue;
        }
        match executable(&path) {
            Ok(()) => return Ok(path),
            Err(failure) => refused = refused.or(Some(failure)),
        }
    }
    let name = Path::new(name);
    Err(refused.unwrap_or_else(|| {
        let hint = match name.exists() {
            true => format!("; for the one in this folder say ./{}", name.display()),
            false => String::new(),
        };
        Failure::not_found(format!("there is no program `{}` on the PATH{hint}", name.display()))
    }))
}

/// Returns the words of a command that starts a program: a Python script that is not executable is
/// run by `python3`, like `python3 SCRIPT`.
pub fn words(command: &[OsString]) -> Vec<OsString> {
    let script = Path::new(&command[0]);
    let is_python = script.extension().is_some_and(|end| end == "py") && script.is_file();
    let before = (is_python && executable(script).is_err()).then(|| OsString::from("python3"));
    before.into_iter().chain(command.iter().cloned()).collect()
}

fn executable(path: &Path) -> Result<(), Failure> {
    let metadata = std::fs::metadata(path).map_err(|error| {
        Failure::not_executable(format!("cannot execute {}: {error}", path.display()))
    })?;
    if metadata.is_dir() {
        return Err(Failure::not_executable(format!("{} is a folder", path.display())));
    }
    let text = CString::new(path.as_os_str().as_bytes()).unwrap_or_default();
    // SAFETY: `text` is a terminated string that outlives the call.
    if unsafe { libc::access(text.as_ptr(), libc::X_OK) } != 0 {
        let error = std::io::Error::last_os_error();
        return Err(Failure::not_executable(format!(
            "{} is not executable ({error}); if it is a program, `chmod +x` makes it so",
            path.display()
        )));
    }
    Ok(())
}

/// Finds the subject of `omphalos doctor`: a program, or a shared library, which need not be
/// executable and may have a name without a slash.
pub fn find_any(name: &OsStr) -> Result<PathBuf, Failure> {
    find(name).or_else(|failure| {
        // The loader, too, searches for a name without a slash.
        let path = Path::new(".").join(name);
        match elf::read(&path) {
            Ok(elf) if elf.start == Start::Library => Ok(path),
            _ => Err(failure),
        }
    })
}

/// Refuses programs into which our libraries would not get, because the loader would not load them.
pub fn obstacles(path: &Path) -> Result<(), Failure> {
    check_to(path, SCRIPT_DEPTH)
}

/// Refuses programs that cannot run on Omphalos. Returns the libraries that insist on being loaded
/// before all others, even ours: GCC's sanitizers.
pub fn check(path: &Path) -> Result<Vec<String>, Failure> {
    obstacles(path)?;
    let Ok(elf) = elf::read(path) else { return Ok(Vec::new()) };
    // A dynamic loader is a library that can be started.
    let is_loader = elf.soname.is_some_and(|name| name.starts_with("ld-"));
    if elf.start == Start::Library && !is_loader {
        return Err(Failure::not_executable(format!(
            "{0} is a shared library, not a program: name the program that loads it; `omphalos \
             doctor {0}` says what it needs",
            path.display()
        )));
    }
    Ok(elf
        .needed
        .into_iter()
        .filter(|name| FIRST.iter().any(|first| name.starts_with(first)))
        .collect())
}

fn check_to(path: &Path, depth: usize) -> Result<(), Failure> {
    check_privileges(path)?;
    match elf::read(path) {
        Ok(elf) => match elf.start {
            Start::Static => Err(Failure::ours(format!(
                "{} is statically linked: its OpenMP runtime cannot be replaced; link it \
                 dynamically (without -static) to run it on Omphalos",
                path.display()
            ))),
            Start::Dynamic(loader) => check_loader(path, &loader),
            Start::Library => Ok(()),
        },
        Err(NotRead::OtherMachine) => Err(Failure::ours(format!(
            "{} is not a 64-bit x86 program: compile it for x86-64 to run it on Omphalos",
            path.display()
        ))),
        Err(NotRead::NotElf) => match interpreter(path) {
            Some(interpreter) => check_interpreter(path, &interpreter, depth),
            // The C library passes a file of unknown kind to /bin/sh.
            None => Ok(()),
        },
        // A program may be executable without being readable: the kernel decides.
        Err(NotRead::Broken(_)) => Ok(()),
    }
}

fn check_loader(path: &Path, loader: &str) -> Result<(), Failure> {
    if !Path::new(loader).exists() {
        return Err(Failure::not_executable(format!(
            "{} wants the dynamic loader {loader}, which is not on this machine: compile it here, \
             or install that C library",
            path.display()
        )));
    }
    if loader.contains("ld-musl") {
        return Err(Failure::ours(format!(
            "{} is built for the C library musl: compile it for glibc (with gcc or clang, not \
             musl-gcc) to run it on Omphalos",
            path.display()
        )));
    }
    Ok(())
}

fn check_interpreter(path: &Path, interpreter: &Path, depth: usize) -> Result<(), Failure> {
    if !interpreter.exists() {
        return Err(Failure::not_executable(format!(
            "{} is a script for {}, which is not on this machine",
            path.display(),
            interpreter.display()
        )));
    }
    if depth == 0 {
        return Ok(());
    }
    match check_to(interpreter, depth - 1) {
        // A static shell can still start dynamic programs: they inherit the environment.
        Err(failure) if !failure.message.contains("statically linked") => Err(failure),
        _ => Ok(()),
    }
}

/// The loader ignores LD_PRELOAD and LD_LIBRARY_PATH where a program gains privileges.
fn check_privileges(path: &Path) -> Result<(), Failure> {
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(()) };
    // SAFETY: these calls have no preconditions.
    let (user, group) = unsafe { (libc::getuid(), libc::getgid()) };
    let mode = metadata.permissions().mode();
    let gains = if mode & libc::S_ISUID != 0 && metadata.uid() != user {
        "setuid"
    } else if mode & libc::S_ISGID != 0 && mode & libc::S_IXGRP != 0 && metadata.gid() != group {
        "setgid"
    } else if user != 0 && has_capabilities(path) {
        "given file capabilities"
    } else {
        return Ok(());
    };
    Err(Failure::ours(format!(
        "{} is {gains}: the loader ignores LD_PRELOAD and LD_LIBRARY_PATH for it, so it would not \
         run on Omphalos; run it as its owner, run a copy without the privilege, or give Omphalos \
         to all programs with ldconfig (README.md, Install)",
        path.display()
    )))
}

fn has_capabilities(path: &Path) -> bool {
    let text = CString::new(path.as_os_str().as_bytes()).unwrap_or_default();
    // SAFETY: both strings are terminated; a null buffer of size 0 asks for the size only.
    let size = unsafe {
        libc::getxattr(text.as_ptr(), c"security.capability".as_ptr(), std::ptr::null_mut(), 0)
    };
    size > 0
}

/// Returns the interpreter in a script's first line, and, if that is `env`, the program that it
/// finds on the PATH.
pub fn interpreters(path: &Path) -> Vec<PathBuf> {
    let Some(first) = interpreter(path) else { return Vec::new() };
    let mut all = vec![first];
    if all[0].file_name() == Some(OsStr::new("env")) {
        let line = first_line(path).unwrap_or_default();
        let mut words = line.split(|byte| byte.is_ascii_whitespace()).filter(|w| !w.is_empty());
        // After the path: options and settings, then the program's name.
        let name = words.nth(1).into_iter().chain(words);
        let name = name
            .map(OsStr::from_bytes)
            .find(|word| !word.as_bytes().starts_with(b"-") && !word.as_bytes().contains(&b'='));
        all.extend(name.and_then(|name| find(name).ok()));
    }
    all
}

/// Returns the interpreter in a script's first line.
fn interpreter(path: &Path) -> Option<PathBuf> {
    let line = first_line(path)?;
    let name = line.split(|byte| byte.is_ascii_whitespace()).next()?;
    (!name.is_empty()).then(|| PathBuf::from(OsStr::from_bytes(name)))
}

/// Returns the text after `#!`.
fn first_line(path: &Path) -> Option<Vec<u8>> {
    use std::io::Read;
    let mut start = [0; 256];
    let length = std::fs::File::open(path).ok()?.read(&mut start).ok()?;
    let line = start[..length].split(|byte| *byte == b'\n').next()?.strip_prefix(b"#!")?;
    Some(line.trim_ascii().to_owned())
}
