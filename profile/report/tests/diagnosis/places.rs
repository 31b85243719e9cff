//! A finding outside regions has its place in the user's code.

use super::support::{Built, build};
use super::*;

/// A header of the user's, one of the system's, and code that calls both.
const APP_CODE: &str = "
#line 1 \"/usr/include/fill.h\"
__attribute__((noinline)) void fill(double *to, long n)
{ for (long i = 0; i < n; i++) to[i] = 1; __asm__ volatile(\"\"); }
#line 1 \"clocked.h\"
__attribute__((noinline)) void clocked(double *to) { fill(to, 9); __asm__ volatile(\"\"); }
#line 1 \"solver.c\"
double cells[9];
__attribute__((noinline)) void prepare(void) { clocked(cells); __asm__ volatile(\"\"); }
int main(void) { prepare(); __asm__ volatile(\"\"); return 0; }
";

fn path(app: &Built) -> [u64; 4] {
    let after = |from: &str, to: &str| APP + app.calls(from, to)[0];
    let fill = APP + app.function("fill").0 + 4;
    [fill, after("clocked", "fill"), after("prepare", "clocked"), after("main", "prepare")]
}

fn threads() -> [ThreadTotal; 2] {
    let mut threads = [thread_total(0, 500 * MS, 0), thread_total(1, 500 * MS, 0)];
    (threads[0].serial_work, threads[0].alive) = (500 * MS, 1000 * MS);
    (threads[1].idle, threads[1].alive) = (500 * MS, 1000 * MS);
    threads
}

fn finding(app: &Built, path: [u64; 4]) -> (String, u32, String) {
    let finding = first(app, &path);
    assert_eq!(finding.disease, Disease::SerialTime);
    (finding.place.to_string(), finding.line, finding.evidence)
}

/// The first finding of a process whose serial time is all on this path.
fn first(app: &Built, path: &[u64]) -> Finding {
    let mut recorder = Recorder::new(&[(APP, 0x5000, app.path(), 0)]);
    for (number, total) in (0..).zip(threads()) {
        recorder.thread(number, 1 + number);
        recorder.push(number, total);
    }
    recorder.push(0, region(1000 * MS, 0));
    (0..100).for_each(|_| recorder.sample(0, state::SERIAL, 0, path));
    recorder.end(1000 * MS);
    recorder.analyse().findings()[0].clone()
}

/// A process that was attached to has no record of its calls of MPI, only samples in them.
#[test]
fn serial_time_in_calls_of_mpi_is_time_in_mpi() {
    let code = "
__attribute__((noinline)) void MPI_Barrier(void) { __asm__ volatile(\"\"); }
int main(void) { MPI_Barrier(); __asm__ volatile(\"\"); return 0; }
";
    let app = build("gcc", "waits.c", code, &["-pie"]);
    let inside = APP + app.function("MPI_Barrier").0;
    let finding = first(&app, &[inside, APP + app.calls("main", "MPI_Barrier")[0]]);
    assert_eq!((finding.disease, &*finding.place), (Disease::Mpi, "MPI_Barrier"));
}

#[test]
fn serial_time_is_where_the_users_code_is() {
    let app = build("gcc", "solver.c", APP_CODE, &["-pie"]);
    let (place, line, evidence) = finding(&app, path(&app));
    assert_eq!((&*place, line), ("solver.c:2 in prepare", 2));
    let said = "in fill (hottest line fill.h:2), as prepare calls clocked";
    assert!(evidence.contains(said), "{evidence}");
}

/// A program without symbols has addresses.
#[test]
fn stripped_code_has_a_place() {
    let app = build("gcc", "solver.c", APP_CODE, &["-pie"]);
    let path = path(&app);
    let stripped = std::process::Command::new("strip").arg(&app.program).status();
    assert!(stripped.is_ok_and(|status| status.success()));
    let (place, line, _) = finding(&app, path);
    assert!(place.contains("+0x") && line == 0, "{place}");
}
