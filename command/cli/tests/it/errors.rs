//! The commands that omphalos refuses, each with one clear line and the right exit status.

use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

use crate::common::{bare, compile, finish, folder, stderr};

/// Checks the exit status and that stderr is one line that holds all of `parts`.
fn refuses(command: &mut Command, status: i32, parts: &[&str]) {
    let output = finish(command);
    let line = stderr(&output);
    assert_eq!(output.status.code(), Some(status), "{command:?} said: {line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    for part in parts {
        assert!(line.contains(part), "{line:?} does not hold {part:?}");
    }
}

fn program(path: &Path, mode: u32) {
    std::fs::write(path, "#!/bin/sh\nexit 0\n").unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn a_missing_program_is_127() {
    for verb in ["run", "profile"] {
        refuses(
            bare().args([verb, "no-such-program"]),
            127,
            &["no program `no-such-program`", "PATH"],
        );
        refuses(bare().args([verb, "./no/such"]), 127, &["no program ./no/such"]);
        refuses(bare().args([verb, ""]), 127, &["empty"]);
    }
}

#[test]
fn a_program_of_this_folder_needs_a_slash() {
    let folder = folder();
    program(&folder.path().join("app"), 0o755);
    refuses(bare().current_dir(&folder).args(["run", "app"]), 127, &["say ./app"]);
}

#[test]
fn what_cannot_be_executed_is_126() {
    let folder = folder();
    let text = folder.path().join("text");
    program(&text, 0o644);
    refuses(bare().arg("run").arg(&text), 126, &["not executable", "chmod +x"]);
    refuses(bare().arg("run").arg(folder.path()), 126, &["is a folder"]);
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    refuses(bare().arg("run").arg(&script), 126, &["script for /no/such/interpreter"]);
}

#[test]
fn a_static_program_is_refused() {
    let folder = folder();
    for (name, flags) in [("static", ["-static"]), ("static-pie", ["-static-pie"])] {
        let path = folder.path().join(name);
        compile("gcc", folder.path(), "int main(void) { return 0; }", &flags, &path);
        for verb in ["run", "profile"] {
            refuses(bare().arg(verb).arg(&path), 125, &[name, "is statically linked", "replaced"]);
        }
    }
}

#[test]
fn a_library_is_no_program() {
    let folder = folder();
    let path = folder.path().join("module.so");
    compile("gcc", folder.path(), "int nothing;", &["-shared", "-fPIC"], &path);
    for verb in ["run", "profile"] {
        let parts = ["module.so is a shared library", "the program that loads it"];
        refuses(bare().arg(verb).arg(&path), 126, &parts);
    }
}

#[test]
fn a_setuid_program_is_refused() {
    let folder = folder();
    let mut path = folder.path().join("setuid");
    compile("gcc", folder.path(), "int main(void) { return 0; }", &[], &path);
    if chown(&path, Some(65534), Some(65534)).is_ok() {
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o4755)).unwrap();
    } else {
        // Not root: `su` is setuid root wherever there are users.
        path = "/bin/su".into();
    }
    refuses(bare().arg("run").arg(&path), 125, &["is setuid", "LD_PRELOAD", "ldconfig"]);
}

#[test]
fn a_program_of_another_machine_is_refused() {
    let folder = folder();
    // Files for ARM, for x86 with 32 bits, and for x86-64 with addresses of 32 bits.
    for (name, class, machine) in [("arm", 2, 183), ("i386", 1, 3), ("x32", 1, 62)] {
        let path = folder.path().join(name);
        let mut header = vec![0x7f, b'E', b'L', b'F', class, 1, 1, 0];
        header.resize(64, 0);
        header[16] = 2;
        header[18] = machine;
        std::fs::write(&path, header).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        for verb in ["run", "profile"] {
            refuses(bare().arg(verb).arg(&path), 125, &[name, "not a 64-bit x86 program"]);
        }
    }
}

#[test]
fn a_program_for_musl_is_refused() {
    let folder = folder();
    let (path, loader) = (folder.path().join("musl"), folder.path().join("ld-musl-x86_64.so.1"));
    std::fs::write(&loader, "").unwrap();
    let flag = format!("-Wl,--dynamic-linker={}", loader.display());
    compile("gcc", folder.path(), "int main(void) { return 0; }", &[flag.as_str()], &path);
    for verb in ["run", "profile"] {
        refuses(bare().arg(verb).arg(&path), 125, &["built for the C library musl", "glibc"]);
    }
    std::fs::remove_file(&loader).unwrap();
    refuses(bare().arg("run").arg(&path), 126, &["ld-musl", "not on this machine"]);
}

#[test]
fn a_wrong_command_line_is_125() {
    for arguments in [&["run"][..], &["nonsense"], &["profile", "--hz", "0", "true"], &[]] {
        assert_eq!(finish(bare().args(arguments)).status.code(), Some(125), "{arguments:?}");
    }
    assert_eq!(finish(bare().arg("--help")).status.code(), Some(0));
    assert_eq!(finish(bare().arg("--version")).status.code(), Some(0));
}

#[test]
fn without_its_libraries_it_says_where_they_should_be() {
    let parts = ["runtime is not at", "lib/libomphalos.so", "install Omphalos anew"];
    refuses(bare().args(["run", "true"]), 125, &parts);
}

#[test]
fn an_unreadable_profile_is_125() {
    let folder = folder();
    refuses(bare().args(["report", "/no/such.omph"]), 125, &["/no/such.omph"]);
    let other = folder.path().join("other");
    std::fs::write(&other, "this is no profile, whatever its name says\n").unwrap();
    refuses(bare().arg("report").arg(&other), 125, &[other.to_str().unwrap(), "profile"]);
    refuses(bare().arg("report").arg(folder.path()), 125, &[folder.path().to_str().unwrap()]);
}

#[test]
fn no_time_at_all_is_not_measured() {
    for words in [&["attach", "--for", "0s", "1"][..], &["profile", "--for", "0", "true"]] {
        let output = finish(bare().args(words));
        let said = stderr(&output);
        let begin = format!("error: invalid value '{}' for '--for <TIME>': ", words[2]);
        assert!(!output.status.success() && said.starts_with(&begin), "{words:?}: {said}");
        assert!(said.contains("it should be longer than nothing\n"), "{said}");
    }
}
