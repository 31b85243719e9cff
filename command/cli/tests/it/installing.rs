//! `omphalos install` and `uninstall`, for a user and for an environment: shown first, once however
//! often, and undone without a trace.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{clean, finish, folder, hollow_tree, of_tree, stderr, stdout};

/// The program of a tree, for a user with this home and shell.
fn of_user(tree: &Path, home: &Path, shell: &str) -> Command {
    let mut command = of_tree(tree);
    command.env("HOME", home).env("SHELL", shell).env("PATH", "/usr/bin:/bin");
    for name in ["ZDOTDIR", "XDG_CONFIG_HOME", "VIRTUAL_ENV", "CONDA_PREFIX"] {
        command.env_remove(name);
    }
    command.stdin(std::process::Stdio::null());
    command
}

#[test]
fn a_users_file_is_as_before() {
    let folder = folder();
    let (tree, home) = (hollow_tree(folder.path()), folder.path());
    for (shell, file) in [("bash", ".bashrc"), ("/usr/bin/zsh", ".zshenv"), ("/bin/sh", ".profile")]
    {
        let file = home.join(file);
        for before in [Some("alias x=y"), Some("a\nb\n"), None] {
            let _ = fs::remove_file(&file);
            if let Some(before) = before {
                fs::write(&file, before).unwrap();
            }
            let mut asked = of_user(&tree, home, shell);
            let output = finish(asked.args(["install", "--for-user"]));
            assert_eq!(output.status.code(), Some(125), "{}", stdout(&output));
            assert!(stdout(&output).contains("LD_LIBRARY_PATH"), "{}", stdout(&output));
            assert!(stderr(&output).contains("say --yes"), "{}", stderr(&output));
            assert_eq!(fs::read_to_string(&file).ok().as_deref(), before);

            let install = || {
                let mut command = of_user(&tree, home, shell);
                finish(command.args(["install", "--for-user", "--yes"]))
            };
            assert_eq!(install().status.code(), Some(0));
            let once = fs::read_to_string(&file).unwrap();
            assert!(stdout(&install()).contains("there already"));
            assert_eq!(fs::read_to_string(&file).unwrap(), once);
            let doctor = stdout(&finish(of_user(&tree, home, shell).arg("doctor")));
            let said = doctor.lines().find(|line| line.contains("your programs"));
            assert!(said.unwrap().ends_with(file.to_str().unwrap()), "{doctor}");

            let mut command = of_user(&tree, home, shell);
            let output = finish(command.args(["uninstall", "--for-user", "--yes"]));
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            assert_eq!(fs::read_to_string(&file).ok().as_deref(), before);
        }
    }
}

/// A new shell of the user's has the folder of the names first, once, and the program.
#[test]
fn a_new_shell_has_it() {
    let folder = folder();
    let (tree, home) = (hollow_tree(folder.path()), folder.path());
    let mut command = of_user(&tree, home, "bash");
    assert!(finish(command.args(["install", "--for-user", "--yes"])).status.success());
    let shown = "echo $LD_LIBRARY_PATH; command -v omphalos";
    let shell = format!("bash --rcfile '{}' -ic '{shown}'", home.join(".bashrc").display());
    let mut command = clean(Command::new("bash"));
    command.args(["--rcfile", home.join(".bashrc").to_str().unwrap(), "-ic", &shell]);
    command.env("HOME", home).env("PATH", "/usr/bin:/bin").env("LD_LIBRARY_PATH", "/other");
    let output = finish(&mut command);
    let wanted = format!("{0}/lib/ldconfig:/other\n{0}/bin/omphalos\n", tree.display());
    assert_eq!(stdout(&output), wanted, "{}", stderr(&output));
}

/// A second tree takes the first one's place.
#[test]
fn a_later_version_takes_the_place() {
    let (folder, other) = (folder(), crate::common::folder());
    let (first, second) = (hollow_tree(folder.path()), hollow_tree(other.path()));
    let home = folder.path();
    for tree in [&first, &second] {
        let mut command = of_user(tree, home, "bash");
        assert!(finish(command.args(["install", "--for-user", "--yes"])).status.success());
    }
    let text = fs::read_to_string(home.join(".bashrc")).unwrap();
    assert!(text.contains(second.to_str().unwrap()), "{text}");
    assert!(!text.contains(first.to_str().unwrap()), "{text}");
}

#[test]
fn an_environments_python_loads_it() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let environment = folder.path().join("environment");
    let site = environment.join("lib/python3.12/site-packages");
    fs::create_dir_all(&site).unwrap();
    let install = |verb: &str| {
        let mut command = of_user(&tree, folder.path(), "bash");
        finish(command.args([verb, "--yes", "--for-venv"]).arg(&environment))
    };
    let output = install("install");
    assert!(stderr(&output).contains("is no Python environment"), "{}", stderr(&output));
    fs::write(environment.join("pyvenv.cfg"), "").unwrap();
    assert_eq!(install("install").status.code(), Some(0));
    assert!(stdout(&install("install")).contains("there already"));
    let script =
        "import site, sys; site.addsitedir(sys.argv[1]); print(open('/proc/self/maps').read())";
    let mut python = clean(Command::new("python3"));
    let maps = stdout(&finish(python.args(["-c", script]).arg(&site)));
    assert!(maps.contains(tree.join("lib/libomphalos.so").to_str().unwrap()), "{maps}");
    assert_eq!(install("uninstall").status.code(), Some(0));
    assert_eq!(fs::read_dir(&site).unwrap().count(), 0);
    // The active environment need not be named.
    for verb in ["install", "uninstall"] {
        let mut command = of_user(&tree, folder.path(), "bash");
        command.env("VIRTUAL_ENV", &environment).args([verb, "--for-venv", "--yes"]);
        assert!(stdout(&finish(&mut command)).contains(site.to_str().unwrap()), "{verb}");
    }
    let mut command = of_user(&tree, folder.path(), "bash");
    let output = finish(command.args(["install", "--for-venv", "--yes"]));
    assert!(stderr(&output).contains("no environment is active"), "{}", stderr(&output));
    assert!(stdout(&install("uninstall")).contains("nothing of it"));
}

#[test]
fn one_scope_is_asked_for() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    for arguments in [&["install"][..], &["install", "--for-user", "--as", "libgomp"]] {
        let mut command = of_user(&tree, folder.path(), "bash");
        assert_eq!(finish(command.args(arguments)).status.code(), Some(125), "{arguments:?}");
    }
}

#[test]
fn a_script_of_python_needs_no_mode() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let script = folder.path().join("app.py");
    fs::write(&script, "import sys; print(sys.argv[1]); sys.exit(3)\n").unwrap();
    let output = finish(of_tree(&tree).arg("run").arg(&script).arg("word"));
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("word\n", Some(3)));
}
