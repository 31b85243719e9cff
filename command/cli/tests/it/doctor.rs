//! The findings of doctor about programs.

use std::path::Path;

use crate::common::{compile, finish, folder, hollow_tree, installed_tree, of_tree, stdout};

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
    // `omphalos run` has Python run it.
    let script = folder.path().join("script.py");
    std::fs::write(&script, "print()\n").unwrap();
    let (_, said) = doctor(&tree, &script);
    assert!(said.contains("a script for python3") && said.contains("/python3\n"), "{said}");
}

#[test]
fn findings_are_there_for_programs() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let program = folder.path().join("plain");
    compile("gcc", folder.path(), "int main(void) { return 0; }", &[], &program);
    let output = finish(of_tree(&tree).args(["doctor", "--json"]).arg(&program));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let problems = found["problems"].as_array().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(!problems.is_empty())));
    let sections = found["sections"].as_array().unwrap();
    let last = sections.last().unwrap();
    assert_eq!(last["title"], format!("Program {}", program.display()));
    let openmp = last["found"].as_array().unwrap().iter().find(|line| line["name"] == "OpenMP");
    let openmp = openmp.unwrap()["value"].as_str().unwrap();
    assert!(openmp.starts_with("none in it or its libraries"), "{openmp}");
    let file = folder.path().join("found.json");
    let to_file = format!("--json={}", file.display());
    let output = finish(of_tree(&tree).args(["doctor", &to_file]).arg(&program));
    assert!(stdout(&output).is_empty() && file.is_file());
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

/// Returns doctor's line about a way, or about anything with another name.
fn line<'a>(said: &'a str, name: &str) -> &'a str {
    let found = said.lines().find_map(|line| line.trim().strip_prefix(name));
    found.unwrap_or_else(|| panic!("no line {name}: {said}")).trim()
}

/// Builds `module.so`, which has its runtime in `module.libs` under a name like a wheel's.
fn module(folder: &Path, flags: &[&str]) -> std::path::PathBuf {
    let libraries = folder.join("module.libs");
    std::fs::create_dir_all(&libraries).unwrap();
    let bundled = libraries.join("libgomp-a34b3233.so.1.0.0");
    let name = ["-shared", "-fPIC", "-Wl,-soname,libgomp-a34b3233.so.1.0.0"];
    compile("gcc", folder, "void GOMP_barrier(void) {}", &name, &bundled);
    let module = folder.join("module.so");
    // The linker leaves out libraries that nothing before them needs (`--as-needed`), and the
    // source that needs this one comes after it.
    let mut all = vec!["-shared", "-fPIC", "-Wl,--no-as-needed", bundled.to_str().unwrap()];
    all.extend(flags);
    let source = "void GOMP_barrier(void); void f(void) { GOMP_barrier(); }";
    compile("gcc", folder, source, &all, &module);
    module
}

#[test]
fn a_module_with_a_bundled_runtime() {
    let (folder, tree) = (folder(), installed_tree());
    let rpath = "-Wl,--disable-new-dtags,-rpath,$ORIGIN/module.libs";
    let module = module(folder.path(), &[rpath]);
    std::fs::set_permissions(&module, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    // A library needs neither a slash nor the permission to be executed.
    let mut command = of_tree(&tree);
    let output = finish(command.current_dir(folder.path()).args(["doctor", "module.so"]));
    let said = stdout(&output);
    assert!(!said.contains("statically"), "{said}");
    assert!(line(&said, "kind").starts_with("a shared library"), "{said}");
    assert!(line(&said, "on its own").contains("module.libs/libgomp-a34b3233"), "{said}");
    assert!(said.contains("loaded too but not used"), "{said}");
    for way in ["LD_LIBRARY_PATH", "ldconfig"] {
        let verdict = line(&said, way);
        assert!(verdict.starts_with("does not serve it: libgomp-a34b3233.so.1.0.0: "), "{said}");
        assert!(verdict.ends_with("RPATH $ORIGIN/module.libs"), "{said}");
    }
    assert!(line(&said, "omphalos run").starts_with("serves it"), "{said}");
}

#[test]
fn a_module_that_names_no_runtime() {
    let (folder, tree) = (folder(), installed_tree());
    let module = folder.path().join("module.so");
    let source = "void GOMP_barrier(void); void f(void) { GOMP_barrier(); }";
    compile("gcc", folder.path(), source, &["-shared", "-fPIC"], &module);
    let (status, said) = doctor(&tree, &module);
    assert_eq!(status, 0, "{said}");
    assert!(line(&said, "kind").starts_with("a shared library"), "{said}");
    assert!(line(&said, "on its own").starts_with("it names no OpenMP runtime"), "{said}");
}

#[test]
fn which_way_serves_a_program() {
    let (folder, tree) = (folder(), installed_tree());
    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::os::unix::fs::symlink(
        "/usr/lib/x86_64-linux-gnu/libgomp.so.1",
        other.join("libgomp.so.1"),
    )
    .unwrap();
    let compiled = |name: &str, flags: &[&str]| {
        let program = folder.path().join(name);
        compile("gcc", folder.path(), REGION, flags, &program);
        doctor(&tree, &program).1
    };
    let (rpath, runpath) = ("--disable-new-dtags", "--enable-new-dtags");
    let said = compiled("plain", &["-fopenmp"]);
    assert_eq!(
        (line(&said, "LD_LIBRARY_PATH"), line(&said, "ldconfig")),
        ("serves it", "serves it")
    );
    let flag = format!("-Wl,{rpath},-rpath,$ORIGIN/other");
    let said = compiled("rpath", &["-fopenmp", &flag]);
    for way in ["LD_LIBRARY_PATH", "ldconfig"] {
        let wanted = "libgomp.so.1: rpath finds it in its RPATH $ORIGIN/other";
        assert!(line(&said, way).ends_with(wanted), "{said}");
    }
    let flag = format!("-Wl,{runpath},-rpath,$ORIGIN/other");
    let said = compiled("runpath", &["-fopenmp", &flag]);
    assert_eq!(line(&said, "LD_LIBRARY_PATH"), "serves it", "{said}");
    assert!(line(&said, "ldconfig").ends_with("finds it in its RUNPATH $ORIGIN/other"), "{said}");
    // A library without a name of its own is asked for by the path with which it was linked.
    let nameless = folder.path().join("libgomp.so.1");
    let source = "void GOMP_parallel(void) {} int omp_get_num_threads(void) { return 1; }";
    compile("gcc", folder.path(), source, &["-shared", "-fPIC"], &nameless);
    let nameless = nameless.to_str().unwrap();
    let flags = ["-fopenmp", "-Wl,--no-as-needed", nameless, "-Wl,--as-needed"];
    let said = compiled("path", &flags);
    for way in ["LD_LIBRARY_PATH", "ldconfig"] {
        assert!(line(&said, way).ends_with("path names it by its path"), "{said}");
    }
    assert!(line(&said, "omphalos run").starts_with("serves it"), "{said}");
}

#[test]
fn a_wrapper_that_sets_the_loaders_path() {
    let (folder, tree) = (folder(), installed_tree());
    let program = folder.path().join("region");
    compile("gcc", folder.path(), REGION, &["-fopenmp"], &program);
    let script = folder.path().join("wrapper");
    let text = format!(
        "#!/bin/sh\nHOME_DIR={}\nexport LD_LIBRARY_PATH=/usr/lib:$LD_LIBRARY_PATH\n\
         exec $debugger \"${{HOME_DIR}}/region\" \"$@\"\n",
        folder.path().display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (_, said) = doctor(&tree, &script);
    let set = format!("may not serve it: set by {}, line 3", script.display());
    assert_eq!(line(&said, "LD_LIBRARY_PATH"), set);
    assert_eq!(line(&said, "starts"), program.display().to_string());
    assert!(said.contains(&format!("Program {}", program.display())), "{said}");
    // The program that `env` finds is examined as well.
    std::fs::write(&script, "#!/usr/bin/env -S python3 -E\n").unwrap();
    let (_, said) = doctor(&tree, &script);
    assert!(line(&said, "kind").contains("/usr/bin/env, which finds /"), "{said}");
    assert!(said.lines().any(|line| line.starts_with("Program ") && line.contains("python3")));
}
