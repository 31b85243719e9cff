//! Tests the begin and end of recording: killed processes, children, files that cannot be written.

mod support;

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::*;

#[test]
fn a_killed_process_leaves_a_readable_record() {
    for scratch in Scratch::each("killed") {
        let program = compile(&scratch, "balance", Compiler::Clang, &[]);
        let record = scratch.path("record");
        // Without `timeout`, whose own child would stay alive.
        let mut child = profiled(&scratch, &program, &record)
            .arg("100000")
            .stdout(Stdio::null())
            .spawn()
            .expect("a process");
        let deadline = Instant::now() + Duration::from_secs(30);
        let victim = loop {
            assert!(Instant::now() < deadline, "no totals were written");
            std::thread::sleep(Duration::from_millis(50));
            if record.metadata().is_ok_and(|data| data.len() > 1000) {
                let found = read(&record);
                let regions = found.regions.iter().any(|site| site.instances > 1);
                if found.samples.len() > 200 && regions {
                    break found.pid;
                }
            }
        };
        // kill(1) is not on every machine. SAFETY: a plain system call; `victim` is the child or
        // its own, for which no code has waited.
        assert_eq!(unsafe { libc::kill(victim.cast_signed(), libc::SIGKILL) }, 0);
        let status = child.wait().expect("its end");
        assert!(!status.success() || status.signal().is_some());
        let found = read(&record);
        assert!(!found.ended && found.bad_records == 0 && found.damage <= 1);
        assert!(found.samples.len() > 200);
        assert!(found.regions.iter().any(|site| site.instances > 1));
        found.threads.values().for_each(classes_add_up);
    }
}

#[test]
fn every_process_has_its_own_record() {
    for scratch in Scratch::each("forking") {
        let program = compile(&scratch, "forking", Compiler::Clang, &[]);
        let record = scratch.path("record");
        let children = figures(&run(&mut profiled(&scratch, &program, &record)));
        let instances = |path: &std::path::Path| {
            let found = read(path);
            assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true));
            found.threads.values().for_each(classes_add_up);
            found.regions.iter().map(|site| site.instances).sum::<u64>()
        };
        assert_eq!(instances(&record), 30);
        let of = |name: &str| scratch.path(&format!("record.{}", children[name]));
        assert_eq!(instances(&of("forked")), 7);
        assert_eq!(instances(&of("executed")), 5);
        assert!(!of("quiet").exists(), "a child without regions writes nothing");
    }
}

/// A recording that `exec` ends is written before, however short it was.
#[test]
fn nothing_is_lost_before_another_program() {
    for scratch in Scratch::each("executing") {
        let program = compile(&scratch, "executing", Compiler::Clang, &[]);
        let record = scratch.path("record");
        let process = figures(&run(&mut profiled(&scratch, &program, &record)))["process"];
        let instances = |path: &std::path::Path| {
            let found = read(path);
            assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true));
            found.threads.values().for_each(classes_add_up);
            found.regions.iter().map(|site| site.instances).sum::<u64>()
        };
        assert_eq!(instances(&record), 11);
        assert_eq!(instances(&scratch.path(&format!("record.{process}"))), 9);
        assert_eq!(instances(&scratch.path(&format!("record.{process}.2"))), 2);
    }
}

/// The time to begin, to write and to watch belongs to no thread of the program.
#[test]
fn the_end_counts_what_no_thread_was_charged() {
    for scratch in Scratch::each("charged") {
        let program = compile(&scratch, "balance", Compiler::Clang, &[]);
        let record = scratch.path("record");
        run(&mut profiled(&scratch, &program, &record));
        let found = read(&record);
        let threads: u64 = found.threads.values().map(|thread| thread.agent).sum();
        assert!(found.ended && found.agent > threads, "{} of {threads} ns", found.agent);
    }
}

#[test]
fn a_full_disk_costs_one_line() {
    for scratch in Scratch::each("full") {
        let program = compile(&scratch, "balance", Compiler::Clang, &[]);
        let output = profiled(&scratch, &program, "/dev/full".as_ref()).output().expect("a run");
        check(&output);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.contains("disk is full"), "{errors}");
    }
}

#[test]
fn an_unwritable_file_costs_one_line() {
    for scratch in Scratch::each("unwritable") {
        let program = compile(&scratch, "balance", Compiler::Clang, &[]);
        let record = scratch.path("no/such/folder");
        let output = profiled(&scratch, &program, &record).output().expect("a run");
        check(&output);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.contains("no/such/folder") && errors.contains("OMPHALOS_PROFILE_OUT"));
    }
}

#[test]
fn a_file_with_something_in_it_is_left_alone() {
    for scratch in Scratch::each("taken") {
        let program = compile(&scratch, "balance", Compiler::Clang, &[]);
        let record = scratch.path("record");
        std::fs::write(&record, "precious").expect("a file");
        run(&mut profiled(&scratch, &program, &record));
        assert_eq!(std::fs::read(&record).expect("the file"), b"precious");
        let others: Vec<_> = std::fs::read_dir(&scratch.folder)
            .expect("the folder")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.to_string_lossy().contains("record."))
            .collect();
        assert_eq!(others.len(), 1, "{others:?}");
        assert!(read(&others[0]).ended);
    }
}

/// In a folder of several users, another user may have put a link there, or a file with two names.
#[test]
fn what_another_user_may_have_planted_is_not_written_into() {
    type Plant = fn(&Path, &Path) -> std::io::Result<()>;
    let plant: [(&str, Plant); 3] = [
        ("link", |victim, name| std::os::unix::fs::symlink(victim, name)),
        ("link to nothing", |victim, name| {
            std::fs::remove_file(victim)?;
            std::os::unix::fs::symlink(victim, name)
        }),
        ("second name", |victim, name| std::fs::hard_link(victim, name)),
    ];
    for (what, plant) in plant {
        let Some(scratch) = Scratch::each("planted").pop() else { continue };
        let program = compile(&scratch, "balance", Compiler::Clang, &[]);
        let (record, victim) = (scratch.path("record"), scratch.path("victim"));
        std::fs::write(&victim, "").expect("a file");
        plant(&victim, &record).expect("a link");
        run(&mut profiled(&scratch, &program, &record));
        let written = std::fs::read(&victim).unwrap_or_default();
        assert!(written.is_empty(), "{what}: {} bytes", written.len());
        let others: Vec<_> = std::fs::read_dir(&scratch.folder)
            .expect("the folder")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.to_string_lossy().contains("record."))
            .collect();
        assert_eq!(others.len(), 1, "{what}: {others:?}");
        assert!(read(&others[0]).ended, "{what}");
    }
}

#[test]
fn it_can_be_loaded_as_a_tool_library_too() {
    for scratch in Scratch::each("library") {
        let program = compile(&scratch, "tasks", Compiler::Clang, &[]);
        let record = scratch.path("record");
        let output = Command::new(&program)
            .env("OMP_TOOL_LIBRARIES", agent())
            .env("OMPHALOS_PROFILE_OUT", &record)
            .output()
            .expect("a run");
        check(&output);
        let found = read(&record);
        assert!(found.ended && !found.samples.is_empty());
        assert_eq!(found.tasks.iter().map(|site| site.executed).sum::<u64>(), 41);
    }
}

#[test]
fn other_stacks_and_other_folders_do_no_harm() {
    for scratch in Scratch::each("altstack") {
        let program = compile(&scratch, "altstack", Compiler::Clang, &[]);
        let mut command = profiled(&scratch, &program, "record".as_ref());
        command.current_dir(&scratch.folder).env("OMPHALOS_PROFILE_HZ", "5000");
        assert_eq!(run(&mut command), "ok\n");
        let found = read(&scratch.path("record"));
        assert!(found.ended && found.bad_records == 0);
        // Work on another stack has at least its own place.
        let functions = Functions::of(&program);
        let base = found.base("/altstack");
        let alone = found.samples.iter().filter(|sample| {
            found.frames(sample).len() == 1
                && functions.along(&found, base, sample).first() == Some(&"burn")
        });
        assert!(alone.count() > 0);
    }
}

/// The program may close and take the descriptor through which the record is written.
#[test]
fn the_programs_descriptors_are_its_own() {
    for scratch in Scratch::each("descriptors") {
        let program = compile(&scratch, "descriptors", Compiler::Clang, &[]);
        let own = scratch.path("own");
        for way in ["close", "take"] {
            let record = scratch.path(way);
            let mut command = profiled(&scratch, &program, &record);
            assert_eq!(run(command.arg(way).arg(&own)), "ok\n");
            let found = read(&record);
            assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true), "{way}");
            assert_eq!(found.regions.iter().map(|site| site.instances).sum::<u64>(), 55, "{way}");
        }
        assert_eq!(std::fs::metadata(&own).expect("the program's file").len(), 0);
    }
}

/// A file that the agent opens meanwhile takes no number that a file of the program's would get.
#[test]
fn files_get_the_lowest_numbers() {
    // Omphalos' own runtime reads files at times.
    for scratch in Scratch::each("lowest").into_iter().filter(|scratch| !scratch.own_runtime) {
        let program = compile(&scratch, "lowest", Compiler::Clang, &[]);
        let record = scratch.path("record");
        assert_eq!(run(&mut profiled(&scratch, &program, &record)), "0 0\n");
        let found = read(&record);
        assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true));
    }
}

/// The same for a process that may have few descriptors.
#[test]
fn few_numbers_are_the_programs_all_the_same() {
    for scratch in Scratch::each("few-numbers") {
        let program = compile(&scratch, "few_numbers", Compiler::Clang, &[]);
        let record = scratch.path("record");
        for (limits, less) in [(["20", "100"], 0), (["20", "20"], 1)] {
            let numbers = |command: &mut Command| {
                let said = run(command.args(limits));
                let numbers = said.split_whitespace().map(|word| word.parse().expect("a number"));
                numbers.collect::<Vec<u32>>()
            };
            let mut alone = profiled(&scratch, &program, &record);
            let mut expected = numbers(alone.env("OMP_TOOL", "disabled"));
            let found = numbers(&mut profiled(&scratch, &program, &record));
            expected[1] -= less;
            assert_eq!(found, expected, "{limits:?}");
        }
    }
}

/// A limit of file sizes ends the record, not the program.
#[test]
fn a_file_size_limit_costs_one_line() {
    for scratch in Scratch::each("limit") {
        let program = compile(&scratch, "descriptors", Compiler::Clang, &[]);
        let record = scratch.path("record");
        let mut command = profiled(&scratch, &program, &record);
        command.arg("limit").env("OMPHALOS_PROFILE_HZ", "20000");
        let output = command.output().expect("a run");
        check(&output);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.lines().count() <= 1, "{errors}");
        assert!(errors.is_empty() || errors.contains("ulimit -f"), "{errors}");
        assert!(std::fs::metadata(&record).expect("the record").len() <= 16384);
    }
}

/// The record is written before a process ends at once.
#[test]
fn a_process_that_ends_at_once_keeps_its_record() {
    for scratch in Scratch::each("at-once") {
        let program = compile(&scratch, "leaving", Compiler::Clang, &[]);
        for way in ["_exit", "_Exit", "quick_exit", "exit"] {
            let record = scratch.path(way);
            let output = profiled(&scratch, &program, &record).arg(way).output().expect("a run");
            assert_eq!(output.status.code(), Some(7), "{way}");
            let found = read(&record);
            assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true), "{way}");
            let instances = found.regions.iter().map(|site| site.instances).sum::<u64>();
            assert_eq!(instances, 3, "{way}");
        }
    }
}

/// The user's allowance of timers and queued signals goes to the program, as far as the program
/// asks for it.
#[test]
fn the_allowance_of_signals_is_the_programs() {
    for scratch in Scratch::each("allowance") {
        let program = compile(&scratch, "allowance", Compiler::Clang, &[]);
        for way in ["timer_create", "syscall", "sigqueue", "pthread_sigqueue"] {
            let record = scratch.path(way);
            let output = profiled(&scratch, &program, &record).arg(way).output().expect("a run");
            if output.status.code() == Some(77) {
                eprintln!("no user namespace of one's own here");
                return;
            }
            check(&output);
            assert_eq!(String::from_utf8_lossy(&output.stdout), "got 8\n", "{way}");
            let found = read(&record);
            assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true), "{way}");
            assert!(found.messages.iter().any(|text| text.contains("ended early")), "{way}");
        }
    }
}

/// A tick needs no more of the program's stack than any signal does.
#[test]
fn stacks_may_be_as_small_as_a_signal_lets_them() {
    for scratch in Scratch::each("small-stacks") {
        let program = compile(&scratch, "small_stacks", Compiler::Clang, &[]);
        let record = scratch.path("record");
        assert_eq!(run(&mut profiled(&scratch, &program, &record)), "ok\n");
        let found = read(&record);
        assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true));
    }
}
