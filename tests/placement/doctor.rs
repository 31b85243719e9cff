//! `omphalos doctor --placement`, in front of the programs whose placements are planted and of
//! commands that set something themselves.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::truth::schema;
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

use super::{PLANTED, WELL, build, cpus, filled, omphalos};

pub fn tests() -> Vec<Trial> {
    vec![
        suite::test("placement::doctor::as_the_threads_are", as_the_threads_are),
        suite::test("placement::doctor::behind_a_command", behind_a_command),
        suite::test("placement::doctor::crowd_of_ranks", crowd_of_ranks),
        suite::test("placement::doctor::sets_by_script", sets_by_script),
        suite::test("placement::doctor::refused_places", refused_places),
    ]
}

/// Returns the problems that `doctor --placement` names with these words behind it.
fn problems(
    words: &[&str],
    environment: &[(&str, &str)],
    folder: &Path,
) -> Result<Vec<String>, String> {
    let rest = ["doctor", "--placement", "--json=found.json"];
    let mut command = std::process::Command::new(paths::omphalos());
    command.args(rest).args(words).current_dir(folder);
    command.env("OMP_NUM_THREADS", "2").envs(environment.iter().copied());
    let outcome = exec::run(&mut command)?;
    let text = fs::read_to_string(folder.join("found.json"));
    let text = text.map_err(|error| format!("{error}: {}", outcome.describe()))?;
    let found: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let said = found["problems"].as_array().cloned().unwrap_or_default();
    Ok(said.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect())
}

/// Tests that the first problems contain these texts, in this order.
fn has_first(problems: &[String], expected: &[&str]) -> Result<(), String> {
    let holds = |(at, begin): (usize, &&str)| {
        problems.get(at).is_some_and(|problem| problem.contains(begin))
    };
    match expected.iter().enumerate().all(holds) {
        true => Ok(()),
        false => Err(format!("not {expected:?}: {problems:#?}")),
    }
}

/// Tests that `doctor` names a command in front of the program, whose settings it does not know.
/// Arguments of a program may begin with a dash.
fn behind_a_command() -> Result<(), String> {
    let folder = paths::scratch("placement doctor command");
    let binary = build(Compiler::Gcc)?;
    let binary = binary.to_string_lossy();
    let of = |words: &[&str]| problems(words, &[], &folder);
    let said = of(&["taskset", "-c", "0", &binary, "-n", "5"])?;
    let cure = format!("taskset -c 0 omphalos doctor --placement {binary} -n 5");
    has_first(&said, &[&cure])?;
    has_first(&of(&["env", "OMP_PLACES={0}", &binary])?, &["env starts "])?;
    let said = of(&[&binary, "-n", "5", "/bin/ls"])?;
    if said.iter().any(|problem| problem.contains(" starts ")) {
        return Err(format!("a program's arguments are its own: {said:#?}"));
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

/// Tests that `doctor` under a launcher names more threads of all ranks than the node has CPUs.
fn crowd_of_ranks() -> Result<(), String> {
    let online = exec::run(std::process::Command::new("getconf").arg("_NPROCESSORS_ONLN"))?;
    if online.stdout.trim() != cpus().len().to_string() || cpus().len() < 2 {
        eprintln!("a crowd of ranks: the test may use some of the CPUs only");
        return Ok(());
    }
    let folder = paths::scratch("placement doctor ranks");
    for name in ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"] {
        let said = problems(&[], &[(name, "1000")], &folder)?;
        let crowd = "started 1000 ranks on this node: with 2 threads each that is 2000 threads";
        has_first(&said, &[crowd])?;
        if !problems(&[], &[(name, "1")], &folder)?.is_empty() {
            return Err("one rank on a node is no crowd".to_owned());
        }
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

/// Tests that `doctor` names a script's settings, which it does not know.
fn sets_by_script() -> Result<(), String> {
    let folder = paths::scratch("placement doctor script");
    let script = folder.join("start.sh");
    let text = "#!/bin/sh\nexport OMP_PLACES={0} OMP_NUM_THREADS=2\nexec ./app\n";
    fs::write(&script, text).map_err(|error| error.to_string())?;
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&script, mode).map_err(|error| error.to_string())?;
    let said = problems(&["./start.sh"], &[], &folder)?;
    has_first(
        &said,
        &["sets OMP_PLACES (./start.sh, line 2), OMP_NUM_THREADS (./start.sh, line 2)"],
    )?;
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

/// Tests that `doctor` names places that the machine does not have as the cause, and not that
/// threads are not bound.
fn refused_places() -> Result<(), String> {
    let folder = paths::scratch("placement doctor refused");
    let binary = build(Compiler::Gcc)?;
    let said = problems(&[&binary.to_string_lossy()], &[("OMP_PLACES", "{9999}")], &folder)?;
    has_first(&said, &["the runtime says: "])?;
    if said.iter().any(|problem| problem.contains("has no effect")) {
        return Err(format!("the places are refused: {said:#?}"));
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

/// Tests that `doctor` foretells the placement that the program's threads then find, and calls a
/// bad one a problem.
fn as_the_threads_are() -> Result<(), String> {
    let folder = paths::scratch("placement doctor");
    let binary = build(Compiler::Gcc)?;
    for (_, words, environment, _, says) in PLANTED.iter().chain(WELL) {
        // `doctor` cannot know what the program itself does later.
        if says.starts_with("the program") {
            continue;
        }
        let rest = ["doctor", "--placement", "--json=found.json", "--"];
        let Some(mut command) = omphalos(words, &rest, &folder) else { return Ok(()) };
        command.env("OMP_NUM_THREADS", "2");
        for (variable, value) in *environment {
            command.env(variable, filled(value).unwrap_or_default());
        }
        let outcome = exec::run(command.arg(&binary).arg("an argument"))?;
        let text = fs::read_to_string(folder.join("found.json"));
        let text = text.map_err(|error| format!("{error}: {}", outcome.describe()))?;
        let found: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let faults = schema::faults_of("doctor", &found);
        if !faults.is_empty() {
            return Err(format!("{}\n{found:#}", faults.join("\n")));
        }
        let threads = found["placement"]["threads"].as_array().map_or(0, Vec::len);
        let problems = found["problems"].as_array().cloned().unwrap_or_default();
        let is_said = |problem: &Value| {
            let problem = problem.as_str().unwrap_or_default();
            problem.starts_with("2 threads share CPU ") && problem.contains(says)
        };
        let said = problems.iter().filter(|problem| is_said(problem)).count();
        if threads != 2 || said != usize::from(!says.is_empty()) {
            return Err(format!("{words:?} {environment:?}, {says:?}: {found:#}"));
        }
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}
