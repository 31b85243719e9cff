//! C++ with templates: lines in the user's own file, and names that can be read.

mod support;

use omphalos_profile_format::construct_kind::{BARRIER, WORK};
use omphalos_program::{Mapped, Names};
use omphalos_report::Analysis;
use omphalos_report::text::{self, TextOptions};
use support::regions::{BASE, FORKS, labels};
use support::{Built, Recorder, all_calls, build, construct_total, region_total};

const SOURCE: &str = r#"
#include <map>
#include <string>
#include <vector>
namespace sim {
template <class T> struct Keep { std::map<std::string, std::vector<T>> map; };
template <class T, class Policy = Keep<std::map<std::string, std::vector<T>>>> struct Field {
    std::vector<T> cells;
    template <class F> __attribute__((noinline)) void apply(F f)
    {
        #pragma omp parallel for schedule(dynamic, 16)
        for (unsigned long i = 0; i < cells.size(); i++)
            cells[i] = f(cells[i]);
    }
    __attribute__((noinline)) void scale()
    {
        #pragma omp parallel
        {
            #pragma omp for schedule(dynamic, 2)
            for (unsigned long i = 0; i < cells.size(); i++)
                cells[i] *= 2;
            #pragma omp barrier
            cells[0] += 1;
        }
    }
};
}
double first(double), second(double);
int main()
{
    sim::Field<double> field;
    sim::Field<float> other;
    field.cells.resize(99);
    other.cells.resize(99);
    for (int round = 0; round < 2; round++) {
        field.apply([](double x) { return first(x); });
        other.apply([](float x) { return (float)second(x); });
    }
    field.scale();
    auto last = [](double a, int b) { return a + b; };
    double (*call)(double, int) = last;
    return call(field.cells[0], 2) > other.cells[0];
}
double first(double x) { return x + 1; }
double second(double x) { return x + 2; }
"#;

fn compiled(compiler: &str, level: &str) -> Built {
    build(compiler, "field.cpp", SOURCE, &[level])
}

/// A loop with the size of a container as its bound: gcc's call has the line of `size`, in the
/// library's file.
#[test]
fn loops_have_lines_of_the_file_that_has_directives() {
    for compiler in ["g++", "clang++-19"] {
        for level in ["-O1", "-O2", "-O3"] {
            let built = compiled(compiler, level);
            let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
            for fork in all_calls(&built, &FORKS) {
                recorder.push(0, region_total(BASE + fork, 1));
            }
            let region = BASE + all_calls(&built, &FORKS)[0];
            for (kind, callees) in [
                (
                    WORK | 11,
                    ["GOMP_loop_ull_nonmonotonic_dynamic_start@plt", "__kmpc_dispatch_init_8u@plt"],
                ),
                (BARRIER | 3, ["GOMP_barrier@plt", "__kmpc_barrier@plt"]),
            ] {
                for call in all_calls(&built, &callees) {
                    recorder.push(0, construct_total(region, BASE + call, kind, 1));
                }
            }
            let analysis = recorder.analyse();
            let rows: Vec<_> = analysis.regions().iter().flat_map(|row| &row.constructs).collect();
            let found: Vec<_> = rows.iter().map(|row| (&*row.name, row.construct.line)).collect();
            for wanted in [("for (dynamic)", 11), ("for (dynamic)", 19), ("barrier", 22)] {
                assert!(found.contains(&wanted), "{compiler} {level}: {wanted:?} in {found:?}");
            }
            let own = |path: &str| path.ends_with("field.cpp");
            let strays = rows.iter().filter(|row| !row.construct.file.as_deref().is_some_and(own));
            assert_eq!(strays.count(), 0, "{compiler} {level}: {found:?}");
        }
    }
}

/// The function that a lambda is passed to, and the lambda inlined there, give it the same number.
#[test]
fn a_lambda_has_one_number() {
    for level in ["-O2", "-O3"] {
        let built = compiled("g++", level);
        let size = std::fs::metadata(&built.program).expect("the program").len();
        let file = Mapped { base: 0, end: size, file: built.path().to_owned(), wanted: true };
        let names = Names::open(&[file], &mut Vec::new());
        let bodies = |name: &str| name.contains("applyIZ4mainEUl") && name.contains("_omp_fn");
        let found = built.functions(&bodies);
        assert_eq!(found.len(), 2, "{level}: {found:?}");
        let mut seen = 0;
        for (symbol, start, size) in found {
            // The second one in the order of the source is `E0_`.
            let number = if symbol.contains("UldE_") { 1 } else { 2 };
            let wanted = format!("main::{{lambda#{number}}}::operator()");
            let inlined = (start..start + size).flat_map(|at| names.functions(at));
            let mut shown: Vec<String> = inlined.map(|function| function.name).collect();
            shown.retain(|name| name.ends_with("operator()"));
            shown.dedup();
            seen += shown.len();
            assert!(shown.iter().all(|name| *name == wanted), "{level}: {symbol}: {shown:?}");
        }
        assert!(seen > 0, "{level}");
    }
}

/// Whatever the width, rows of the table differ where constructs do; no row is wider.
#[test]
fn rows_of_templates_fit_and_differ() {
    let built = compiled("g++", "-O2");
    let whole = labels(&built);
    let written = "sim::Keep<std::map<std::string, std::vector<double>>>>::apply<main::{lambda#1}>";
    assert!(whole.iter().any(|label| label.ends_with(written)), "{whole:?}");
    let analysis = report(&built);
    for width in [60, 80, 120, 200] {
        let options = TextOptions { width, whole_names: false, ..TextOptions::default() };
        let shown = text::render(&analysis, &options);
        let rows: Vec<&str> =
            shown.lines().filter(|line| line.starts_with("  field.cpp:")).collect();
        assert_eq!(rows.len(), whole.len(), "{width}: {shown}");
        for (at, row) in rows.iter().enumerate() {
            assert!(row.chars().count() <= width, "{width}: {row}");
            assert!(!rows[..at].contains(row), "{width}: {shown}");
            let function = if row.contains(":17") { "::scale" } else { "::apply<" };
            assert!(row.contains(function), "{width}: {row}");
        }
    }
    let long: Vec<_> = text::render(&analysis, &TextOptions::default())
        .lines()
        .filter(|line| whole.iter().any(|label| line.contains(&label["region at ".len()..])))
        .map(str::to_owned)
        .collect();
    assert!(long.len() >= whole.len(), "names are whole in files: {long:?}");
}

fn report(built: &Built) -> Analysis {
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
    for fork in all_calls(built, &FORKS) {
        recorder.push(0, region_total(BASE + fork, 1));
    }
    recorder.analyse()
}

/// The Python names of functions from which Cython made C.
#[test]
fn functions_of_cython_have_pythons_names() {
    let source = r#"
static volatile double s;
__attribute__((noinline)) static void __pyx_pf_3pkg_4_mod_5Class_4find_node_split(void)
{
    #pragma omp parallel
    s += 1;
    s += 2;
}
int main(void)
{
    __pyx_pf_3pkg_4_mod_5Class_4find_node_split();
    return 0;
}
"#;
    let built = build("gcc", "split.c", source, &["-O2"]);
    assert_eq!(labels(&built), ["region at split.c:5 in pkg._mod.Class.find_node_split"]);
}
