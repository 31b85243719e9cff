//! Reports of programs that know their own times: each construct has a row with its line, exact
//! numbers, and times as true as a machine allows that is busy with other tests. `cargo xtask
//! truth` says how true they are on an idle machine.

use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::program::Program;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::truth::sweep::{Build, Row, compare, profile};
use omphalos_tests::truth::{schema, sums};
use omphalos_tests::{exec, paths, suite};

use Compiler::{Clang, Clangxx, Flang, Gcc, Gfortran, Gxx};

/// Programs of `truth`, and the builds that they are profiled in.
const REPORTS: [(&str, &[(Compiler, &str)]); 71] = [
    ("constructs_each.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("blocked_futex.c", &[(Gcc, "-O2")]),
    ("false_sharing.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("pages_anew.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("atomic_hot.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("padded.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("inlined_clocks.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("doacross.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("regions_short.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("regions_barriers.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("regions_inlined.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("regions_alternating.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("regions_five.c", &[(Gcc, "-O1"), (Gcc, "-O3"), (Clang, "-O2")]),
    ("single_in_turn.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("single_short.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("stream_lock.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("sections_uneven.c", &[(Gcc, "-O3")]),
    ("single_and_barrier.c", &[(Gcc, "-O3")]),
    ("ordered_dynamic.c", &[(Gcc, "-O2")]),
    ("criticals_two.c", &[(Gcc, "-O3"), (Clang, "-O2")]),
    ("task_diamond.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("nested_uneven.c", &[(Gcc, "-O3")]),
    ("task_tree.cpp", &[(Gxx, "-O2")]),
    ("tasks_untied.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("contained.f90", &[(Gfortran, "-O3"), (Flang, "-O2")]),
    ("planes.f90", &[(Gfortran, "-O2"), (Flang, "-O2")]),
    ("workshare.f90", &[(Gfortran, "-O2")]),
    ("tail_calls.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("macros.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("reads_lines.c", &[(Gcc, "-O2")]),
    ("teams_host.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("lambda_template.cpp", &[(Gxx, "-O2"), (Clangxx, "-O2")]),
    ("taskyield_mutex.c", &[(Gcc, "-O0")]),
    ("templates.cpp", &[(Gxx, "-O0")]),
    ("critical_output.f90", &[(Gfortran, "-O0"), (Gfortran, "-O2")]),
    ("forked_helpers.c", &[(Gcc, "-O2")]),
    ("taskloop_regions.c", &[(Clang, "-O2")]),
    ("taskloop_tiny.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("task_maker.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("targets.c", &[(Gcc, "-O0"), (Gcc, "-O2"), (Clang, "-O2")]),
    ("lock_interrupted.c", &[(Gcc, "-O2")]),
    ("held_on.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("bound.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("pinned_badly.c", &[(Gcc, "-O2")]),
    ("targets.f90", &[(Gfortran, "-O0"), (Gfortran, "-O2")]),
    ("target_short_life.c", &[(Gcc, "-O0"), (Clang, "-O2")]),
    ("tasks_io.c", &[(Gcc, "-O2")]),
    ("main_leaves.c", &[(Gcc, "-O2")]),
    ("std_atomic.cpp", &[(Gxx, "-O2"), (Clangxx, "-O2")]),
    ("vector_pages.cpp", &[(Gxx, "-O2")]),
    ("chunks_tiny.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("chunks_worth.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("imbalance_short.c", &[(Gcc, "-O2")]),
    ("stopped.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("sandboxed.c", &[(Gcc, "-O2")]),
    ("begun_by_own.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("parallelized.c", &[(Gcc, "-O2")]),
    ("barrier_alternating.c", &[(Gcc, "-O2")]),
    ("master_barrier.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("one_thread_serial.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("company.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("exits_in_loop.c", &[(Gcc, "-O0"), (Gcc, "-O2"), (Clang, "-O2")]),
    ("exits_at_barrier.c", &[(Gcc, "-O0"), (Gcc, "-O2"), (Clang, "-O2")]),
    ("joined_producer.cpp", &[(Gxx, "-O2")]),
    ("split_debug.cpp", &[(Gxx, "-O2"), (Clangxx, "-O2")]),
    ("first_touch_serial.c", &[(Gcc, "-O0"), (Gcc, "-O2"), (Clang, "-O2")]),
    ("first_touch_array.f90", &[(Gfortran, "-O2"), (Flang, "-O2")]),
    ("held_asleep.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("own_clocks.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("own_clocks_beside.c", &[(Gcc, "-O2")]),
    ("modules_callers.f90", &[(Gfortran, "-O0"), (Gfortran, "-O2"), (Flang, "-O2")]),
];

/// Programs that are profiled through the Collector API: their reports must be as true.
const COLLECTED: [(&str, &[(Compiler, &str)]); 16] = [
    ("constructs_each.c", &[(Gcc, "-O0"), (Gcc, "-O2"), (Clang, "-O0"), (Clang, "-O2")]),
    ("tasks_in_barriers.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("eight_in_turn.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("nested_serial.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("locks_three.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("criticals_two.c", &[(Gcc, "-O3")]),
    ("single_and_barrier.c", &[(Gcc, "-O3"), (Clang, "-O2")]),
    ("single_blocked.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("ordered_dynamic.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("master_barrier.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("atomic_large.c", &[(Gcc, "-O2")]),
    ("nest_lock.cpp", &[(Gxx, "-O2")]),
    ("taskgroup_tree.c", &[(Gcc, "-O2"), (Clang, "-O2")]),
    ("sections.f90", &[(Gfortran, "-Og"), (Gfortran, "-O2"), (Flang, "-O2")]),
    ("workshare.f90", &[(Gfortran, "-O2")]),
    ("critical.f90", &[(Gfortran, "-O2")]),
];

/// Other ways to profile: their reports conform to docs/report.schema.json too.
const WAYS: [(&str, &str, Compiler, &[&str]); 4] = [
    ("collector", "criticals_two.c", Gcc, &["--collector"]),
    ("collector_tasks", "task_tree.cpp", Gxx, &["--collector"]),
    ("system", "criticals_two.c", Clang, &["--runtime", "system"]),
    ("seldom", "nested_uneven.c", Gcc, &["--hz", "20"]),
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    let as_ever = REPORTS.iter().map(|row| (row, &[] as &[&str], "reports"));
    let collected = COLLECTED.iter().map(|row| (row, &["--collector"] as _, "reports::collected"));
    for (&(name, builds), options, group) in as_ever.chain(collected) {
        for &(compiler, level) in builds {
            let build = Build { compiler, level };
            let stem = name.split('.').next().unwrap_or(name);
            let title = format!("{group}::{stem}::{}", build.name().replace(' ', ""));
            trials.push(suite::test(title, move || says_the_truth(name, build, options)));
        }
    }
    trials.push(suite::test("reports::collected::forks_only", says_what_is_missing));
    for (way, name, compiler, options) in WAYS {
        let build = Build { compiler, level: "-O2" };
        let title = format!("reports::described::{way}");
        trials.push(suite::test(title, move || is_as_described(name, build, options)));
    }
    libtest_mimic::run(&suite::arguments(), trials).exit_code()
}

fn says_the_truth(name: &str, build: Build, options: &[&str]) -> Result<(), String> {
    let program = Program::read(&paths::tests().join("truth").join(name))?;
    let rows = compare(&program, build, options)?.rows;
    let far: Vec<&Row> = rows.iter().filter(|row| row.is_far).collect();
    match rows.is_empty() || !far.is_empty() {
        false => Ok(()),
        true => Err(format!("{} compared, far from the truth: {far:#?}", rows.len())),
    }
}

/// Tests a runtime whose Collector API tells of forks alone: there is no report, and a message says
/// why.
fn says_what_is_missing() -> Result<(), String> {
    let program = Program::read(&paths::tests().join("truth/forks_only.c"))?;
    let flags: Vec<&str> = program.flags.iter().map(String::as_str).chain(["-fopenmp"]).collect();
    let binary = Gcc.compile_with(&program.source, &flags)?;
    let folder = paths::scratch("forks only");
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    command.args(["profile", "--collector", "--"]).arg(binary).current_dir(&folder);
    let outcome = exec::run(&mut command)?;
    match outcome.success() && outcome.stderr.contains("does not tell where regions end") {
        true => Ok(()),
        false => Err(format!("it does not say what is missing: {}", outcome.describe())),
    }
}

fn is_as_described(name: &str, build: Build, options: &[&str]) -> Result<(), String> {
    let program = Program::read(&paths::tests().join("truth").join(name))?;
    let (_, report) = profile(&program, build, options)?;
    match (schema::faults_of_report(&report), sums::faults(&report)) {
        (faults, sums) if faults.is_empty() && sums.is_empty() => Ok(()),
        (faults, sums) => {
            Err(format!("not as docs/report.schema.json has it: {faults:#?}; sums: {sums:#?}"))
        }
    }
}
