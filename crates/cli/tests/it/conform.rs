//! `omphalos conform` on the installed tree: the runtime keeps what OMPT promises, with binaries of
//! both compilers.

use crate::common::{finish, installed_tree, of_tree, stderr, stdout};

#[test]
fn the_runtime_keeps_what_ompt_promises() {
    let mut command = of_tree(&installed_tree());
    command.args(["conform", "--cc", "gcc", "--cc", "clang-19"]);
    let output = finish(&mut command);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(!text.contains("FAULT") && text.contains("libomphalos.so/clang-19"), "{text}");
}

#[test]
fn rows_that_are_not_there_are_named() {
    let output = finish(of_tree(&installed_tree()).args(["conform", "barier"]));
    assert_eq!(output.status.code(), Some(125));
    assert!(stderr(&output).contains("no row's name contains `barier`"));
}
