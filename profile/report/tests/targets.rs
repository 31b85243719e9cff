//! Target constructs in gcc's code: each has a row with its directive's line, in OpenMP's words,
//! and its region is a frame of the paths.

mod support;

use omphalos_profile_format::{TargetSiteTotal, module_flag};
use omphalos_report::{LabelKind, TargetRow};
use support::{Built, Recorder, all_calls, build, stacks, state, target_total, thread_total};

const BASE: u64 = 0x5555_5555_0000;
const RUNTIME: u64 = 0x7f00_0000_0000;

const C: &str = r#"
static double a[100], b[100];
int main(int argc, char **argv)
{
    #pragma omp target enter data map(to: a)
    #pragma omp target data map(from: b)
    {
        #pragma omp target \
            map(tofrom: a)
        for (int i = 0; i < 100; i++)
            b[i] += a[i];
        #pragma omp target data map(a)
        {
            #pragma omp target update to(a)
        }
    }
    #pragma omp target teams distribute parallel for nowait map(b)
    for (int i = 0; i < 100; i++)
        b[i] *= argc;
    #pragma omp taskwait
    #pragma omp target exit data map(from: a)
    return 0;
}
"#;

const FORTRAN: &str = "\
program main
  real :: a(100), b(100)
  a = 1
  b = 0
  !$omp target enter data map(to: a)
  !$omp target data map(from: b)
  !$omp target map(tofrom: a)
  b = b + a
  !$omp end target
  !$omp target data map(a)
  !$omp target update to(a)
  !$omp end target data
  !$omp end target data
  !$omp target teams distribute parallel do nowait map(b)
  do i = 1, 100
    b(i) = b(i) * 2
  end do
  !$omp taskwait
  !$omp target exit data map(from: a)
  print *, sum(b)
end program
";

/// The constructs that a call begins, `ompt_target_t`, in the order of the code.
const CALLS: [(&str, &[u32]); 5] = [
    ("GOMP_target_enter_exit_data@plt", &[2, 3]),
    ("GOMP_target_data_ext@plt", &[2, 2]),
    ("GOMP_target_end_data@plt", &[3, 3]),
    ("GOMP_target_ext@plt", &[1, 9]),
    ("GOMP_target_update_ext@plt", &[4]),
];

/// A total for each call of the runtime.
fn recorder(built: &Built) -> Recorder {
    let mut recorder = Recorder::new(&[
        (BASE, 1 << 20, built.path(), 0),
        (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
    ]);
    recorder.thread(0, 1);
    recorder.push(0, thread_total(0, 1000, 0));
    for (callee, kinds) in CALLS {
        let calls = all_calls(built, &[callee]);
        assert_eq!(calls.len(), kinds.len(), "{callee}");
        for (call, kind) in calls.iter().zip(kinds) {
            let is_region = matches!(kind, 1 | 9);
            let total = target_total(BASE + call, *kind, 1);
            let kernels = u64::from(is_region);
            recorder.push(0, TargetSiteTotal { kernels, ..total });
        }
    }
    recorder
}

#[test]
fn rows_have_the_directives_lines() {
    let sources = [
        ("gcc", "test.c", C, [5, 6, 8, 12, 14, 17, 21]),
        ("gfortran", "test.f90", FORTRAN, [5, 6, 7, 10, 11, 14, 19]),
    ];
    let names = [
        "target enter data", "target data", "target", "target data", "target update", "target",
        "target exit data",
    ];
    for (compiler, name, source, lines) in sources {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let built = build(compiler, name, source, &[level]);
            let analysis = recorder(&built).analyse();
            let mut rows: Vec<&TargetRow> = analysis.targets().iter().collect();
            rows.sort_by_key(|row| row.construct.line);
            let found: Vec<(&str, u32)> =
                rows.iter().map(|row| (row.name.as_str(), row.construct.line)).collect();
            let expected: Vec<(&str, u32)> = names.into_iter().zip(lines).collect();
            assert_eq!(found, expected, "{compiler} {level}");
            // Both ends of `target data` belong to one row, which was executed once.
            assert!(rows.iter().all(|row| row.executions == 1), "{compiler} {level}");
            assert_eq!(rows.iter().map(|row| row.kernels).sum::<u64>(), 2);
            let nowait: Vec<bool> = rows.iter().map(|row| row.nowait).collect();
            assert_eq!(nowait, [false, false, false, false, false, true, false]);
        }
    }
}

#[test]
fn a_region_is_a_frame_of_the_paths() {
    for level in ["-O0", "-O2"] {
        let built = build("gcc", "test.c", C, &[level]);
        let mut recorder = recorder(&built);
        let site = BASE + all_calls(&built, &["GOMP_target_ext@plt"])[0];
        // gcc numbers them from the last.
        let bodies = built.functions(&|name| name.starts_with("main._omp_fn."));
        let labels: Vec<String> = bodies
            .iter()
            .map(|(_, start, _)| {
                recorder.sample(0, state::SERIAL, 0, &[BASE + start + 4, RUNTIME + 8, site]);
                stacks(&recorder.analyse()).pop().unwrap()
            })
            .collect();
        let target = "main;target at test.c:8 in main";
        assert_eq!(labels.iter().filter(|label| *label == target).count(), 1, "{labels:?}");
        let analysis = recorder.analyse();
        let main = &analysis.tree().children[0];
        assert!(main.children.iter().any(|child| child.kind == LabelKind::Target));
    }
}

#[test]
fn the_table_names_devices_and_bytes() {
    let built = build("gcc", "test.c", C, &["-O2"]);
    let options = omphalos_report::text::TextOptions { width: 200, ..Default::default() };
    let text = omphalos_report::text::render(&recorder(&built).analyse(), &options);
    let row = text.lines().find(|line| line.contains("target nowait at test.c:17"));
    let row = row.unwrap_or_else(|| panic!("{text}"));
    assert!(row.contains("4.10 kB") && row.contains("512 B"), "{row}");
    assert!(text.contains("  device 0: "), "{text}");
}
