//! The tools that the tests share: folders of their own, compilers, and installed trees.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that is removed with the test.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The program under test, as cargo built it: without libraries beside it.
pub fn bare() -> Command {
    clean(Command::new(env!("CARGO_BIN_EXE_omphalos")))
}

/// A tree with the program under test and libraries that do nothing: enough to see the effect of
/// the program on the processes that it starts.
pub fn hollow_tree(folder: &Path) -> PathBuf {
    let tree = folder.join("tree");
    std::fs::create_dir_all(tree.join("bin")).unwrap();
    std::fs::create_dir_all(tree.join("lib/omphalos")).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_omphalos"), tree.join("bin/omphalos")).unwrap();
    for library in ["lib/libomphalos.so", "lib/omphalos/libomphalos_agent.so"] {
        compile("gcc", folder, "int hollow;", &["-shared", "-fPIC"], &tree.join(library));
    }
    tree
}

/// The program of a tree.
pub fn of_tree(tree: &Path) -> Command {
    clean(Command::new(tree.join("bin/omphalos")))
}

/// The tree that `cargo xtask dist` laid out.
pub fn installed_tree() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("target/tmp");
    let tree = std::env::var_os("OMPHALOS_DIST").map_or_else(|| target.join("dist"), PathBuf::from);
    let program = tree.join("bin/omphalos");
    assert!(
        program.is_file(),
        "{} is not there: `cargo xtask test` makes it, or `cargo xtask dist`",
        program.display()
    );
    tree
}

/// Compiles C source with `-O2 -g` and `flags`.
pub fn compile(compiler: &str, folder: &Path, source: &str, flags: &[&str], output: &Path) {
    let name = output.file_name().unwrap().to_string_lossy().into_owned() + ".c";
    let file = folder.join(name);
    std::fs::write(&file, source).unwrap();
    let compiled = Command::new(compiler)
        .args(["-O2", "-g"])
        .args(flags)
        .arg("-o")
        .arg(output)
        .arg(&file)
        .output()
        .unwrap_or_else(|error| panic!("cannot start {compiler}: {error}"));
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

/// Runs to the end.
pub fn finish(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"))
}

/// The text on stdout.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The text on stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Removes the variables that the test's own surroundings set for OpenMP programs.
pub fn clean(mut command: Command) -> Command {
    for name in ["LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_TOOL", "OMP_TOOL_LIBRARIES"] {
        command.env_remove(name);
    }
    command.env("OMP_NUM_THREADS", "2");
    command
}
