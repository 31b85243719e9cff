//! The places where the agent finds threads: stacks, addresses, and its records of them.

mod support;

use omphalos_profile_format::Fork;
use support::*;

#[test]
fn stacks_reach_from_the_leaf_to_the_thread() {
    for compiler in [Compiler::Clang, Compiler::Gcc] {
        for scratch in Scratch::each(&format!("deep-{compiler:?}")) {
            let program = compile(&scratch, "deep", compiler, &[]);
            let record = scratch.path("record");
            run(&mut profiled(&scratch, &program, &record));
            let found = read(&record);
            let functions = Functions::of(&program);
            let base = found.base("/deep");
            let worker = |sample: &&omphalos_profile_format::Sample| sample.thread == 1;
            let (mut complete, mut seen) = (0, 0);
            let mut broken = Vec::new();
            for sample in found.samples.iter().filter(worker) {
                let names = functions.along(&found, base, sample);
                if names.first().is_none_or(|name| *name != "leaf") {
                    continue;
                }
                seen += 1;
                let expected = ["leaf", "aligned", "recurse", "compare", "sorting"];
                let mut rest = names.iter();
                let in_order = expected.iter().all(|name| rest.any(|found| found == name));
                // The compiler may unroll one.
                let recursions = names.iter().filter(|name| **name == "recurse").count();
                let outlined = names
                    .last()
                    .is_some_and(|name| name.contains("omp_outlined") || name.contains("_omp_fn"));
                if in_order && recursions >= 5 && outlined {
                    complete += 1;
                } else {
                    broken = names;
                }
            }
            assert!(seen > 20, "{compiler:?}: {seen} samples in the leaf");
            assert!(
                complete * 100 >= seen * 99,
                "{compiler:?}: {complete} of {seen} complete; one: {broken:?}"
            );
            // The encountering thread's stack at the fork leads from the runtime to main.
            let fork = found.forks.first().expect("a fork");
            let frames = &found.stacks[&(fork.thread, fork.stack)];
            let names: Vec<_> =
                frames.iter().filter_map(|pc| functions.at(pc.wrapping_sub(base + 1))).collect();
            assert!(names.contains(&"main"), "{names:?}");
            assert_eq!(functions.at(fork.codeptr_ra - base - 1), Some("main"));
        }
    }
}

/// A library's path is recorded whole, and the kernel's own code is part of the function that calls
/// it.
#[test]
fn every_address_has_a_file() {
    for scratch in Scratch::each("relative") {
        let library = compile(&scratch, "library", Compiler::Clang, &["-shared", "-fPIC"]);
        let program = compile(&scratch, "churn", Compiler::Clang, &["-ldl"]);
        let name = library.file_name().expect("a name").to_string_lossy().into_owned();
        let record = scratch.path("record");
        let mut command = profiled(&scratch, &program, &record);
        run(command.current_dir(&scratch.folder).arg(format!("./{name}")));
        let found = read(&record);
        for module in &found.modules {
            let is_kernels = module.path.starts_with("linux-vdso");
            assert!(module.path.starts_with('/') || is_kernels, "{}", module.path);
        }
        let kernels = found.modules.iter().find(|module| module.path.starts_with("linux-vdso"));
        if let Some(kernels) = kernels {
            let inside = |pc: &u64| (kernels.base..kernels.end).contains(pc);
            assert!(!found.stacks.values().any(|frames| frames.iter().any(inside)));
        }
    }
}

/// Where regions come fast, few have a record: mostly those in which a thread was sampled and whose
/// stack differs from the one before.
#[test]
fn fast_regions_make_a_small_file() {
    for scratch in Scratch::each("fast") {
        let program = compile(&scratch, "fast", Compiler::Gcc, &["-O1"]);
        let record = scratch.path("record");
        let entered = figures(&run(&mut profiled(&scratch, &program, &record)))["entered"];
        let found = read(&record);
        assert_eq!(found.regions.iter().map(|site| site.instances).sum::<u64>(), entered as u64);
        let known: std::collections::HashSet<_> =
            found.forks.iter().map(|fork| fork.region).collect();
        assert_eq!(known.len(), found.forks.len());
        let in_regions: Vec<_> = found.samples.iter().filter(|sample| sample.region != 0).collect();
        for sample in in_regions.iter().filter(|sample| !known.contains(&sample.region)) {
            let is_like = |fork: &Fork| {
                fork.codeptr_ra == sample.region_codeptr && fork.region < sample.region
            };
            assert!(found.forks.iter().any(is_like), "{sample:?}");
        }
        let seconds = found.initial().alive as usize / 100_000_000 + 1;
        assert!(found.forks.len() <= in_regions.len() + 2 + seconds, "{}", found.forks.len());
    }
}

/// Compilers may make no tables (flang makes none): then each function's instructions show where
/// its caller is.
#[test]
fn stacks_reach_through_code_without_tables() {
    let flags = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"];
    for compiler in [Compiler::Clang, Compiler::Gcc] {
        for scratch in Scratch::each(&format!("untabled-{compiler:?}")) {
            let program = compile(&scratch, "untabled", compiler, &flags);
            let record = scratch.path("record");
            assert_eq!(run(&mut profiled(&scratch, &program, &record)), "ok\n");
            let found = read(&record);
            let functions = Functions::of(&program);
            let base = found.base("/untabled");
            for thread in [0, 1] {
                // The code that reads the instructions is ready about 50 ms after it is first asked
                // for.
                let of_thread = found.samples.iter().filter(|sample| sample.thread == thread);
                let stacks: Vec<_> = of_thread
                    .map(|sample| functions.along(&found, base, sample))
                    .filter(|names| names.first() == Some(&"leaf"))
                    .collect();
                let late = &stacks[stacks.len() / 2..];
                let is_whole = |names: &&Vec<&str>| {
                    let calls = ["leaf", "wide", "recurse", "recurse", "recurse", "recurse"];
                    let (own, around) = names.split_at(calls.len().min(names.len()));
                    let is_body = |name: &&&str| name.starts_with("inner.");
                    let outside = || around.get(1..).unwrap_or_default();
                    own == calls
                        && around.first().is_some_and(|name| is_body(&name))
                        && (thread == 1 || outside().starts_with(&["inner", "outer", "main"]))
                };
                let whole = late.iter().filter(is_whole).count();
                let broken = late.iter().find(|names| !is_whole(names));
                assert!(late.len() > 5, "{compiler:?} {thread}: {} samples", stacks.len());
                assert!(
                    whole * 20 >= late.len() * 19,
                    "{compiler:?} {thread}: {whole} of {}, {broken:?}",
                    late.len()
                );
            }
        }
    }
}

/// A call from a library that came since the last region has its callers.
#[test]
fn calls_from_a_new_library_have_their_callers() {
    for scratch in Scratch::each("newcomer") {
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            let flags = ["-shared", "-fPIC", "-O2"];
            let library = compile(&scratch, "newcomer", compiler, &flags);
            let program = compile(&scratch, "loading", compiler, &["-O2", "-ldl"]);
            let record = scratch.path(&format!("{compiler:?}"));
            assert_eq!(run(profiled(&scratch, &program, &record).arg(&library)), "ok\n");
            let found = read(&record);
            let base = found.base("/loading");
            let functions = Functions::of(&program);
            let sleeps = found.sample_calls.iter().filter(|(_, name, _)| name == "usleep");
            let of_sleeps: Vec<_> =
                sleeps.map(|(sample, ..)| functions.along(&found, base, sample)).collect();
            assert!(of_sleeps.len() >= 4, "{of_sleeps:?}");
            for names in of_sleeps {
                assert!(names.starts_with(&["use", "main"]), "{names:?}");
            }
        }
    }
}

#[test]
fn threads_and_objects_may_come_and_go() {
    for scratch in Scratch::each("churn") {
        let library = compile(&scratch, "library", Compiler::Clang, &["-shared", "-fPIC"]);
        let program = compile(&scratch, "churn", Compiler::Clang, &["-ldl"]);
        let record = scratch.path("record");
        let mut command = profiled(&scratch, &program, &record);
        command.arg(&library).env("OMPHALOS_PROFILE_HZ", "5000");
        assert_eq!(run(&mut command), "ok\n");
        let found = read(&record);
        assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true));
        let functions = Functions::of(&program);
        let base = found.base("/churn");
        let of_workers = found
            .regions
            .iter()
            .filter(|site| functions.at(site.codeptr_ra.wrapping_sub(base + 1)) == Some("worker"));
        assert_eq!(of_workers.map(|site| site.instances).sum::<u64>(), 240);
        found.threads.values().for_each(classes_add_up);
        // The caller of code without information is found, and the caller of that one.
        for expected in [["kernel", "calls_kernel", "main"], ["pushing", "calls_pushing", "main"]] {
            let in_kernel: Vec<_> = found
                .samples
                .iter()
                .map(|sample| functions.along(&found, base, sample))
                .filter(|names| names.first() == Some(&expected[0]))
                .collect();
            assert!(!in_kernel.is_empty());
            let (crossed, lost): (Vec<_>, Vec<_>) =
                in_kernel.iter().partition(|names| names.starts_with(&expected));
            assert!(crossed.len() * 100 >= in_kernel.len() * 98, "{} and {lost:?}", crossed.len());
        }
    }
}

/// Each address belongs to one file, whatever libraries come and go.
#[test]
fn no_library_comes_to_lie_where_another_was() {
    for scratch in Scratch::each("turns") {
        let program = compile(&scratch, "turns", Compiler::Clang, &["-ldl"]);
        let libraries = ["-O0", "-O2"].map(|level| {
            let built = compile(&scratch, "library", Compiler::Clang, &["-shared", "-fPIC", level]);
            let library = scratch.path(&format!("library{level}"));
            std::fs::rename(built, &library).expect("a library");
            library
        });
        let record = scratch.path("record");
        let entered = figures(&run(profiled(&scratch, &program, &record).args(&libraries)));
        assert_eq!(entered["entered"], 21.0);
        let found = read(&record);
        let mut of_each = libraries.each_ref().map(|_| 0);
        for site in &found.regions {
            let here = found.modules.iter().filter(|m| (m.base..m.end).contains(&site.codeptr_ra));
            let mut files: Vec<&str> = here.map(|module| module.path.as_str()).collect();
            files.sort_unstable();
            files.dedup();
            let [file] = files[..] else { panic!("{:#x} is of {files:?}", site.codeptr_ra) };
            for (count, library) in of_each.iter_mut().zip(&libraries) {
                *count += if library.ends_with(file) { site.instances } else { 0 };
            }
        }
        assert_eq!(of_each, [10, 10]);
    }
}
