//! Bodies of regions that left by a jump: for the next region, or for the function that they call
//! last. And samples without their region.

mod support;

use omphalos_profile_format::module_flag;
use support::{Built, Recorder, build, stacks, state};

const BASE: u64 = 0x5555_5555_0000;
const RUNTIME: u64 = 0x7f00_0000_0000;
/// The address where the runtime calls bodies: regions for which bodies leave return there.
const INVOKE: u64 = RUNTIME + 0x101;

const NESTED: &str = r#"
static volatile int done;
__attribute__((noinline)) static void work(int n)
{
    for (int i = 0; i < n; i++) done++;
}
int main(void)
{
    for (int k = 0; k < 10; k++) {
        #pragma omp parallel num_threads(2)
        {
            #pragma omp parallel num_threads(2)
            work(1000);
        }
    }
    return done;
}
"#;

fn recorder(built: &Built) -> (Recorder, u64) {
    let runtime = (RUNTIME, 1 << 20, "/lib/libomphalos.so", module_flag::RUNTIME);
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0), runtime]);
    let in_main = BASE + built.calls("main", "GOMP_parallel@plt")[0];
    recorder.fork(0, 1, 0, in_main, &[RUNTIME + 17, in_main]);
    (recorder, in_main)
}

#[test]
fn a_region_for_which_a_body_left_has_its_own_line_and_place() {
    let built = build("gcc", "nested.c", NESTED, &["-O2"]);
    let (mut recorder, in_main) = recorder(&built);
    // A copy of the function has another name.
    let work = built.functions(&|name| name.starts_with("work"));
    let work = BASE + work.first().expect("a function").1 + 9;
    recorder.fork(0, 2, 1, INVOKE, &[RUNTIME + 17, INVOKE, in_main]);
    recorder.fork(1, 3, 1, INVOKE, &[RUNTIME + 17, INVOKE]);
    // The primary thread of both regions, that of the inner one alone, and a worker of the inner
    // one.
    recorder.sample(0, state::PARALLEL, 2, &[work, INVOKE, in_main]);
    recorder.sample(1, state::PARALLEL, 3, &[work, INVOKE]);
    recorder.sample(2, state::PARALLEL, 3, &[work, INVOKE]);
    let path = "main;region at nested.c:10 in main;region at nested.c:12 in main;work";
    assert_eq!(stacks(&recorder.analyse()), [path; 3]);
}

#[test]
fn a_sample_without_its_region_has_it_by_the_body() {
    let built = build("gcc", "nested.c", NESTED, &["-O0"]);
    let (mut recorder, _) = recorder(&built);
    let bodies = built.functions(&|name| name.starts_with("main._omp_fn."));
    let call = built.all_calls("GOMP_parallel@plt");
    let is_outer = |body: &&(String, u64, u64)| {
        call.iter().any(|call| (body.1..body.1 + body.2).contains(call))
    };
    let body = BASE + bodies.iter().find(is_outer).expect("a body with a region").1 + 5;
    recorder.sample(1, state::PARALLEL, 0, &[body, INVOKE]);
    assert_eq!(stacks(&recorder.analyse()), ["main;region at nested.c:10 in main"]);
}

/// The fork of a later outer region has no record, because its stack equalled the one before: the
/// region inside, which a worker forked, names it by its body.
#[test]
fn a_region_without_a_record_is_known_by_its_body() {
    let built = build("gcc", "nested.c", NESTED, &["-O0"]);
    let (mut recorder, _) = recorder(&built);
    let bodies = built.functions(&|name| name.starts_with("main._omp_fn."));
    let within = |call: u64, body: &(String, u64, u64)| (body.1..body.1 + body.2).contains(&call);
    let calls = built.all_calls("GOMP_parallel@plt");
    let inner = calls.iter().find(|call| bodies.iter().any(|body| within(**call, body)));
    let inner = *inner.expect("a region in a body");
    let is_inner = |body: &&(String, u64, u64)| !within(inner, body);
    let body = BASE + bodies.iter().find(is_inner).expect("the inner body").1 + 5;
    recorder.fork(1, 31, 30, BASE + inner, &[RUNTIME + 17, BASE + inner, INVOKE]);
    recorder.sample(2, state::PARALLEL, 31, &[body, INVOKE]);
    let found = stacks(&recorder.analyse());
    let path = "main;region at nested.c:10 in main;region at nested.c:12 in main";
    assert_eq!(found, [path]);
    built.strip(&["--strip-all"]);
    let found = stacks(&recorder.analyse());
    assert!(found[0].matches(";region at program+0x").count() == 2, "{found:?}");
}
