//! What doctor finds out about programs.

use std::path::Path;

use crate::common::{compile, finish, folder, hollow_tree, of_tree, stdout};

const REGION: &str = "#include <omp.h>\nint n; int main(void) {\n#pragma omp parallel\n\
                      n = omp_get_num_threads();\nreturn 0; }";

fn doctor(tree: &Path, program: &Path) -> (i32, String) {
    let output = finish(of_tree(tree).arg("doctor").arg(program));
    (output.status.code().unwrap(), stdout(&output))
}

#[test]
fn a_gcc_program_and_what_a_hollow_runtime_lacks() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let program = folder.path().join("region");
    compile("gcc", folder.path(), REGION, &["-fopenmp"], &program);
    let (status, said) = doctor(&tree, &program);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("uses 1 of GCC's interface"), "{said}");
    assert!(said.contains("uses 1 of the omp_* routines"), "{said}");
    assert!(
        said.contains("lacks entry points: GOMP_parallel@GOMP_4.0 omp_get_num_threads@OMP_1.0")
    );
    assert!(said.contains("on its own       libgomp.so.1 =>"), "{said}");
    assert!(said.contains("loaded too but not used"), "{said}");
}

#[test]
fn a_program_without_openmp_and_a_script() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let program = folder.path().join("plain");
    compile("gcc", folder.path(), "int main(void) { return 0; }", &[], &program);
    let (_, said) = doctor(&tree, &program);
    assert!(said.contains("OpenMP           none"), "{said}");
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (_, said) = doctor(&tree, &script);
    assert!(said.contains("a script for /bin/sh"), "{said}");
}

#[test]
fn the_machine_and_the_environment() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let output = finish(of_tree(&tree).arg("doctor").env("OMP_SCHEDULE", "guided"));
    let said = stdout(&output);
    for part in ["processors", "samples a second", "OMP_SCHEDULE", "guided"] {
        assert!(said.contains(part), "{said}");
    }
}
